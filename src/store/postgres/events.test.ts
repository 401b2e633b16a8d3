import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { type TestContext, test } from "node:test";
import { execute, freshDatabase } from "#tests/postgres/databases.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { PLATFORM, post } from "#testing/sample-records.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { StoreEvent } from "#store/write/events.ts";
import { Database } from "./database.ts";
import { notify, PostgresEvents } from "./events.ts";
import { openPostgresStore } from "./store.ts";

const APPLICATION = "event test";

/** A database and a subscriber to its events. */
async function subscribed(t: TestContext) {
  const { url, drop } = await freshDatabase();
  const shared = { url, connectTimeoutMs: 60_000 };
  const db = new Database({ ...shared, applicationName: "writes", connections: 2, statementTimeoutMs: 10_000 });
  const events = new PostgresEvents({ ...shared, applicationName: APPLICATION });
  const received: StoreEvent[] = [];
  const emitter = new EventEmitter();
  events.subscribe((event) => {
    received.push(event);
    emitter.emit("event");
  });
  t.after(async () => {
    await Promise.all([events.close(), db.close()]);
    await drop();
  });
  /** The events received up to and including this one. */
  const until = async (about: StoreEvent["about"]): Promise<StoreEvent[]> => {
    while (!received.some((event) => event.about === about)) await once(emitter, "event");
    return received.splice(0);
  };
  assert.deepEqual(await until("anything"), [{ about: "anything" }], "earlier events were missed");
  return { url, db, until };
}

test("events of a transaction are received after its commit, and never if it fails", async (t) => {
  const { db, until } = await subscribed(t);
  const failed = db.transaction(async (sql) => {
    await notify(sql, { about: "erasure", platform: "shortvideo" });
    throw new Error("aborted");
  });
  await assert.rejects(failed, /aborted/);
  await db.transaction((sql) => notify(sql, { about: "records", platform: "longvideo" }));
  await db.transaction((sql) => notify(sql, { about: "token", keyId: "k" }));
  assert.deepEqual(await until("token"), [
    { about: "records", platform: "longvideo" },
    { about: "token", keyId: "k" },
  ]);
});

test("an event that is too long becomes a general one", async (t) => {
  const { db, until } = await subscribed(t);
  await notify(db, { about: "token", keyId: "9".repeat(9_000) });
  assert.deepEqual(await until("anything"), [{ about: "anything" }]);
});

test("foreign notifications on the channel are ignored", async (t) => {
  const { url, db, until } = await subscribed(t);
  await execute(
    url,
    "NOTIFY triptych",
    "NOTIFY triptych, 'hello'",
    "NOTIFY triptych, 'null'",
    `NOTIFY triptych, '{"a":1}'`,
  );
  await notify(db, { about: "token", keyId: "k" });
  assert.deepEqual(await until("token"), [{ about: "token", keyId: "k" }]);
});

test("after a lost connection, a subscriber is notified that it may have missed events, and receives the next ones", async (t) => {
  const { url, db, until } = await subscribed(t);
  for (let round = 0; round < 3; round++) {
    await execute(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${APPLICATION}'`,
    );
    assert.deepEqual(await until("anything"), [{ about: "anything" }]);
    await notify(db, { about: "token", keyId: String(round) });
    assert.deepEqual(await until("token"), [{ about: "token", keyId: String(round) }]);
  }
});

test("subscribers receive the changes of other stores", async (t) => {
  const { url, until } = await subscribed(t);
  const store = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
  await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
  assert.deepEqual(await until("records"), [{ about: "records", platform: PLATFORM }]);
  await store.writer.erase(PLATFORM, "post", "p1");
  assert.deepEqual(await until("erasure"), [{ about: "erasure", platform: PLATFORM }]);
  const token = { keyId: "k", digest: "", label: "x", scopes: [], createdAt: 1, expiresAt: null, revokedAt: null };
  await store.tokens.writeToken({ ...token, limits: {}, replacedBy: null });
  assert.deepEqual(await until("token"), [{ about: "token", keyId: "k", isNew: true }]);
  await store.close();
});
