import assert from "node:assert/strict";
import { test } from "node:test";
import { rowEncoder } from "#store/row-encoder.ts";
import { createCollector, BatchBuilder } from "./batch-builder.ts";
import { canMerge, mergeBatches } from "./merge-batches.ts";
import type { ReadBatch } from "./read-files.ts";
import { SeenRecords } from "./dedupe.ts";

const FILE = { name: "capture.ndjson", segments: ["capture.ndjson"], subject: null };
const MOMENT = { file: FILE, line: 1, capturedAt: 1_790_000_000_000, source: "test" };

interface Said {
  position: number;
  state?: ReadBatch["state"];
  claim?: number;
  file?: string;
}

type Collect = (collect: ReturnType<typeof createCollector>, all: BatchBuilder) => void;

function batch({ position, state = "running", claim = 1, file = FILE.name }: Said, say: Collect): ReadBatch {
  const all = new BatchBuilder(new SeenRecords(true), rowEncoder);
  say(createCollector(all, "shortvideo", MOMENT), all);
  const progress = { file, bytesRead: position * 10, bytesTotal: 100 };
  return {
    ...all.batch,
    kind: "batch",
    claimId: claim,
    isLast: state === "done",
    file,
    fingerprint: "s",
    position,
    state,
    progress,
  };
}

const nothing: Collect = () => undefined;

test("two batches as one are what one batch of both would be", () => {
  const first: Collect = (collect, all) => {
    collect.account({ id: "1", name: "mira" });
    collect.account({ name: "oskar" });
    collect.follow({ account: { id: "1" }, follower: { id: "2" } });
    all.refuse(MOMENT, "json_broken");
    all.countFormat("lines");
  };
  const second: Collect = (collect, all) => {
    collect.account({ id: "3", name: "lena" });
    collect.account({ id: "3", name: "lena" });
    collect.subtitles({ postId: "p", language: "en", automatic: false, lines: [] });
    collect.chartEntry({ country: "SE", section: "music", day: "2026-11-15", rank: 1, postId: "p" });
    all.refuse(MOMENT, "json_broken");
    all.skip("nothing in it");
    all.countFormat("lines");
  };
  const whole = batch({ position: 5, state: "done" }, (collect, all) => {
    first(collect, all);
    second(collect, all);
  });
  const one = batch({ position: 2 }, first);
  const other = batch({ position: 5, state: "done" }, second);
  assert.deepEqual(mergeBatches(one, other), whole);
  assert.equal(one.byPlatform.get("shortvideo")?.records.length, 2, "what was joined is left as it was");
});

test("platforms that only one of them met are kept apart", () => {
  const one = batch({ position: 1 }, (collect) => collect.account({ id: "1" }));
  const other = batch({ position: 2 }, nothing);
  other.byPlatform = new Map([["longvideo", one.byPlatform.get("shortvideo") as never]]);
  assert.deepEqual([...mergeBatches(one, other).byPlatform.keys()], ["shortvideo", "longvideo"]);
});

test("only what goes on with the same file under the same claim is joined", () => {
  const begun = batch({ position: 1 }, nothing);
  assert.equal(canMerge(begun, batch({ position: 2 }, nothing)), true);
  assert.equal(canMerge(begun, batch({ position: 2, claim: 2 }, nothing)), false);
  assert.equal(canMerge(begun, batch({ position: 2, file: "other.ndjson" }, nothing)), false);
  assert.equal(canMerge(begun, { kind: "fileDone", claimId: 1 }), false);
  const done = batch({ position: 2, state: "done" }, nothing);
  assert.equal(canMerge(begun, done), true);
  assert.equal(canMerge(done, batch({ position: 1 }, nothing)), false, "two entries of an archive may share a name");
});
