import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import { type JsonText, parseJsonText } from "#domain/json-text.ts";
import { bigint, boolean, defineTable, json, oneOf, type RowOf, rowVersion, text } from "#store/sql/table.ts";

export const SUBTITLES = defineTable("subtitles", {
  columns: {
    platform: text,
    post_id: text,
    language: text,
    automatic: boolean,
    lines: oneOf<JsonText<SubtitleLine[]>>(json),
    captured_at: bigint,
    source: text,
  },
  key: ["platform", "post_id", "language", "automatic"],
  distributedBy: "post_id",
  sqlite: { hasRowid: true },
  postgres: { columns: { version: rowVersion }, withoutStatistics: ["lines"] },
});
export type SubtitleRow = RowOf<typeof SUBTITLES.postgres>;

export const TRACK_COLUMNS = ["post_id", "language", "automatic", "lines", "captured_at", "source"] as const;

export type TrackRow = Omit<RowOf<typeof SUBTITLES>, "platform">;

export function toTrack({ post_id, language, automatic, lines, captured_at, source }: TrackRow): SubtitleTrack {
  return {
    postId: post_id,
    language,
    automatic: Boolean(automatic),
    lines: parseJsonText(lines),
    capturedAt: captured_at,
    source,
  };
}
