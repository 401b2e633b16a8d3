/** Conformance of whole tables: read at one moment, and filled into any other store. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { replace, toChanges, toUnit } from "#store/write/batch-changes.ts";
import { account, comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import type { Store } from "#store/store.ts";
import { StoreNotEmpty, TABLE_NAMES, type TableName, type TableReader, type TableRow } from "./port.ts";
import type { Batch } from "#store/write/port.ts";
import type { OpenStore } from "#store/sql/open-store.conformance.ts";
import { allTrends } from "#store/trends/conformance.ts";
import { WATCH } from "#store/watches/conformance.ts";

const captured = { capturedAt: NOW, source: "file\u0000" };
const NOTHING = { counters: {}, native: {}, ...captured };

/** Posts with equal search scores, so that only the order of insertion decides. */
const tied = Array.from({ length: 9 }, (_, index) =>
  post(`e${(index * 5) % 9}`, { text: "an equal lantern", publishedAt: SECOND }),
);

const WORLD: Batch = {
  accounts: [
    account("1", { name: "ada", bio: "tea \u0001 and \u0000 more" }),
    account("2", { name: "bo b", native: { deep: ["💡", null, 0.1] } }),
    account("é", { name: "Ádá", capturedAt: NOW - 1 }),
  ],
  posts: [
    ...tied,
    post("p1", { text: "tea house", hashtags: ["Tea", "x\u0000y"], taggedIds: ["2"], soundId: "s", placeId: "l" }),
    post("nul\u0000l", { text: "quiet", publishedAt: null, counters: { views: 7 } }),
  ],
  comments: [
    comment("c1", { text: "first tea", counters: { likes: 3 } }),
    comment("c2", { parentId: "c1", authorId: "2" }),
    comment("c1", { postId: "nul\u0000l", text: "the same id elsewhere" }),
  ],
  sounds: [{ id: "s", title: "Rain", artistName: null, artistId: null, durationS: 3, ...NOTHING }],
  hashtags: [{ id: "tea", name: "Tea", platformId: null, ...NOTHING }],
  places: [{ id: "l", name: "Square", latitude: 1.5, longitude: 2, address: null, city: null, ...NOTHING }],
  subtitles: [true, false].map((automatic) => ({
    postId: "p1",
    language: "en",
    automatic,
    lines: [{ startS: 0, durationS: 1.5, text: "spoken lantern" }],
    ...captured,
  })),
  follows: [
    { accountId: "1", followerId: "2", since: null, ...captured },
    { accountId: "2", followerId: "é", since: SECOND, ...captured },
  ],
  chartEntries: [
    { country: "US", section: "now", day: "2026-11-15", rank: 1, postId: "p1", ...captured },
    { country: "a/b%2F", section: "c/d", day: "2026-11-15", rank: 3, postId: "e1", ...captured },
  ],
  history: [
    {
      kind: "post",
      id: "p1",
      points: [1, 2, 3].map((days) => ({ capturedAt: NOW - days * 86_400_000, counters: { views: 100 - days } })),
    },
    { kind: "post", id: "not.stored", points: [{ capturedAt: NOW, counters: { views: 1 } }] },
  ],
};

