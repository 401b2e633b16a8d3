/**
 * Threads that are stuck inside a SQLite query, which nothing can end: their callers are answered, others are served, and the
 * service stops. Views and triggers whose query never ends stand for whatever keeps a thread.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { TokenRegistry } from "#auth/tokens.ts";
import { loadPepper } from "#auth/secrets.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { reportClaim } from "#testing/claims.ts";
import { signal } from "#testing/processes.ts";
import { until } from "#testing/until.ts";
import { sendRequest } from "./http-client.ts";
import { assertProblem } from "./problem.ts";
import { metricOf, spawnService } from "./spawn-workers.ts";
import { temporaryFolder } from "./test-server.ts";
import { bearerHeader } from "./test-tokens.ts";

const ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n WHERE x < 0";
const SEARCH = { path: "/api/search?q=kiln" };
const LOOK_UP = { path: "/api/shortvideo/user/info-with-region?uniqueId=ines.varga" };

/** The statements of another program on the file of a running service. */
function changeStore(dataDir: string, sql: string): void {
  const db = new DatabaseSync(join(dataDir, STORE_FILE), { timeout: 10_000 });
  db.exec(sql);
  db.close();
}

test("a search and a write that never end get a 503, others are served, and a stop ends the process", async () => {
  const folder = temporaryFolder();
  const dataDir = folder.path;
  const service = await spawnService({ DATA_DIR: dataDir, SEARCH_THREADS: "1", METRICS: "public", LOG_LEVEL: "error" });
  try {
    const store = await service.openStore();
    const registry = new TokenRegistry(store.tokens, loadPepper(join(dataDir, "pepper")).tokens);
    const { token } = await registry.create({ label: "operator", scopes: ["admin"] });
    await store.close();
    const search = () => sendRequest(service.url, SEARCH);
    // Until then the main thread would execute it.
    await until(async () => (await metricOf(service.url, "triptych_search_threads")) === 1);
    assert.equal((await search()).status, 200);

    changeStore(
      dataDir,
      `ALTER TABLE search_state RENAME TO kept_state;
      CREATE VIEW search_state AS SELECT x AS newest, x AS documents_version FROM (${ENDLESS})`,
    );
    const startedAt = performance.now();
    const [stuck, ...others] = await Promise.all([
      search(),
      ...Array.from({ length: 20 }, () => sendRequest(service.url, LOOK_UP)),
    ]);
    const searchS = (performance.now() - startedAt) / 1_000;
    assertProblem(stuck, "service_unavailable");
    assert.equal(stuck.header("retry-after"), "1");
    for (const other of others) assert.equal(other.status, 200);
    changeStore(dataDir, "DROP VIEW search_state; ALTER TABLE kept_state RENAME TO search_state");
    // By another thread: the first one is still stuck.
    await until(async () => (await search()).status === 200);
    assert.match(service.stdout(), /a search took longer than 10 s; its thread is replaced/);

    changeStore(
      dataDir,
      `CREATE VIEW endless AS ${ENDLESS};
      CREATE TRIGGER endless_write BEFORE INSERT ON tokens BEGIN SELECT x FROM endless; END`,
    );
    const writeAt = performance.now();
    const creating = await sendRequest(service.url, {
      method: "POST",
      path: "/admin/tokens",
      headers: { ...bearerHeader(token), "content-type": "application/json" },
      body: JSON.stringify({ label: "new", scopes: ["read:shortvideo"] }),
    });
    const writeS = (performance.now() - writeAt) / 1_000;
    assertProblem(creating, "service_unavailable");
    assert.equal(creating.header("retry-after"), "1");
    assert.equal((await sendRequest(service.url, LOOK_UP)).status, 200);

    const stopAt = performance.now();
    await service.stop();
    const stopS = (performance.now() - stopAt) / 1_000;
    // Node itself cannot exit while the threads are stuck.
    assert.deepEqual(await service.exited, { code: null, signal: "SIGKILL" });
    reportClaim(
      "callers of threads that are stuck in a query get a 503, and the service stops",
      `search after ${searchS.toFixed(1)} s, write after ${writeS.toFixed(1)} s, stop after ${stopS.toFixed(1)} s`,
    );
  } finally {
    signal(service.pid, "SIGKILL");
    await service.exited;
    folder.remove();
  }
});
