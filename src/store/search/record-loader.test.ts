import assert from "node:assert/strict";
import { test } from "node:test";
import { createRecordLoader } from "./record-loader.ts";
import type { TrackRow } from "#store/subtitles/tables.ts";
import type { Sql } from "#store/sql/sql.ts";

test("tracks that were read beside those that were asked for are not decoded", async () => {
  const row = (
    post_id: string,
    language: string,
    automatic: boolean,
    lines: string,
  ): TrackRow & { platform: string } => ({
    platform: "longvideo",
    post_id,
    language,
    automatic,
    lines,
    captured_at: 0,
    source: "test",
  });
  const rows = [
    row("p1", "en", false, '[{"startS":1,"durationS":2,"text":"hello"}]'),
    row("p1", "en", true, "not asked for"),
    row("p1", "de", false, "not asked for"),
    row("p2", "de", true, "[]"),
  ];
  const loader = createRecordLoader({ all: async () => rows } as unknown as Sql);
  const keyOf = (postId: string, language: string, automatic: boolean) => ({
    platform: "longvideo",
    postId,
    language,
    automatic,
  });
  const tracks = await loader.subtitles([keyOf("p2", "de", true), keyOf("p1", "en", false), keyOf("p2", "en", false)]);
  assert.deepEqual(
    tracks.map((track) => track?.lines),
    [[], [{ startS: 1, durationS: 2, text: "hello" }], undefined],
  );
});
