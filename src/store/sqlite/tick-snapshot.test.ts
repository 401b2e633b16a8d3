import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { PLATFORM, post } from "#testing/sample-records.ts";
import { openForReading } from "./database.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "./store.ts";

function openStore(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "triptych-snapshot-"));
  const file = join(folder, STORE_FILE);
  const store = openSqliteStore(folder);
  const reading = openForReading(file, "small");
  // Stands for another process: its writes end no snapshot here.
  const otherProcess = new DatabaseSync(file);
  t.after(async () => {
    otherProcess.close();
    reading.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const count = () => (reading.get<{ n: number }>("SELECT count(*) AS n FROM trend_lists") as { n: number }).n;
  const add = (name: string) =>
    otherProcess.prepare("INSERT INTO trend_lists (name, version, day) VALUES (?, 1, 1)").run(name);
  return { file, store, reading, count, add };
}

test("all reads of a tick see one state, and the next tick sees what was written meanwhile", async (t) => {
  const { reading, count, add } = openStore(t);
  const before = [count(), reading.dataVersion()];
  add("a");
  assert.deepEqual([count(), reading.dataVersion()], before);
  await nextTick();
  assert.equal(count(), 1);
  assert.notEqual(reading.dataVersion(), before[1]);
  const after = reading.dataVersion();
  await nextTick();
  assert.equal(reading.dataVersion(), after);
});

test("a write by this thread is visible immediately", async (t) => {
  const { store } = openStore(t);
  const reader = store.reader(PLATFORM);
  assert.equal(await reader.getPost("p1"), null);
  await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
  assert.equal((await reader.getPost("p1"))?.id, "p1");
});

test("an erasure truncates the write-ahead log even if it was read in the same tick", async (t) => {
  const { file, store, count } = openStore(t);
  await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
  assert.ok(statSync(`${file}-wal`).size > 0);
  count();
  const before = store.dataVersion();
  await store.writer.erase(PLATFORM, "post", "p1");
  assert.equal(await store.writer.purgeErased(), true);
  assert.equal(statSync(`${file}-wal`).size, 0);
  assert.notEqual(store.dataVersion(), before);
});
