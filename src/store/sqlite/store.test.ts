import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { perfCounters } from "#domain/perf-counters.ts";
import { account, comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { SAMPLE_PROJECTIONS } from "#store/rendered/conformance.ts";
import { storeSuite } from "#store/records/conformance.ts";
import { allTrends } from "#store/trends/conformance.ts";
import { refreshTrends } from "#store/trends/refresh.ts";
import { StoreOpenError } from "#store/sql/store-open-error.ts";
import { openForWriting } from "./database.ts";
import { FIRST_VERSION } from "./migrations.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "./store.ts";
import { createTrendTables } from "#store/trends/sqlite.ts";

function folder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "triptych-sqlite-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

storeSuite("SQLite", async (clock) => {
  const { path, remove } = folder();
  const store = openSqliteStore(path, "full", clock, SAMPLE_PROJECTIONS);
  return {
    store,
    async close() {
      await store.close();
      remove();
    },
  };
});

test("an erasure is previewed while another process writes", async () => {
  const { path, remove } = folder();
  const store = openSqliteStore(path);
  const other = new DatabaseSync(join(path, STORE_FILE));
  try {
    await store.writer.write([toUnit(PLATFORM, { accounts: [account("1")], posts: [post("p1")] })]);
    other.exec("BEGIN IMMEDIATE");
    for (const [kind, id] of [
      ["account", "1"],
      ["post", "p1"],
    ] as const)
      assert.equal((await store.writer.previewErasure(PLATFORM, kind, id)).post, 1);
  } finally {
    other.close();
    await store.close();
    remove();
  }
});

test("posts of a list, comments of a post and followers are counted once until something is written", async () => {
  const { path, remove } = folder();
  const store = openSqliteStore(path);
  const other = openSqliteStore(path);
  const reader = store.reader(PLATFORM);
  const count = async () => [
    await reader.countPosts("author", "1"),
    await reader.countComments("p1"),
    await reader.countFollowers("1"),
  ];
  const follow = (followerId: string) => ({ accountId: "1", followerId, since: null, capturedAt: NOW, source: "test" });
  try {
    await store.writer.write([
      toUnit(PLATFORM, {
        posts: [post("p1")],
        comments: [comment("c1", { counters: { likes: 2 } })],
        follows: [follow("2")],
      }),
    ]);
    const counts = [1, { comments: 1, replies: 0, likes: 2 }, 1];
    assert.deepEqual(await count(), counts);
    const { statements } = perfCounters;
    for (let time = 0; time < 20; time++) assert.deepEqual(await count(), counts);
    assert.ok(perfCounters.statements - statements < 20);
    await store.writer.write([toUnit(PLATFORM, { posts: [post("p2")], follows: [follow("3")] })]);
    assert.deepEqual(await count(), [2, { comments: 1, replies: 0, likes: 2 }, 2]);
    await other.writer.erase(PLATFORM, "post", "p1");
    assert.deepEqual(await count(), [1, { comments: 0, replies: 0, likes: 0 }, 2]);
  } finally {
    await store.close();
    await other.close();
    remove();
  }
});

test("a store that is damaged, of another program, or of a newer or unreleased version is refused in one sentence", async () => {
  const { path, remove } = folder();
  const file = join(path, STORE_FILE);
  const refusal = (pattern: RegExp) =>
    assert.throws(
      () => openSqliteStore(path),
      (error) => error instanceof StoreOpenError && pattern.test(error.message) && !error.message.includes("\n"),
    );
  writeFileSync(file, "this is not a database, whatever its name says ".repeat(100));
  refusal(/damaged or not a store/);
  rmSync(file);
  const other = new DatabaseSync(file);
  other.exec("CREATE TABLE other (id)");
  other.close();
  refusal(/another program/);
  rmSync(file);
  await openSqliteStore(path).close();
  const newer = new DatabaseSync(file);
  const { user_version: version } = newer.prepare("PRAGMA user_version").get() as { user_version: number };
  newer.exec(`PRAGMA user_version = ${version + 1}`);
  newer.close();
  refusal(/newer Triptych/);
  const unreleased = new DatabaseSync(file);
  unreleased.exec(`PRAGMA user_version = ${FIRST_VERSION - 1}`);
  unreleased.close();
  refusal(/unreleased Triptych .* create a new data directory and import again$/);
  remove();
});

test("what cannot be opened is left as it is", async () => {
  const { path, remove } = folder();
  const file = join(path, STORE_FILE);
  const store = openSqliteStore(path);
  await store.writer.write([toUnit("shortvideo", { posts: [post("p1")] })]);
  await store.close();
  const intact = readFileSync(file);
  // A migration replaces an index and fails after it.
  const unusable: [string, (db: DatabaseSync) => void][] = [
    ["newer", (db) => db.exec("PRAGMA user_version = 999")],
    ["older", (db) => db.exec(`DROP TABLE sqlite_stat1; PRAGMA user_version = ${FIRST_VERSION}`)],
  ];
  for (const [name, change] of unusable) {
    writeFileSync(file, intact);
    const db = new DatabaseSync(file);
    change(db);
    db.close();
    const before = readFileSync(file);
    assert.throws(() => openSqliteStore(path), StoreOpenError, name);
    assert.deepEqual(readdirSync(path), [STORE_FILE], name);
    assert.ok(readFileSync(file).equals(before), `the ${name} store was changed`);
  }
  const damaged = Buffer.from(intact).fill(0x5a, 100, 4_096);
  writeFileSync(file, damaged);
  assert.throws(() => openSqliteStore(path), /is damaged or not a store; restore a backup/);
  assert.ok(readFileSync(file).equals(damaged), "the damaged store was changed");
  remove();
});

test("another handle in the same process does not release the locks that keep the log from other processes", async () => {
  const { path, remove } = folder();
  const file = join(path, STORE_FILE);
  const store = openSqliteStore(path);
  await store.writer.write([toUnit("shortvideo", { posts: [post("p1")] })]);
  // As an import does in a thread.
  await openSqliteStore(path).close();
  const program = `const { DatabaseSync } = require("node:sqlite");
    const db = new DatabaseSync(${JSON.stringify(file)});
    db.prepare("SELECT count(*) FROM records").get();
    db.close();`;
  execFileSync(process.execPath, ["--no-warnings", "-e", program]);
  assert.ok(readdirSync(path).includes(`${STORE_FILE}-wal`), "another process deleted the log of an open store");
  await store.writer.write([toUnit("shortvideo", { posts: [post("p2")] })]);
  await store.close();
  const again = openSqliteStore(path);
  assert.equal((await again.summary()).records["shortvideo"]?.post, 2);
  await again.close();
  remove();
});

test("a data directory that is a file is refused", () => {
  const { path, remove } = folder();
  writeFileSync(join(path, "occupied"), "");
  assert.throws(() => openSqliteStore(join(path, "occupied")), StoreOpenError);
  remove();
});

test("a refresh that was killed between two lists leaves trends stale, and the next one completes them", async () => {
  const { path, remove } = folder();
  const store = openSqliteStore(path, "full", () => NOW);
  const posts = Array.from({ length: 30 }, (_, index) =>
    post(`p${index}`, {
      publishedAt: SECOND - index * 86_400,
      hashtags: [`h${index % 7}`, `h${index % 3}`],
      country: ["US", "ES", null][index % 3] as string | null,
      counters: { views: 100 + index },
    }),
  );
  await store.writer.write([toUnit("shortvideo", { posts })]);
  await store.writer.refreshTrends();
  const expected = await allTrends(store);
  await store.writer.write([toUnit("shortvideo", { posts: [post("late", { hashtags: ["h1"] })] })]);
  await store.writer.deleteSource("test");
  await store.writer.write([toUnit("shortvideo", { posts })]);
  const db = openForWriting(join(path, STORE_FILE), "full");
  const tables = createTrendTables(db);
  const kill = () => {
    throw new Error("killed");
  };
  const killed = { ...tables, finish: kill };
  await assert.rejects(refreshTrends(killed, NOW), /killed/);
  db.close();
  assert.equal(await store.hasStaleTrends(), true);
  await store.writer.refreshTrends();
  assert.deepEqual(await allTrends(store), expected);
  await store.close();
  remove();
});

test("an older refresh does not replace the lists of a newer one, and brings no erased post back", async () => {
  const { path, remove } = folder();
  const store = openSqliteStore(path, "full", () => NOW);
  const write = (id: string) =>
    store.writer.write([
      toUnit("shortvideo", { posts: [post(id, { publishedAt: SECOND - 86_400, counters: { views: 9 } })] }),
    ]);
  await write("first");
  const db = openForWriting(join(path, STORE_FILE), "full");
  const tables = createTrendTables(db);
  const older: typeof tables = {
    ...tables,
    async transaction(work) {
      await write("second");
      await store.writer.refreshTrends();
      await tables.transaction(work);
    },
  };
  await refreshTrends(older, NOW);
  assert.equal(await store.hasStaleTrends(), false);
  const list = async () => {
    const request = { country: null, days: 7, offset: 0, limit: 9 } as const;
    const { items, total } = await store.reader("shortvideo").listTrends("post", request);
    return [...items.map(({ item }) => item.id), total];
  };
  assert.deepEqual(await list(), ["first", "second", 2]);

  await write("third");
  const hasFirst = async () => (await store.reader("shortvideo").getPost("first")) !== null;
  const erasing: typeof tables = {
    ...tables,
    async transaction(work) {
      if (await hasFirst()) await store.writer.erase("shortvideo", "post", "first");
      await tables.transaction(work);
    },
  };
  await refreshTrends(erasing, NOW);
  assert.deepEqual(await list(), ["second", "third", 2]);
  db.close();
  await store.close();
  remove();
});

test("erased words leave no bytes in the files", async () => {
  const { path, remove } = folder();
  const store = openSqliteStore(path);
  await store.writer.write([
    toUnit("shortvideo", {
      accounts: [account("1", { name: "zanzibarina", displayName: "Zanzibarina", bio: "quokkasecret" })],
      posts: Array.from({ length: 40 }, (_, index) =>
        post(`p${index}`, {
          text: `quokkasecret number ${index}`,
          hashtags: ["quokkasecrettag"],
          native: { deep: "quokkasecret" },
        }),
      ),
    }),
  ]);
  await store.writer.refreshTrends();
  await store.writer.erase("shortvideo", "account", "1");
  assert.equal(await store.writer.purgeErased(), true);
  for (const name of readdirSync(path)) {
    const bytes = readFileSync(join(path, name));
    for (const word of ["quokkasecret", "zanzibarina"]) assert.ok(!bytes.includes(word), `${word} is still in ${name}`);
  }
  await store.close();
  remove();
});

test("reading a table gives others and its reader a turn where no row matches, and returns matching rows only", async () => {
  const { path, remove } = folder();
  const store = openSqliteStore(path);
  const ids = Array.from({ length: 4_000 }, (_, index) => `${index}`);
  const captured = { since: null, capturedAt: NOW, source: "test" };
  await store.writer.write([toUnit("photoshare", { accounts: [account("1")] })]);
  await store.writer.write([
    toUnit("shortvideo", {
      accounts: ids.map((id) => account(id)),
      follows: ids.map((followerId) => ({ accountId: "1", followerId, ...captured })),
    }),
  ]);
  const reads = [
    { table: "records", filter: { kind: "place" }, rows: 0 },
    { table: "records", filter: { platforms: ["photoshare"] }, rows: 1 },
    { table: "follows", filter: { platforms: ["photoshare"] }, rows: 0 },
  ] as const;
  for (const { table, filter, rows } of reads) {
    let turns = 0;
    let isReading = true;
    const takeTurn = () => {
      turns++;
      if (isReading) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);
    const batches = await store.tables.snapshot((reader) => Array.fromAsync(reader.read(table, filter)));
    isReading = false;
    assert.equal(batches.flat().length, rows);
    // Some thirty; chance decides after which rows.
    assert.ok(turns > 3, `${turns} turns in ${table}`);
    assert.ok(batches.length > 1, `${batches.length} batches of ${table}`);
  }
  await store.close();
  remove();
});