async function fill({ writer, tokens, jobs, retention, watches }: Store): Promise<void> {
  await writer.write([toUnit(PLATFORM, WORLD)]);
  // A name that its account gave up belongs to nobody, even if another account was seen under it earlier.
  await writer.write([
    toUnit(PLATFORM, {
      accounts: [account("3", { name: "star" }), account("4", { name: "star", capturedAt: 5 })],
    }),
  ]);
  await writer.write([toUnit(PLATFORM, { accounts: [account("3", { name: "moon", capturedAt: NOW + 1 })] })]);
  // A follow without a date is dated by the capture that first showed it.
  await writer.write([
    toUnit(PLATFORM, {
      follows: [{ accountId: "1", followerId: "2", since: null, capturedAt: NOW + 9_000, source: "later" }],
    }),
  ]);
  await writer.write([
    toUnit("photoshare", { posts: [post("p1", { text: "tea elsewhere" })], accounts: [account("9")] }),
  ]);
  await writer.write([
    toUnit(PLATFORM, { posts: [post("gone", { authorId: "8" }), post("p2", { taggedIds: ["8"] })] }),
  ]);
  await writer.erase(PLATFORM, "account", "8");
  await retention.write({ source: "test", kind: "", days: null });
  const token = {
    digest: "d",
    label: "l",
    scopes: ["read"],
    createdAt: 1,
    expiresAt: null,
    revokedAt: null,
    limits: {},
  };
  await tokens.writeToken({ ...token, keyId: "b", replacedBy: null });
  // Its key sorts before that of its replacement.
  await tokens.writeToken({ ...token, keyId: "a", replacedBy: "b" });
  const job = { id: "j", fingerprint: "f", origin: "command" as const, label: "a job", state: "done" as const };
  await jobs.writeJob({ ...job, createdAt: 1, updatedAt: 2, owner: "host:1" });
  await watches.addWatch({ ...WATCH, target: "nul\u0000l" });
  const report = { formats: { x: 1 }, records: {}, refused: {}, skipped: {} };
  await jobs.writeJobFile({ jobId: "j", name: "z.json", fingerprint: "s", state: "done", position: 3, report });
  // One of them is new, of the others the store keeps what they were.
  const imported = { ...WORLD, posts: [post("p1", { text: "tea room" }), post("new")], history: [] };
  await writer.write([
    {
      changes: [toChanges(PLATFORM, imported)],
      merge: replace,
      checkpoint: () => ({
        file: { jobId: "j", name: "a.json", fingerprint: "s", state: "done", position: 4, report },
        rejects: [
          { file: "a.json", line: null, reason: "broken" },
          { file: "a.json", line: 7, reason: "broken" },
        ],
        restarted: false,
      }),
    },
  ]);
  await writer.refreshTrends();
}

async function rowsOf(reader: TableReader, table: TableName): Promise<TableRow[]> {
  return (await Array.fromAsync(reader.read(table))).flat();
}

/** In the order they were read. */
function allRows({ tables }: Store): Promise<Record<string, TableRow[]>> {
  return tables.snapshot(async (reader) => {
    const rows: Record<string, TableRow[]> = {};
    for (const table of TABLE_NAMES) rows[table] = await rowsOf(reader, table);
    return rows;
  });
}

/** In small batches. Returns the rows that were skipped. */
async function copy(source: Store, target: Store): Promise<TableRow[]> {
  const skipped = await source.tables.snapshot((reader) =>
    target.tables.fill(async (writer) => {
      const left: TableRow[] = [];
      for (const table of TABLE_NAMES) {
        const rows = await rowsOf(reader, table);
        while (rows.length > 0) left.push(...(await writer.write({ table, rows: rows.splice(0, 2) })).skipped);
      }
      return left;
    }),
  );
  await target.writer.refreshTrends();
  return skipped;
}

/** The derived data, as readers see it. */
async function derived(store: Store): Promise<unknown[]> {
  const reader = store.reader(PLATFORM);
  const page = { limit: 50 };
  const lists = [
    ["author", "1"],
    ["tagged", "2"],
    ["tagged", "8"],
    ["hashtag", "tea"],
    ["sound", "s"],
  ] as const;
  const kinds = ["post", "account", "comment", "subtitle", "sound", "hashtag", "place"] as const;
  const hits = [];
  for (const text of ["lantern", "tea", "first", "rain", "ada"]) {
    for (const kind of kinds) {
      const found = await store.search({ sources: [{ platform: PLATFORM, kind }], text, limit: 50, now: SECOND });
      hits.push(found.hits.map(({ record, score }) => [record, score]));
    }
  }
  return [
    (await store.summary()).records,
    await Promise.all(lists.map(([list, key]) => reader.listPosts(list, key, page))),
    await Promise.all(["ada", "star", "moon", "bo b"].map((name) => reader.getAccountByName(name))),
    await reader.listComments("p1", "top", page),
    await reader.listFollowers("1", page),
    await reader.getChart("a/b%2F", "c/d"),
    await reader.getSubtitles("p1", "en"),
    await reader.searchNames({ text: "la", accounts: 5, hashtags: 5, places: 5, keywords: 5 }),
    hits,
    await allTrends(store),
    await store.tokens.listTokens(),
    await store.jobs.listJobFiles("j"),
  ];
}

