import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { databaseServer, execute, freshDatabase, freshStoreDatabase } from "#tests/postgres/databases.ts";
import { openFreshStore } from "#tests/postgres/fresh-store.ts";
import { PASSWORD, USER } from "#tests/postgres/server.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { encodeRecord } from "#store/write/row-encoder.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { account, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { until } from "#testing/until.ts";
import { storeSuite } from "#store/records/conformance.ts";
import type { Store } from "../store.ts";
import type { Changes, Merge } from "#store/write/port.ts";
import { StoreOpenError } from "#store/sql/store-open-error.ts";
import { SCHEMA_VERSION } from "./migrate.ts";
import { FIRST_VERSION } from "./migrations.ts";
import { openPostgresStore } from "./store.ts";

storeSuite("PostgreSQL", openFreshStore);

type OneOrMore = [Store, ...Store[]];

/** Opens several stores on one database, as several processes would. */
async function withStores(
  count: number,
  work: (stores: OneOrMore, url: string) => Promise<void>,
  create = freshStoreDatabase,
): Promise<void> {
  const { url, drop } = await create();
  const stores = await Promise.all(
    Array.from({ length: count }, () => openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR })),
  );
  try {
    await work(stores as OneOrMore, url);
  } finally {
    await Promise.all(stores.map((store) => store.close()));
    await drop();
  }
}

test("processes that start concurrently on an empty database create its tables once", async () => {
  const work = async (stores: OneOrMore) => {
    await stores[0].writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
    for (const store of stores) assert.equal((await store.reader(PLATFORM).getPost("p1"))?.id, "p1");
  };
  await withStores(6, work, freshDatabase);
});

/** Keeps the notes of all captures. */
const mergeNotes: Merge = (_kind, stored, incoming) => ({
  ...incoming,
  native: { notes: [stored, incoming].flatMap((record) => (record.native as { notes: string[] }).notes) },
});

function noted(ids: string[], note: string): Changes {
  const records = ids.map((id) => ({
    kind: "post" as const,
    postId: null,
    incoming: encodeRecord("post", post(id, { native: { notes: [note] }, text: `tea ${note}` })),
    point: { capturedAt: NOW, counters: { views: 1 } },
  }));
  return { platform: PLATFORM, records, subtitles: [], follows: [], chartEntries: [] };
}

test("writers in two processes keep each other's changes and never deadlock", async () => {
  await withStores(2, async (stores) => {
    const ids = Array.from({ length: 30 }, (_, number) => `p${number}`);
    const notes = Array.from({ length: 12 }, (_, number) => `note${number}`);
    await Promise.all(
      notes.map((note, number) => {
        // One goes through the posts forwards, the other backwards.
        const order = number % 2 === 0 ? ids : ids.toReversed();
        return (stores[number % 2] as Store).writer.write([{ changes: [noted(order, note)], merge: mergeNotes }]);
      }),
    );
    const reader = stores[0].reader(PLATFORM);
    for (const stored of await reader.getPosts(ids)) {
      assert.deepEqual((stored.native as { notes: string[] }).notes.toSorted(), notes.toSorted());
    }
    const { items } = await reader.searchPosts({ text: "tea ", offset: 0, limit: 100, now: 0 });
    assert.equal(items.length, ids.length);
  });
});

test("the same id twice in a batch is like two batches", async () => {
  await withStores(1, async ([store]) => {
    const reader = store.reader(PLATFORM);
    const changes = [noted(["p", "q", "p"], "a"), noted(["p"], "b"), noted(["p"], "c")];
    const outcome = await store.writer.write([{ changes, merge: mergeNotes }]);
    assert.deepEqual(outcome, [{ post: { new: 2, updated: 2, unchanged: 1, erased: 0 } }]);
    assert.deepEqual((await reader.getPost("p"))?.native, { notes: ["a", "b", "c"] });
    assert.equal(await reader.countPosts("author", "1"), 2);
  });
});

