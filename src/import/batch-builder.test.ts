import assert from "node:assert/strict";
import { test } from "node:test";
import { rowEncoder } from "#store/row-encoder.ts";
import { createCollector, BatchBuilder } from "./batch-builder.ts";
import { SeenRecords } from "./dedupe.ts";

const MOMENT = {
  file: { name: "capture.ndjson", segments: ["capture.ndjson"], subject: null },
  line: 1,
  capturedAt: 1_790_000_000_000,
  source: "test",
};

function gathering(passRepeats = true) {
  const all = new BatchBuilder(new SeenRecords(passRepeats), rowEncoder);
  return { collect: createCollector(all, "shortvideo", MOMENT), gathered: all.batch };
}

test("what is met word for word again is counted and passed over", () => {
  const { collect, gathered } = gathering();
  for (let time = 0; time < 3; time++) {
    collect.hashtag({ name: "Tide" });
    collect.account({ id: "1", name: "mira" });
  }
  assert.equal(gathered.recordCount, 2);
  assert.deepEqual([gathered.duplicates.hashtag?.unchanged, gathered.duplicates.account?.unchanged], [2, 2]);
});

test("the same words of a later capture are no repeat: the record is as young as they are", () => {
  const { collect, gathered } = gathering();
  const later = MOMENT.capturedAt + 1_000;
  for (const capturedAt of [MOMENT.capturedAt, later]) {
    collect.hashtag({ name: "tide", capturedAt });
    collect.account({ id: "1", name: "mira", capturedAt });
  }
  assert.deepEqual(gathered.duplicates, {});
  const records = gathered.byPlatform.get("shortvideo")?.records ?? [];
  assert.deepEqual(
    records.map(({ kind, incoming: found }) => [kind, found.capturedAt]),
    [
      ["hashtag", MOMENT.capturedAt],
      ["account", MOMENT.capturedAt],
      ["hashtag", later],
      ["account", later],
    ],
  );
});

test("nothing is passed over where some of it may have been erased", () => {
  const { collect, gathered } = gathering(false);
  for (let time = 0; time < 3; time++) collect.account({ id: "1", name: "mira" });
  assert.equal(gathered.recordCount, 3);
});

test("only an id is mandatory, and without it the record is refused with its line", () => {
  const { collect, gathered } = gathering();
  collect.post({ id: "" });
  collect.comment({ id: "c", postId: "" });
  collect.follow({ account: { id: "1" }, follower: { name: " " } });
  assert.deepEqual(
    gathered.rejects.map(({ line }) => line),
    gathered.rejects.map(() => 1),
  );
  assert.ok(gathered.rejects.length >= 3);
  assert.equal(gathered.recordCount, 0);
});
