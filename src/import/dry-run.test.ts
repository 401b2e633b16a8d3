import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { toChanges } from "#store/write/batch-changes.ts";
import { rowEncoder } from "#store/write/row-encoder.ts";
import { NOW, PLATFORM, post } from "#testing/sample-records.ts";
import { DryRunState } from "./dry-run.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("a dry run keeps what it has seen out of memory, and counts it when it comes again", () => {
  const state = new DryRunState(rowEncoder);
  const native = { text: "x".repeat(50_000) };
  const split = (index: number, text: string) =>
    state.split([toChanges(PLATFORM, { posts: [post(`p${index}`, { text, native, capturedAt: NOW })] })]);
  split(0, "first");
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 1; index < 600; index++) assert.equal(split(index, "first").unseen[0]?.records.length, 1);
  collectGarbage();
  // What it saw has 30 MB.
  assert.ok(process.memoryUsage().heapUsed - before < 5_000_000);
  assert.ok(state.hasPost(PLATFORM, "p7") && !state.hasPost(PLATFORM, "other"));
  const counts = { new: 0, updated: 0, unchanged: 0, erased: 0 };
  assert.deepEqual(split(7, "first").seen, { post: { ...counts, unchanged: 1 } });
  assert.deepEqual(split(8, "second").seen, { post: { ...counts, updated: 1 } });
  assert.deepEqual(split(8, "second").seen, { post: { ...counts, unchanged: 1 } });
});
