import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { ApiError } from "#errors";
import { readConfig } from "#config";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { until } from "#testing/until.ts";
import { SearchThreads } from "./search-threads.ts";

const REQUEST = { requestId: "1", now: Date.now(), unknownAsNull: false, misplaced: [] };
const call = (operation: string, input: Record<string, unknown>, scopes = ["read:shortvideo"]) => ({
  operation,
  scopes,
  request: { ...REQUEST, input },
});

test("threads are started again until they can open the store, and survive what fails", async () => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-search-threads-"));
  const dataDir = join(folder, "data");
  const errors: unknown[] = [];
  const threads = new SearchThreads(readConfig({ DATA_DIR: dataDir, SEARCH_THREADS: "2" }), Buffer.alloc(32), (error) =>
    errors.push(error),
  );
  try {
    threads.start();
    assert.equal(threads.execute(call("search", { q: "x" })), null, "none is ready yet");
    await until(async () => errors.length > 0);
    mkdirSync(dataDir);
    const store = openSqliteStore(dataDir);
    await until(async () => threads.ready === 2);

    const wrong = threads.execute(call("search", {}));
    assert.ok(wrong);
    await assert.rejects(wrong, (error) => error instanceof ApiError && error.code === "missing_parameter");
    const unknown = threads.execute(call("no/such/operation", {}));
    assert.ok(unknown);
    await assert.rejects(unknown, /there is no operation/);
    const denied = threads.execute(call("search", { q: "x" }, []));
    assert.ok(denied);
    await assert.rejects(denied, (error) => error instanceof ApiError && error.code === "insufficient_scope");

    const [executing, running] = [threads.execute(call("search", { q: "x" })), threads.run(call("search", { q: "x" }))];
    assert.ok(executing !== null && running !== null);
    assert.equal(threads.execute(call("search", { q: "x" })), null, "both are busy");
    const [response, result] = await Promise.all([executing, running]);
    assert.ok(Buffer.isBuffer(response.body));
    assert.deepEqual(JSON.parse(response.body.toString()), result.body);
    await store.close();

    const db = new DatabaseSync(join(dataDir, STORE_FILE));
    db.exec("DROP TABLE search_state");
    db.close();
    const damaged = threads.execute(call("search", { q: "x" }));
    assert.ok(damaged);
    await assert.rejects(damaged, { code: "ERR_SQLITE_ERROR", errcode: 1 }, "what kind of fault it is stays known");
  } finally {
    await threads.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
