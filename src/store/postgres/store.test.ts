import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { databaseServer, execute, freshDatabase } from "#tests/postgres/databases.ts";
import { openFreshStore } from "#tests/postgres/fresh-store.ts";
import { PASSWORD, USER } from "#tests/postgres/server.ts";
import { encodeRecord } from "../row-encoder.ts";
import { account, NOW, PLATFORM, post } from "#testing/sample-records.ts";
import { storeSuite } from "../conformance/store.ts";
import type { Changes, Merge, Store } from "../store.ts";
import { StoreOpenError } from "../store-open-error.ts";
import { SCHEMA_VERSION } from "./migrate.ts";
import { FIRST_VERSION } from "./migrations.ts";
import { openPostgresStore } from "./store.ts";

storeSuite("PostgreSQL", openFreshStore);

type OneOrMore = [Store, ...Store[]];

/** Several stores on one database, as several processes have them. */
async function together(count: number, work: (stores: OneOrMore, url: string) => Promise<void>): Promise<void> {
  const { url, drop } = await freshDatabase();
  const stores = await Promise.all(Array.from({ length: count }, () => openPostgresStore({ url })));
  try {
    await work(stores as OneOrMore, url);
  } finally {
    await Promise.all(stores.map((store) => store.close()));
    await drop();
  }
}

test("processes that start at once on an empty database make its tables once", async () => {
  await together(6, async (stores) => {
    await stores[0].writer.write(PLATFORM, { posts: [post("p1")] });
    for (const store of stores) assert.equal((await store.reader(PLATFORM).getPost("p1"))?.id, "p1");
  });
});

/** Every note that any capture made is kept. */
const gather: Merge = (_kind, held, found) => ({
  ...found,
  native: { notes: [...(held.native as { notes: string[] }).notes, ...(found.native as { notes: string[] }).notes] },
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

test("writers in two processes lose nothing of each other's and never block for good", async () => {
  await together(2, async (stores) => {
    const ids = Array.from({ length: 30 }, (_, number) => `p${number}`);
    const notes = Array.from({ length: 12 }, (_, number) => `note${number}`);
    await Promise.all(
      notes.map((note, number) => {
        // One goes through the posts forwards, the other backwards.
        const order = number % 2 === 0 ? ids : ids.toReversed();
        return (stores[number % 2] as Store).writer.apply([noted(order, note)], gather);
      }),
    );
    const reader = stores[0].reader(PLATFORM);
    for (const held of await reader.getPosts(ids)) {
      assert.deepEqual((held.native as { notes: string[] }).notes.toSorted(), notes.toSorted());
    }
    const { items } = await reader.searchPosts({ text: "tea ", offset: 0, limit: 100, now: 0 });
    assert.equal(items.length, ids.length);
  });
});

test("one id twice in a batch is as two batches", async () => {
  await together(1, async ([store]) => {
    const reader = store.reader(PLATFORM);
    const changes = [noted(["p", "q", "p"], "a"), noted(["p"], "b"), noted(["p"], "c")];
    const outcome = await store.writer.apply(changes, gather);
    assert.deepEqual(outcome, { post: { new: 2, updated: 2, unchanged: 1, erased: 0 } });
    assert.deepEqual((await reader.getPost("p"))?.native, { notes: ["a", "b", "c"] });
    assert.equal(await reader.countPosts("author", "1"), 2);
  });
});

test("a store goes on after its connections were cut", async () => {
  await together(1, async ([store], url) => {
    await store.writer.write(PLATFORM, { posts: [post("p1")] });
    await execute(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    // Each connection that was cut may fail once; there are no more than the pool holds.
    let answer: string | undefined;
    for (let attempt = 0; attempt < 20 && answer === undefined; attempt++) {
      answer = (
        await store
          .reader(PLATFORM)
          .getPost("p1")
          .catch(() => null)
      )?.id;
    }
    assert.equal(answer, "p1");
    await store.writer.write(PLATFORM, { posts: [post("p2")] });
    assert.equal((await store.reader(PLATFORM).getPost("p2"))?.id, "p2");
  });
});

test("a question that takes too long fails, and its connection serves the next", async () => {
  const { url, drop } = await freshDatabase();
  const store = await openPostgresStore({ url, readConnections: 1, readTimeoutMs: 50 });
  await store.writer.write(PLATFORM, { posts: [post("p1")] });
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

test("where records are spread over machines, each is asked for at its own, and pages are the same", async () => {
  await together(1, async ([store], url) => {
    const ids = ["c", "a", "b"];
    await store.writer.write(PLATFORM, { posts: ids.map((id) => post(id, { soundId: "s" })) });
    // The extension itself is not at hand; that it is there is all that the reading side knows of it.
    await execute(
      url,
      "INSERT INTO pg_extension SELECT (oid::bigint + 1)::oid, 'citus', extowner, extnamespace, true, '1' FROM pg_extension LIMIT 1",
    );
    const spread = await openPostgresStore({ url });
    const [reader, other] = [spread.reader(PLATFORM), store.reader(PLATFORM)];
    assert.deepEqual(await reader.getPosts([...ids, "x", "c"]), await other.getPosts([...ids, "x", "c"]));
    const page = await reader.listPosts("sound", "s", { limit: 2 });
    assert.deepEqual(
      page.items.map(({ id }) => id),
      ["a", "b"],
    );
    assert.deepEqual(page, await other.listPosts("sound", "s", { limit: 2 }));
    await spread.close();
  });
});

test("damage is told table by table", async () => {
  await together(1, async ([store], url) => {
    await store.writer.write(PLATFORM, { posts: [post("p1")] });
    await execute(url, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'follows_newest'::regclass");
    assert.deepEqual(await store.verify(), ["the index follows_newest is not valid; REINDEX it"]);
  });
});

test("erasure ends with the tables cleaned up", async () => {
  await together(1, async ([store], url) => {
    await store.writer.write(PLATFORM, {
      accounts: [account("1")],
      posts: [post("p1", { text: "quokka" }), post("p2")],
    });
    await Promise.all(["p1", "p2"].map((id) => store.writer.erase(PLATFORM, "post", id)));
    await store.writer.erase(PLATFORM, "account", "1");
    // Nothing is left to clean: a table that had rows only of the erased gave all its pages back.
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
  await assert.rejects(openPostgresStore({ url, connectTimeoutMs: 3_000 }), (error: unknown) => {
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
  await refused(at(USER, "wrong", server, "postgres"), /refused user and password/);
  await refused(at("nobody", "wrong", server, "postgres"), /refused user and password/);
  await refused(at(USER, PASSWORD, server, "absent"), /PostgreSQL at 127\.0\.0\.1:\d+\/absent has no such database/);
  await refused(at(USER, PASSWORD, "127.0.0.1:1", "postgres"), /does not answer; check that it runs/);
  await refused("mysql://u:wrong@host/db", /no address of a database/);
  await refused("no address: wrong", /no address of a database/);
});

test("a database of another program, another version or another encoding is refused in one sentence", async () => {
  const { url, drop } = await freshDatabase();
  await execute(url, "CREATE TABLE somebody (id text)");
  await refused(url, /has tables of another program \(somebody\)/);
  await execute(url, "DROP TABLE somebody");
  await (await openPostgresStore({ url })).close();
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

test("a user who may not make tables is told so", async () => {
  const { url, drop } = await freshDatabase();
  await execute(url, "CREATE USER guest PASSWORD 'wrong to tell'");
  await refused(url.replace(/\/\/.*@/, "//guest:wrong%20to%20tell@"), /does not let this user make tables/);
  await drop();
});