test("a post of very many words is indexed up to the server's limit, without keeping the processor", async () => {
  await withStores(1, async ([store]) => {
    const words = Array.from({ length: 60_000 }, (_, index) => `слово${index}`);
    const before = process.cpuUsage();
    await store.writer.write([toUnit(PLATFORM, { posts: [post("p1", { text: words.join(" ") })] })]);
    assert.ok(process.cpuUsage(before).user < 6e6);
    const search = async (text: string) =>
      (await store.reader(PLATFORM).searchPosts({ text, offset: 0, limit: 1, now: SECOND })).items.length;
    assert.equal(await search("слово0 слово30000"), 1);
    assert.equal(await search("слово0 слово59999"), 0);
  });
});

test("a store works again after its connections were terminated", async () => {
  await withStores(1, async ([store], url) => {
    await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
    await execute(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    // Each terminated connection may fail once; there are no more than the pools have.
    const find = (id: string) =>
      until(() =>
        store
          .reader(PLATFORM)
          .getPost(id)
          .catch(() => null),
      );
    assert.equal((await find("p1")).id, "p1");
    await until(() => store.writer.write([toUnit(PLATFORM, { posts: [post("p2")] })]).catch(() => null));
    assert.equal((await find("p2")).id, "p2");
  });
});

test("a query that takes too long fails, and its connection serves the next one", async () => {
  const { url, drop } = await freshStoreDatabase();
  const store = await openPostgresStore({
    url,
    readConnections: 1,
    readTimeoutMs: 1_000,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
  });
  await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
  const other = new Client(url);
  await other.connect();
  await other.query("BEGIN");
  await other.query("LOCK TABLE records");
  await assert.rejects(store.reader(PLATFORM).getPost("p1"), /statement timeout/);
  await other.end();
  assert.equal((await store.reader(PLATFORM).getPost("p1"))?.id, "p1");
  await store.close();
  await drop();
});

test("limits that a database sets on waits for locks and on transactions end no write and no backup", async (t) => {
  const { name, url, drop } = await freshStoreDatabase();
  // Connected before the limits, which are for new sessions.
  const other = new Client(url);
  await other.connect();
  t.after(() => other.end());
  await other.query(`ALTER DATABASE ${name} SET lock_timeout = '50ms'`);
  await other.query(`DO $$ BEGIN
    IF current_setting('transaction_timeout', true) IS NOT NULL THEN
      ALTER DATABASE ${name} SET transaction_timeout = '100ms';
    END IF;
  END $$`);
  const store = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
  t.after(async () => {
    await store.close();
    await drop();
  });
  await other.query("BEGIN; LOCK TABLE records");
  const writing = store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
  await Promise.all([writing, other.query("SELECT pg_sleep(0.5); COMMIT")]);
  await store.tables.snapshot(async (reader) => {
    await reader.getAccountIds(PLATFORM, []);
    await other.query("SELECT pg_sleep(0.5)");
    assert.equal((await reader.getAccountRows(PLATFORM, ["1"])).size, 0);
  });
});

test("verify reports invalid indexes", async () => {
  await withStores(1, async ([store], url) => {
    await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
    await execute(url, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'follows_newest'::regclass");
    assert.deepEqual(await store.verify(), ["the index follows_newest is invalid; run REINDEX"]);
  });
});

test("erasure leaves vacuumed tables", async () => {
  await withStores(1, async ([store], url) => {
    await store.writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1")],
        posts: [post("p1", { text: "quokka" }), post("p2")],
      }),
    ]);
    const erase = async (kind: "account" | "post", id: string) => {
      await store.writer.erase(PLATFORM, kind, id);
      await store.writer.purgeErased();
    };
    await Promise.all(["p1", "p2"].map((id) => erase("post", id)));
    await erase("account", "1");
    // A table whose rows were all erased is truncated to zero pages by VACUUM.
    await execute(
      url,
      `DO $$ BEGIN
         ASSERT (SELECT sum(pg_relation_size(name::regclass)) FROM unnest(ARRAY['records', 'post_lists', 'search_docs',
           'search_words', 'account_names']) AS name) = 0;
       END $$`,
    );
  });
});

async function refused(url: string, pattern: RegExp): Promise<void> {
  await assert.rejects(openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR }), (error: unknown) => {
    assert.ok(error instanceof StoreOpenError, String(error));
    assert.match(error.message, pattern);
    assert.doesNotMatch(error.message, /\n|wrong|loopback/, "one line, and no password in it");
    return true;
  });
}

