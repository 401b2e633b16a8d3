/** Writers side by side, each with a store of its own, as processes have: they overlap, and none undoes another's work. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import * as fc from "fast-check";
import { Client } from "pg";
import { blankRecord } from "#domain/blank-record.ts";
import type { Counters } from "#domain/record.ts";
import { propertyBudget, TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { account, comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { until } from "#testing/until.ts";
import { freshStoreDatabase } from "#tests/postgres/databases.ts";
import { replace, toChanges, toUnit } from "./batch-changes.ts";
import type { Store } from "#store/store.ts";
import type { Batch, Merge, WriteCounts } from "./port.ts";
import { Database } from "#store/postgres/database.ts";
import { openPostgresStore } from "#store/postgres/store.ts";

interface World {
  stores: [Store, Store, Store];
  /** A connection beside them. */
  client: Client;
}

async function openWorld(t: TestContext): Promise<World> {
  const { url, drop } = await freshStoreDatabase();
  const open = () => openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
  const stores: World["stores"] = [await open(), await open(), await open()];
  const client = new Client(url);
  await client.connect();
  t.after(async () => {
    await client.end();
    for (const store of stores) await store.close();
    await drop();
  });
  return { stores, client };
}

async function apply(store: Store, batch: Batch, merge: Merge = replace): Promise<WriteCounts> {
  const [counts = {}] = await store.writer.write([{ changes: [toChanges(PLATFORM, batch)], merge }]);
  return counts;
}

/** Locks a record until the transaction of the client ends, so that the writer of a batch with it waits at its end. */
async function lockRecord(client: Client, id: string): Promise<void> {
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM records WHERE id = $1 FOR UPDATE", [id]);
}

