import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { databaseServer, freshDatabase } from "#tests/postgres/databases.ts";
import { type PoolerMode, startPooler } from "#tests/postgres/pooler.ts";
import { PLATFORM, post } from "#testing/sample-records.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { StoreOpenError } from "#store/sql/store-open-error.ts";
import { Database } from "./database.ts";
import { openPostgresStore } from "./store.ts";

/** The URL of an empty database behind a pooler. */
async function pooled(t: TestContext, mode: PoolerMode): Promise<string> {
  const [{ url, drop }, { port }] = await Promise.all([freshDatabase(), databaseServer()]);
  const pooler = await startPooler(port, mode);
  t.after(async () => {
    await pooler.close();
    await drop();
  });
  return url.replace(`:${port}/`, `:${pooler.port}/`);
}

test("a store works behind a pooler whose clients keep their connections", async (t) => {
  const url = await pooled(t, "session");
  for (const writeConnections of [4, 1]) {
    const store = await openPostgresStore({ url, writeConnections });
    await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
    assert.equal((await store.reader(PLATFORM).getPost("p1"))?.id, "p1");
    await store.close();
  }
});

test("limits of statements and transactions hold behind a pooler", async (t) => {
  const url = await pooled(t, "session");
  const db = new Database({
    url,
    connections: 1,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 7_000,
    applicationName: "",
  });
  t.after(() => db.close());
  const limits = () =>
    db.get(
      `SELECT current_setting('statement_timeout') AS statement,
         current_setting('idle_in_transaction_session_timeout') AS idle`,
    );
  assert.deepEqual(await limits(), { statement: "7s", idle: "1min" });
  await db.withoutTimeout(async (sql) => sql.run("SELECT 1"));
  assert.deepEqual(await limits(), { statement: "7s", idle: "1min" });
});

async function assertRefused(url: string, pattern: RegExp, timeoutFactor = 1): Promise<void> {
  await assert.rejects(openPostgresStore({ url, timeoutFactor }), (error: unknown) => {
    assert.ok(error instanceof StoreOpenError, String(error));
    assert.match(error.message, pattern);
    return true;
  });
}

test("a pooler that shares connections between transactions is refused", async (t) => {
  const url = await pooled(t, "transaction");
  await assertRefused(url, /shares connections between transactions; set its pool_mode to session, or use the address/);
});

test("a pooler that has no connection for its clients is reported within seconds", async (t) => {
  const startedAt = performance.now();
  await assertRefused(await pooled(t, "silent"), /accepted the connection but does not answer; if it is a pooler/, 0.5);
  assert.ok(performance.now() - startedAt < 20_000);
});

const LOGIN_ERRORS: readonly [string, RegExp][] = [
  ["SASL authentication failed", /rejected user or password; check them, here and in the pooler/],
  ["no such database: absent", /is not in the configuration of the pooler; add it there/],
  ["no more connections allowed (max_client_conn)", /too many clients; raise its max_client_conn/],
  ["server login has been failing, try again later (server_login_retry)", /check that the server is running/],
  ["query_wait_timeout", /accepted the connection but does not answer/],
  ["unsupported startup parameter: search_timeout", /cannot open .*: unsupported startup parameter: search_timeout/],
];

for (const [error, advice] of LOGIN_ERRORS) {
  test(`a pooler's error is explained: ${error}`, async (t) => assertRefused(await pooled(t, { error }), advice));
}
