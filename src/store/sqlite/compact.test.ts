import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { toUnit } from "#store/write/batch-changes.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { PLATFORM, post } from "#testing/sample-records.ts";
import { Database } from "./database.ts";
import { openSqliteStore } from "./store.ts";

function openStore(t: TestContext) {
  const path = mkdtempSync(join(tmpdir(), "triptych-compact-"));
  const store = openSqliteStore(path);
  t.after(async () => {
    await store.close();
    rmSync(path, { recursive: true });
  });
  return { store, file: join(path, STORE_FILE) };
}

/** Holds the write lock, as a process does that rewrites the file, and says so in the store if it is told to. */
const HOLD = `
  const { DatabaseSync } = require("node:sqlite");
  const { parentPort, workerData: { file, until } } = require("node:worker_threads");
  const db = new DatabaseSync(file);
  db.prepare("UPDATE purge_state SET rewriting_until = ?").run(until);
  db.exec("BEGIN IMMEDIATE");
  parentPort.postMessage("held");
  setTimeout(() => { db.exec("COMMIT"); db.close(); }, 400);`;

test("a writer waits for a process that rewrites the file, longer than for another program", async (t) => {
  const { file } = openStore(t);
  const patience = 50;
  for (const [until, isPatient] of [
    [Date.now() + 60_000, true],
    [Date.now() - 1, false],
  ] as const) {
    const holder = new Worker(HOLD, { eval: true, workerData: { file, until } });
    await new Promise((resolve) => holder.once("message", resolve));
    const connection = new DatabaseSync(file, { timeout: patience });
    const db = new Database(connection);
    const write = () => db.transaction(() => db.run("UPDATE search_state SET newest = newest"));
    if (isPatient) write();
    else assert.throws(write, /locked/);
    await new Promise((resolve) => holder.once("exit", resolve));
    db.close();
  }
});

test("while a reader needs an older state nothing is rewritten and the deletion stays pending; then it is", async (t) => {
  const { store, file } = openStore(t);
  await store.writer.write([toUnit(PLATFORM, { posts: Array.from({ length: 200 }, (_, index) => post(`p${index}`)) })]);
  assert.equal(await store.getPurgePending(), null);
  const reader = new DatabaseSync(file);
  reader.exec("BEGIN; SELECT 1 FROM records");
  await store.writer.erase(PLATFORM, "post", "p1");
  const pendingSince = await store.getPurgePending();
  assert.ok(pendingSince !== null);
  const size = statSync(`${file}-wal`).size;
  assert.equal(await store.writer.purgeErased(), false);
  assert.ok(statSync(`${file}-wal`).size < size + 64 * 1024, "the log has a copy of the file");
  assert.equal(await store.compact(), false);
  assert.equal(await store.getPurgePending(), pendingSince);
  reader.close();
  assert.equal(await store.writer.purgeErased(), true);
  assert.equal(await store.getPurgePending(), null);
  assert.equal(statSync(`${file}-wal`).size, 0);
});