test("a database that cannot be opened is refused in one sentence without its password", async () => {
  const { port } = await databaseServer();
  const at = (user: string, password: string, host: string, name: string) =>
    `postgres://${user}:${encodeURIComponent(password)}@${host}/${name}`;
  const server = `127.0.0.1:${port}`;
  await refused(at(USER, "wrong", server, "postgres"), /rejected user or password/);
  await refused(at("nobody", "wrong", server, "postgres"), /rejected user or password/);
  await refused(at(USER, PASSWORD, server, "absent"), /PostgreSQL at 127\.0\.0\.1:\d+\/absent does not exist/);
  await refused(at(USER, PASSWORD, "127.0.0.1:1", "postgres"), /refused the connection; check that it is running/);
  await refused("mysql://u:wrong@host/db", /is not a PostgreSQL URL; expected postgres:/);
  await refused("no address: wrong", /is not a PostgreSQL URL; expected postgres:/);
});

test("a database of another program, another version or another encoding is refused in one sentence", async () => {
  const { url, drop } = await freshDatabase();
  await execute(url, "CREATE TABLE somebody (id text)");
  await refused(url, /has tables of another program \(somebody\)/);
  await execute(url, "DROP TABLE somebody");
  await (await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR })).close();
  await execute(url, `UPDATE triptych_store SET version = ${SCHEMA_VERSION + 1}`);
  await refused(url, /written by a newer Triptych \(store version/);
  await execute(url, `UPDATE triptych_store SET version = ${FIRST_VERSION - 1}`);
  await refused(url, /written by an unreleased Triptych .*; drop the database or use a new one, and import again/);
  await drop();

  const server = (await databaseServer()).url;
  await execute(
    server("postgres"),
    "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'",
  );
  await refused(server("latin"), /has the encoding LATIN1/);
});

test("names are found whatever their case in a database of a language with other letters", async (t) => {
  const { url: server } = await databaseServer();
  await execute(
    server("postgres"),
    "CREATE DATABASE turkish TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr' LOCALE 'C'",
  );
  const store = await openPostgresStore({ url: server("turkish"), timeoutFactor: TEST_TIMEOUT_FACTOR });
  t.after(() => store.close());
  const mentioning = post("p1", { authorId: "2", text: "thanks @ISLA.MIA for the tea" });
  await store.writer.write([
    toUnit(PLATFORM, { accounts: [account("mia", { name: "isla.mia" })], posts: [mentioning] }),
  ]);
  await store.writer.erase(PLATFORM, "account", "mia");
  assert.equal((await store.reader(PLATFORM).getPost("p1"))?.text, "thanks [erased] for the tea");
});

test("names are found in a database whose strings have escapes", async () => {
  await withStores(1, async ([first], url) => {
    await execute(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET standard_conforming_strings = off`);
    await first.writer.write([
      toUnit(PLATFORM, {
        accounts: [account("mia", { name: "isla_mia" })],
        posts: [post("p1", { authorId: "2", text: "thanks @isla_mia for the tea, not @islaxmia" })],
      }),
    ]);
    const store = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
    await store.writer.erase(PLATFORM, "account", "mia");
    assert.equal((await store.reader(PLATFORM).getPost("p1"))?.text, "thanks [erased] for the tea, not @islaxmia");
    await store.close();
  });
});

test("a migration that fails halfway changes nothing", async () => {
  const { url, drop } = await freshDatabase();
  await (await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR })).close();
  // It drops an index and fails to create the one that replaces it.
  await execute(url, "ALTER TABLE job_records RENAME COLUMN number TO renamed");
  await execute(url, `UPDATE triptych_store SET version = ${FIRST_VERSION}`);
  await refused(url, /column "number" does not exist/);
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query(
    "SELECT version::int, to_regclass('job_records_by_job')::text AS index FROM triptych_store",
  );
  await client.end();
  assert.deepEqual(rows, [{ version: FIRST_VERSION, index: "job_records_by_job" }]);
  await drop();
});

test("a user who may not create tables gets a message that says so", async () => {
  const { url, drop } = await freshDatabase();
  await execute(url, "CREATE USER guest PASSWORD 'wrong to tell'");
  await refused(url.replace(/\/\/.*@/, "//guest:wrong%20to%20tell@"), /this user may not create tables/);
  await drop();
});
