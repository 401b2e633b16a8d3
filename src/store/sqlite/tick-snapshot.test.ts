import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { PLATFORM, post } from "#testing/sample-records.ts";
import { openForReading } from "./database.ts";
import { openSqliteStore, STORE_FILE } from "./store.ts";

function opened(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "triptych-turn-"));
  const file = join(folder, STORE_FILE);
  const store = openSqliteStore(folder);
  const reading = openForReading(file, "small");
  // As another process writes: nobody here is told.
  const elsewhere = new DatabaseSync(file);
  t.after(async () => {
    elsewhere.close();
    reading.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const count = () => (reading.get<{ n: number }>("SELECT count(*) AS n FROM copy_progress") as { n: number }).n;
  const add = (name: string) =>
    elsewhere.prepare("INSERT INTO copy_progress (name, progress) VALUES (?, '')").run(name);
  return { file, store, reading, count, add };
}

test("within a turn all reads see one state, and the next turn sees what was written meanwhile", async (t) => {
  const { reading, count, add } = opened(t);
  const before = [count(), reading.stamp()];
  add("a");
  assert.deepEqual([count(), reading.stamp()], before);
  await turn();
  assert.equal(count(), 1);
  assert.notEqual(reading.stamp(), before[1]);
  const after = reading.stamp();
  await turn();
  assert.equal(reading.stamp(), after);
});

test("what this thread writes is seen at once", async (t) => {
  const { store } = opened(t);
  const reader = store.reader(PLATFORM);
  assert.equal(await reader.getPost("p1"), null);
  await store.writer.write(PLATFORM, { posts: [post("p1")] });
  assert.equal((await reader.getPost("p1"))?.id, "p1");
});

test("an erasure empties the log although it was read from in the same turn", async (t) => {
  const { file, store, count } = opened(t);
  await store.writer.write(PLATFORM, { posts: [post("p1")] });
  assert.ok(statSync(`${file}-wal`).size > 0);
  count();
  const began = store.dataVersion();
  await store.writer.erase(PLATFORM, "post", "p1");
  assert.equal(statSync(`${file}-wal`).size, 0);
  assert.notEqual(store.dataVersion(), began);
});