export function tablesSuite(open: OpenStore, own: () => Store): void {
  async function withOther(work: (other: Store) => Promise<void>): Promise<void> {
    const { store, close } = await open(() => NOW);
    try {
      await work(store);
    } finally {
      await close();
    }
  }

  test("a store filled from another one has the same rows in the same order, and returns the same results", async () => {
    const source = own();
    await fill(source);
    await withOther(async (target) => {
      assert.deepEqual(await copy(source, target), []);
      const rows = await allRows(source);
      assert.deepEqual(await allRows(target), rows);
      for (const table of TABLE_NAMES) assert.notEqual(rows[table]?.length, 0, `${table} is tested without rows`);
      assert.deepEqual(await derived(target), await derived(source));
      assert.deepEqual(await target.verify(), []);
    });
  });

  test("a snapshot is the state of one moment, and writers do not wait for it", async () => {
    const store = own();
    await fill(store);
    const before = await allRows(store);
    await store.tables.snapshot(async (reader) => {
      assert.deepEqual(await rowsOf(reader, "erased"), before["erased"]);
      await store.writer.write([toUnit(PLATFORM, { posts: [post("late"), post("p1", { text: "changed" })] })]);
      await store.writer.erase(PLATFORM, "account", "2");
      for (const table of TABLE_NAMES) assert.deepEqual(await rowsOf(reader, table), before[table], table);
    });
    assert.notDeepEqual(await allRows(store), before);
  });

  test("records erased in the target stay erased", async () => {
    const source = own();
    await fill(source);
    await withOther(async (target) => {
      await target.writer.erase(PLATFORM, "account", "2");
      await target.writer.erase(PLATFORM, "post", "nul\u0000l");
      await target.writer.erase(PLATFORM, "comment", "c2");
      const skipped = await copy(source, target);
      const before = Object.values(await allRows(source)).flat().length;
      // The target's own: the ids, the name of the account that it has never seen, twice, and the key of its digests.
      assert.equal(Object.values(await allRows(target)).flat().length, before - skipped.length + 6);
      const reader = target.reader(PLATFORM);
      const accounts = await reader.getAccounts(["1", "2", "3"]);
      assert.deepEqual(
        accounts.map(({ id }) => id),
        ["1", "3"],
      );
      assert.equal(await reader.getAccountByName("bo b"), null);
      assert.equal(await reader.getPost("nul\u0000l"), null);
      assert.deepEqual(await reader.listCounters("post", "nul\u0000l"), []);
      assert.equal(await reader.countFollowers("1"), 0);
      assert.equal(await reader.countPosts("tagged", "2"), 0);
      const comments = (await allRows(target))["comments"] ?? [];
      assert.deepEqual(
        comments.map((row) => row.slice(1, 3)),
        [["p1", "c1"]],
      );
      await target.writer.write([toUnit(PLATFORM, { accounts: [account("2"), account("8")] })]);
      assert.deepEqual(await reader.getAccounts(["2", "8"]), [], "whichever of the stores erased them");
    });
  });

  test("filling is all or nothing, and only an empty store is filled", async () => {
    const source = own();
    await fill(source);
    await withOther(async (target) => {
      const failed = target.tables.fill(async (writer) => {
        for (const [table, rows] of Object.entries(await allRows(source))) {
          await writer.write({ table: table as TableName, rows });
        }
        throw new Error("cut off");
      });
      await assert.rejects(failed, /cut off/);
      assert.deepEqual(Object.values(await allRows(target)).flat(), []);
      const sources = [{ platform: PLATFORM, kind: "post" as const }];
      assert.deepEqual((await target.search({ sources, text: "tea", limit: 9, now: SECOND })).hits, []);
      await copy(source, target);
    });
    await assert.rejects(
      source.tables.fill(async () => undefined),
      (error) => error instanceof StoreNotEmpty && /not empty \(it has tokens\)/.test(error.message),
    );
  });

  test("compacting keeps every row and its order", async () => {
    const store = own();
    await fill(store);
    await store.writer.deleteSource("later");
    const before = [await allRows(store), await derived(store)];
    await store.compact();
    assert.deepEqual([await allRows(store), await derived(store)], before);
  });
}
