import assert from "node:assert/strict";
import { test } from "node:test";
import { rowEncoder } from "#store/write/row-encoder.ts";
import { createCollector, BatchBuilder } from "./batch-builder.ts";
import { SeenRecords } from "./dedupe.ts";

const PROVENANCE = {
  file: { name: "capture.ndjson", segments: ["capture.ndjson"], subject: null },
  line: 1,
  capturedAt: 1_790_000_000_000,
  source: "test",
};

function startBatch(skipDuplicates = true) {
  const builder = new BatchBuilder(new SeenRecords(skipDuplicates), rowEncoder);
  return { collect: createCollector(builder, "shortvideo", PROVENANCE), batch: builder.batch };
}

test("an identical capture is counted and skipped", () => {
  const { collect, batch } = startBatch();
  for (let time = 0; time < 3; time++) {
    collect.hashtag({ name: "Tide" });
    collect.account({ id: "1", name: "mira" });
  }
  assert.equal(batch.recordCount, 2);
  assert.deepEqual([batch.duplicates.hashtag?.unchanged, batch.duplicates.account?.unchanged], [2, 2]);
});

test("the same fields in a later capture are not a duplicate: the record gets the later time", () => {
  const { collect, batch } = startBatch();
  const later = PROVENANCE.capturedAt + 1_000;
  for (const capturedAt of [PROVENANCE.capturedAt, later]) {
    collect.hashtag({ name: "tide", capturedAt });
    collect.account({ id: "1", name: "mira", capturedAt });
  }
  assert.deepEqual(batch.duplicates, {});
  const records = batch.byPlatform.get("shortvideo")?.records ?? [];
  assert.deepEqual(
    records.map(({ kind, incoming: found }) => [kind, found.capturedAt]),
    [
      ["hashtag", PROVENANCE.capturedAt],
      ["account", PROVENANCE.capturedAt],
      ["hashtag", later],
      ["account", later],
    ],
  );
});

test("counts below zero and capture times that cannot be are unknown", () => {
  const { collect, batch } = startBatch();
  for (const [id, capturedAt] of [0, 1_790_000_000, 1_780_000_000_000, 1.79e15].entries())
    collect.post({ id: `${id}`, capturedAt, counters: { views: -1, likes: 0, shares: 1.5 } });
  const records = batch.byPlatform.get("shortvideo")?.records ?? [];
  assert.deepEqual(
    records.map(({ point }) => point),
    [PROVENANCE.capturedAt, PROVENANCE.capturedAt, 1_780_000_000_000, PROVENANCE.capturedAt].map((capturedAt) => ({
      capturedAt,
      counters: { likes: 0 },
    })),
  );
});

test("nothing is skipped if the store has erased records", () => {
  const { collect, batch } = startBatch(false);
  for (let time = 0; time < 3; time++) collect.account({ id: "1", name: "mira" });
  assert.equal(batch.recordCount, 3);
});

test("only an id is mandatory; a record without one is refused with its line", () => {
  const { collect, batch } = startBatch();
  collect.post({ id: "" });
  collect.post({ id: "1".repeat(201) });
  collect.comment({ id: "c", postId: "" });
  collect.follow({ account: { id: "1" }, follower: { name: " " } });
  assert.deepEqual(
    batch.rejects.map(({ line }) => line),
    batch.rejects.map(() => 1),
  );
  assert.equal(batch.refused["post_without_id"], 2);
  assert.ok(batch.rejects.length >= 4);
  assert.equal(batch.recordCount, 0);
  collect.post({ id: "1".repeat(200) });
  assert.equal(batch.recordCount, 1);
});
