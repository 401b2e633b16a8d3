import assert from "node:assert/strict";
import { test } from "node:test";
import { rowEncoder } from "#store/write/row-encoder.ts";
import { createCollector, BatchBuilder } from "./batch-builder.ts";
import { canMerge, mergeBatches } from "./merge-batches.ts";
import type { ReadBatch } from "./read-files.ts";
import { SeenRecords } from "./dedupe.ts";

const FILE = { name: "capture.ndjson", segments: ["capture.ndjson"], subject: null };
const PROVENANCE = { file: FILE, line: 1, capturedAt: 1_790_000_000_000, source: "test" };

interface BatchOptions {
  position: number;
  state?: ReadBatch["state"];
  claim?: number;
  file?: string;
}

type Collect = (collect: ReturnType<typeof createCollector>, builder: BatchBuilder) => void;

function batch({ position, state = "running", claim = 1, file = FILE.name }: BatchOptions, fill: Collect): ReadBatch {
  const builder = new BatchBuilder(new SeenRecords(true), rowEncoder);
  fill(createCollector(builder, "shortvideo", PROVENANCE), builder);
  const progress = { file, bytesRead: position * 10, bytesTotal: 100 };
  return {
    ...builder.batch,
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

const addNothing: Collect = () => undefined;

test("two merged batches equal one batch of the same records", () => {
  const first: Collect = (collect, builder) => {
    collect.account({ id: "1", name: "mira" });
    collect.account({ name: "oskar" });
    collect.follow({ account: { id: "1" }, follower: { id: "2" } });
    builder.refuse(PROVENANCE, "json_broken");
    builder.countFormat("lines");
  };
  const second: Collect = (collect, builder) => {
    collect.account({ id: "3", name: "lena" });
    collect.account({ id: "3", name: "lena" });
    collect.subtitles({ postId: "p", language: "en", automatic: false, lines: [] });
    collect.chartEntry({ country: "SE", section: "music", day: "2026-11-15", rank: 1, postId: "p" });
    builder.refuse(PROVENANCE, "json_broken");
    builder.skip("nothing in it");
    builder.countFormat("lines");
  };
  const whole = batch({ position: 5, state: "done" }, (collect, builder) => {
    first(collect, builder);
    second(collect, builder);
  });
  const one = batch({ position: 2 }, first);
  const other = batch({ position: 5, state: "done" }, second);
  assert.deepEqual(mergeBatches(one, other), whole);
  assert.equal(one.byPlatform.get("shortvideo")?.records.length, 2, "the merged batches are not changed");
});

test("platforms that only one batch contains are kept separate", () => {
  const one = batch({ position: 1 }, (collect) => collect.account({ id: "1" }));
  const other = batch({ position: 2 }, addNothing);
  other.byPlatform = new Map([["longvideo", one.byPlatform.get("shortvideo") as never]]);
  assert.deepEqual([...mergeBatches(one, other).byPlatform.keys()], ["shortvideo", "longvideo"]);
});

test("only batches of the same file and claim are merged", () => {
  const started = batch({ position: 1 }, addNothing);
  assert.equal(canMerge(started, batch({ position: 2 }, addNothing)), true);
  assert.equal(canMerge(started, batch({ position: 2, claim: 2 }, addNothing)), false);
  assert.equal(canMerge(started, batch({ position: 2, file: "other.ndjson" }, addNothing)), false);
  assert.equal(canMerge(started, { kind: "fileDone", claimId: 1 }), false);
  const done = batch({ position: 2, state: "done" }, addNothing);
  assert.equal(canMerge(started, done), true);
  assert.equal(canMerge(done, batch({ position: 1 }, addNothing)), false, "two entries of an archive may share a name");
});
