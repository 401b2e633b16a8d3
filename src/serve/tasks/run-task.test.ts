/** Tasks that run in threads of their own. */
import { toUnit } from "#store/write/batch-changes.ts";
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { readConfig } from "#config";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { account, post } from "#testing/sample-records.ts";
import { temporaryFolder } from "#tests/test-server.ts";
import { runTask } from "./run-task.ts";

const NOW = Date.UTC(2026, 10, 16);

test("a task sees the store as its owner does, and has left it when it is done", async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const config = readConfig({ DATA_DIR: folder.path });
  const store = openSqliteStore(folder.path);
  await store.writer.write([toUnit("shortvideo", { posts: [post("p1"), post("p2")], accounts: [account("1")] })]);
  const { bytes, ...counted } = await store.summary(NOW);
  assert.ok(bytes > 0);
  assert.deepEqual(counted.records, { shortvideo: { account: 1, post: 2 } });
  const { bytes: _bytes, ...summary } = await runTask("summarize", { config, now: NOW });
  assert.deepEqual(summary, counted);
  await store.close();
  // On some systems a file that is open cannot be removed.
  rmSync(folder.path, { recursive: true });
});

test("a stop before a task starts keeps it from starting, and one during it ends it", async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const config = readConfig({ DATA_DIR: folder.path });
  await assert.rejects(runTask("purge", { config }, AbortSignal.abort()), { name: "AbortError" });
  const stopping = new AbortController();
  const refreshing = runTask("refreshTrends", { config, now: NOW, asOf: null }, stopping.signal);
  setImmediate(() => stopping.abort());
  await assert.rejects(refreshing, { name: "AbortError" });
});

test("a task that fails rejects with its error", async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const config = readConfig({ DATA_DIR: folder.path });
  await assert.rejects(runTask("backUp", { config, file: `${folder.path}/a.backup` }), {
    name: "StoreOpenError",
    message: `no store in ${folder.path}`,
  });
});