/** Resolves when this many transactions wait for a lock. */
async function untilWaiting(client: Client, count: number): Promise<void> {
  await until(async () => {
    // A transaction sees the connections of its first look otherwise.
    await client.query("SELECT pg_stat_clear_snapshot()");
    const { rows } = await client.query<{ waiting: number }>(
      `SELECT count(DISTINCT pid)::int AS waiting FROM pg_locks
       WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
    );
    return rows[0]?.waiting === count;
  });
}

test("an import commits while the transaction of another is open", async (t) => {
  const { stores, client } = await openWorld(t);
  const [one, two] = stores;
  await one.writer.write([toUnit(PLATFORM, { accounts: [account("shared")], posts: [post("p0", { text: "tea" })] })]);
  await lockRecord(client, "shared");
  const batch = (number: number): Batch => ({
    accounts: [account(`a${number}`)],
    posts: [post(`p${number}`, { text: "tea house", hashtags: ["tea"], counters: { views: number } })],
    comments: [comment(`c${number}`, { text: "tea" })],
    follows: [{ accountId: "shared", followerId: `a${number}`, since: SECOND, capturedAt: NOW, source: "test" }],
  });
  const open = apply(one, {
    ...batch(1),
    accounts: [account("a1"), account("shared", { bio: "new", capturedAt: NOW + 1 })],
  });
  await untilWaiting(client, 1);
  assert.deepEqual((await apply(two, batch(2))).post, { new: 1, updated: 0, unchanged: 0, erased: 0 });
  assert.equal(await two.reader(PLATFORM).getPost("p1"), null);
  const found = await two.reader(PLATFORM).searchPosts({ text: "house", offset: 0, limit: 5, now: SECOND });
  assert.deepEqual(
    found.items.map(({ id }) => id),
    ["p2"],
  );
  await client.query("COMMIT");
  assert.deepEqual((await open).account, { new: 1, updated: 1, unchanged: 0, erased: 0 });
  assert.equal((await two.reader(PLATFORM).getPost("p1"))?.id, "p1");
});

test("each page of a search has what was there at the first, although an earlier transaction commits meanwhile", async (t) => {
  const { stores, client } = await openWorld(t);
  const [one, two] = stores;
  const ids = (from: string, count: number) => Array.from({ length: count }, (_, number) => `${from}${number}`);
  const posts = (all: readonly string[]) => all.map((id) => post(id, { text: "tea", counters: { views: id.length } }));
  await one.writer.write([toUnit(PLATFORM, { accounts: [account("shared")], posts: posts(ids("first", 12)) })]);
  await lockRecord(client, "shared");
  const open = apply(one, { accounts: [account("shared", { bio: "new" })], posts: posts(ids("late", 12)) });
  await untilWaiting(client, 1);
  await apply(two, { posts: posts(ids("second", 12)) });

  const reader = two.reader(PLATFORM);
  const seen: string[] = [];
  const request: Parameters<typeof reader.searchPosts>[0] = { text: "tea", offset: 0, limit: 5, now: SECOND };
  for (;;) {
    const page = await reader.searchPosts(request);
    seen.push(...page.items.map(({ id }) => id));
    if (page.next === undefined) break;
    Object.assign(request, { offset: page.next, state: page.state });
    await client.query("COMMIT");
    await open;
    await apply(one, { posts: posts([`newcomer${seen.length}`]) });
  }
  assert.equal(new Set(seen).size, seen.length, "none comes twice");
  const visible = [...ids("first", 12), ...ids("second", 12)];
  assert.deepEqual(
    visible.filter((id) => !seen.includes(id)),
    [],
  );
  assert.ok(!seen.some((id) => id.startsWith("newcomer")), "what was written after the first page is left out");
});

test("an erasure waits for an import that is under way, and leaves nothing of it", async (t) => {
  const { stores, client } = await openWorld(t);
  const [one, two] = stores;
  const theirs: Batch = {
    accounts: [account("victim")],
    posts: [post("v1", { authorId: "victim", text: "secret words" })],
    comments: [comment("vc", { postId: "elsewhere", authorId: "victim", text: "secret" })],
  };
  await one.writer.write([toUnit(PLATFORM, { accounts: [account("shared")] })]);
  await lockRecord(client, "shared");
  const importing = apply(one, {
    ...theirs,
    accounts: [account("victim"), account("shared", { bio: "new", capturedAt: NOW + 1 })],
  });
  await untilWaiting(client, 1);
  const erasing = two.writer.erase(PLATFORM, "account", "victim");
  await untilWaiting(client, 2);
  await client.query("COMMIT");
  assert.equal((await importing).post?.new, 1);
  await erasing;
  const { rows } = await client.query<{ found: number }>(
    `SELECT (SELECT count(*) FROM records WHERE id IN ('victim', 'v1')) + (SELECT count(*) FROM comments)
       + (SELECT count(*) FROM search_docs WHERE author = 'victim') + (SELECT count(*) FROM search_pending)
       + (SELECT count(*) FROM search_words WHERE word LIKE 'secret%') AS found`,
  );
  assert.equal(Number(rows[0]?.found), 0);
  const { account: accounts, post: posts, comment: comments } = await apply(one, theirs);
  assert.deepEqual([accounts?.erased, posts?.erased, comments?.erased], [1, 1, 1]);
});

test("an import that starts during an erasure waits for it and skips the erased", async (t) => {
  const { stores, client } = await openWorld(t);
  const [one, two] = stores;
  const theirs: Batch = { accounts: [account("victim")], posts: [post("v1", { authorId: "victim" })] };
  await one.writer.write([toUnit(PLATFORM, theirs)]);
  await lockRecord(client, "victim");
  const erasing = one.writer.erase(PLATFORM, "account", "victim");
  await untilWaiting(client, 1);
  const importing = apply(two, { ...theirs, posts: [post("v2", { authorId: "victim" })] });
  await untilWaiting(client, 2);
  await client.query("COMMIT");
  await erasing;
  const counts = await importing;
  assert.deepEqual([counts.account?.erased, counts.post?.erased], [1, 1]);
  assert.equal(await two.reader(PLATFORM).getPost("v2"), null);
});

test("an import that learns the id of an erased person waits for others, and leaves nothing that they wrote", async (t) => {
  const { stores, client } = await openWorld(t);
  const [one, two, three] = stores;
  await one.writer.write([
    toUnit(PLATFORM, { accounts: [account("shared")], posts: [post("p0")], comments: [comment("c0")] }),
  ]);
  await three.writer.erase(PLATFORM, "account", "@nina_berg");
  await lockRecord(client, "shared");
  const unaware = apply(one, {
    accounts: [account("shared", { bio: "new", capturedAt: NOW + 1 })],
    posts: [post("p2", { authorId: "42" })],
    comments: [comment("c1", { postId: "p1", authorId: "9" })],
  });
  await untilWaiting(client, 1);
  const learning = apply(two, {
    accounts: [account("42", { name: "nina_berg" })],
    posts: [post("p1", { authorId: "42" })],
  });
  await untilWaiting(client, 2);
  await client.query("COMMIT");
  await Promise.all([unaware, learning]);
  const reader = three.reader(PLATFORM);
  for (const id of ["p1", "p2"]) assert.equal(await reader.getPost(id), null, id);
  assert.equal((await reader.countComments("p1")).comments, 0);
});

test("imports that leave the same record as it is at the same time are all remembered", async (t) => {
  const { stores, client } = await openWorld(t);
  const importAs = async (store: Store, jobId: string) => {
    const times = { createdAt: NOW, updatedAt: NOW };
    const job = { id: jobId, fingerprint: jobId, origin: "command" as const, label: jobId, state: "running" as const };
    await store.jobs.startJob({ ...job, ...times, owner: "test" });
    const report = { formats: {}, records: {}, refused: {}, skipped: {} };
    const file = { jobId, name: jobId, fingerprint: "1:1", state: "running" as const, position: 1, report };
    const changes = [toChanges(PLATFORM, { accounts: [account("a")] })];
    const keepStored: Merge = (_kind, stored) => stored;
    await store.writer.write([
      { changes: changes, merge: keepStored, checkpoint: () => ({ file, rejects: [], restarted: false }) },
    ]);
  };
  await importAs(stores[0], "first");
  await client.query("BEGIN; LOCK TABLE job_records IN SHARE ROW EXCLUSIVE MODE");
  const both = Promise.all([importAs(stores[1], "second"), importAs(stores[2], "third")]);
  await untilWaiting(client, 2);
  await client.query("COMMIT");
  await both;
  const { rows } = await client.query<{ job_id: string }>("SELECT job_id FROM job_records ORDER BY job_id");
  assert.deepEqual(
    rows.map((row) => row.job_id),
    ["first", "second", "third"],
  );
});

test("a writer that waited for another adds its counters to the history as the other left it", async (t) => {
  const { stores, client } = await openWorld(t);
  const [store] = stores;
  const keep: Merge = (_kind, stored) => stored;
  for (const [id, merge] of [["a", replace] as const, ["b", keep] as const]) {
    const captured = (seconds: number, counters: Counters) =>
      account(id, { capturedAt: NOW + seconds * 1_000, counters });
    await store.writer.write([toUnit(PLATFORM, { accounts: [captured(0, { views: 10 })] })]);
    await client.query("BEGIN");
    await client.query("UPDATE records SET version = version + 1 WHERE id = $1", [id]);
    await client.query(
      "INSERT INTO counter_points (id, platform, kind, captured_at, counters) VALUES ($1, $2, 'account', $3, $4)",
      [id, PLATFORM, NOW + 1_000, JSON.stringify({ likes: 3 })],
    );
    const waiting = apply(store, { accounts: [captured(1, { views: 20 })] }, merge);
    await untilWaiting(client, 1);
    await client.query("COMMIT");
    await waiting;
    assert.deepEqual(await store.reader(PLATFORM).listCounters("account", id), [
      { capturedAt: NOW, counters: { views: 10 } },
      { capturedAt: NOW + 1_000, counters: { likes: 3, views: 20 } },
    ]);
  }
});

test("writers that name the same records in another order do not deadlock", async (t) => {
  const { stores, client } = await openWorld(t);
  const [one, other] = stores;
  const accounts = (bio: string) => ["a", "b", "c"].map((id) => account(id, { bio }));
  await apply(one, { accounts: accounts("") });
  await lockRecord(client, "b");
  const { mock } = t.mock.method(Database.prototype, "transaction");
  const both = Promise.all([
    apply(one, { accounts: accounts("one") }),
    apply(other, { accounts: accounts("other").toReversed() }),
  ]);
  await untilWaiting(client, 2);
  await client.query("COMMIT");
  await both;
  // A writer begins again after a deadlock: only its transaction fails.
  const outcomes = await Promise.allSettled(mock.calls.map(async ({ result }) => result));
  assert.deepEqual(
    outcomes.filter(({ status }) => status === "rejected"),
    [],
  );
});

/** Every table that imports write, without what depends on the order of writers: versions and document numbers. */
const STATE = [
  "SELECT id, platform, kind, header, native, captured_at, source FROM records",
  "SELECT * FROM account_names",
  "SELECT * FROM post_lists",
  "SELECT post_id, platform, id, author_id, at, likes, header, native, captured_at, source FROM comments",
  "SELECT account_id, platform, follower_id, at, since, captured_at, source FROM follows",
  "SELECT post_id, platform, language, automatic, lines, captured_at, source FROM subtitles",
  "SELECT chart, day, rank, platform, post_id, captured_at, source FROM chart_entries",
  "SELECT * FROM counter_points",
  `SELECT id, platform, kind, sort_key / ${2 ** 40} AS rank, at, views, likes, author, title, tags, text, tokens FROM search_docs`,
  "SELECT * FROM search_words",
  "SELECT * FROM search_pending",
];

const TABLES = STATE.map((query) => / FROM (\w+)$/.exec(query)?.[1]);

async function readState(client: Client): Promise<unknown[]> {
  const state: unknown[] = [];
  for (const query of STATE) {
    const { rows } = await client.query<object>(query);
    state.push(rows.map((row) => JSON.stringify(row)).toSorted());
  }
  const { rows } = await client.query<{ docs: number; numbers: number }>(
    "SELECT count(*) AS docs, count(DISTINCT doc) AS numbers FROM search_docs",
  );
  assert.equal(rows[0]?.docs, rows[0]?.numbers, "each document has a number of its own");
  return state;
}

const IDS = ["a", "b", "c", "d"];
const WORDS = ["tea", "milk", "rain", "night market"];

interface Capture {
  what: "account" | "post" | "comment" | "follow" | "subtitles" | "chart" | "hashtag";
  id: number;
  other: number;
}

const capture: fc.Arbitrary<Capture> = fc.record({
  what: fc.constantFrom("account", "post", "post", "comment", "follow", "subtitles", "chart", "hashtag"),
  id: fc.nat(IDS.length - 1),
  other: fc.nat(IDS.length - 1),
});

/** Every capture has a time and counters of its own, so that the result does not depend on the order of writers. */
function toBatch(captures: readonly Capture[], first: number): Batch {
  const batch = {
    accounts: [] as NonNullable<Batch["accounts"]>,
    posts: [] as NonNullable<Batch["posts"]>,
    comments: [] as NonNullable<Batch["comments"]>,
    hashtags: [] as NonNullable<Batch["hashtags"]>,
    follows: [] as NonNullable<Batch["follows"]>,
    subtitles: [] as NonNullable<Batch["subtitles"]>,
    chartEntries: [] as NonNullable<Batch["chartEntries"]>,
  };
  for (const [index, { what, id: at, other: otherAt }] of captures.entries()) {
    const number = ((first + index) * 7_919) % 10_007;
    const captured = { capturedAt: NOW + number, source: `source ${number}` };
    const [id, other, text] = [IDS[at] as string, IDS[otherAt] as string, WORDS[otherAt] as string];
    const record = { ...captured, native: { notes: [number] }, counters: { views: number, likes: number } };
    if (what === "account") batch.accounts.push(account(id, { ...record, name: at < 2 ? "same" : id, bio: text }));
    if (what === "post") batch.posts.push(post(id, { ...record, authorId: other, text, hashtags: [text] }));
    if (what === "comment") batch.comments.push(comment(id, { ...record, postId: other, text }));
    if (what === "hashtag") batch.hashtags.push({ ...blankRecord("hashtag"), ...record, id, name: id });
    if (what === "follow") batch.follows.push({ accountId: id, followerId: other, since: SECOND, ...captured });
    if (what === "subtitles") {
      const lines = [{ startS: 0, durationS: 1, text: `${text} ${number}` }];
      batch.subtitles.push({ postId: id, language: "en", automatic: false, lines, ...captured });
    }
    if (what === "chart") {
      batch.chartEntries.push({
        country: "US",
        section: "now",
        day: "2026-11-15",
        rank: at + 1,
        postId: `${number}`,
        ...captured,
      });
    }
  }
  return batch;
}

/** The newest capture, with the notes of all. */
const mergeNotes: Merge = (_kind, stored, incoming) => {
  const newer = stored.capturedAt <= incoming.capturedAt ? incoming : stored;
  const notes = [stored, incoming].flatMap((record) => (record.native as { notes: number[] }).notes);
  return { ...newer, native: { notes: [...new Set(notes)].toSorted((a, b) => a - b) } };
};

function sumOf(counts: readonly WriteCounts[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const all of counts) {
    for (const [kind, results] of Object.entries(all)) {
      for (const [result, count] of Object.entries(results)) {
        if (result === "new") sums[`new ${kind}`] = (sums[`new ${kind}`] ?? 0) + count;
        sums[kind] = (sums[kind] ?? 0) + count;
      }
    }
  }
  return sums;
}

test("writers of overlapping records lose no merge, no counter point, no name, no word and no count", async (t) => {
  const together = await openWorld(t);
  const inTurn = await openWorld(t);
  // Search partitions are numbered as they are created.
  const oneOfEach = (["account", "post", "comment", "follow", "subtitles", "chart", "hashtag"] as const).map(
    (what) => ({
      what,
      id: 0,
      other: 0,
    }),
  );
  for (const { stores } of [together, inTurn]) await apply(stores[0], toBatch(oneOfEach, 5_000), mergeNotes);
  const writers = fc.array(
    fc.array(fc.array(capture, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
    {
      minLength: 3,
      maxLength: 3,
    },
  );
  await fc.assert(
    fc.asyncProperty(writers, async (lists) => {
      let first = 0;
      const batches = lists.map((list) =>
        list.map((captures) => {
          const batch = toBatch(captures, first);
          first += captures.length;
          return batch;
        }),
      );
      const counts = await Promise.all(
        batches.map(async (list, number) => {
          const own: WriteCounts[] = [];
          for (const batch of list) own.push(await apply(together.stores[number] as Store, batch, mergeNotes));
          return own;
        }),
      );
      const expected: WriteCounts[] = [];
      for (const batch of batches.flat()) expected.push(await apply(inTurn.stores[0], batch, mergeNotes));
      assert.deepEqual(sumOf(counts.flat()), sumOf(expected));
      assert.deepEqual(await readState(together.client), await readState(inTurn.client));
      for (const { client } of [together, inTurn]) await client.query(`TRUNCATE ${TABLES.join(", ")}`);
    }),
    propertyBudget(40),
  );
});
