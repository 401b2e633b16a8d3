/** Conformance of table copies, from any store to any other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { replace } from "../batch-changes.ts";
import type { CopyTableName, CopyRow, CopyProgress } from "../table-copy.ts";
import { account, comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import type { Store } from "../store.ts";
import type { Batch } from "../writer.ts";
import type { OpenStore } from "./open-store.ts";
import { allTrends } from "./trends.ts";
import { StoreOpenError } from "../store-open-error.ts";

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

async function fill({ writer, tokens, jobs }: Store): Promise<void> {
  await writer.write(PLATFORM, WORLD);
  // A name that its account gave up belongs to nobody, even if another account was seen under it earlier.
  await writer.write(PLATFORM, {
    accounts: [account("3", { name: "star" }), account("4", { name: "star", capturedAt: 5 })],
  });
  await writer.write(PLATFORM, { accounts: [account("3", { name: "moon", capturedAt: NOW + 1 })] });
  // A follow without a date is dated by the capture that first showed it.
  await writer.write(PLATFORM, {
    follows: [{ accountId: "1", followerId: "2", since: null, capturedAt: NOW + 9_000, source: "later" }],
  });
  await writer.write("photoshare", { posts: [post("p1", { text: "tea elsewhere" })], accounts: [account("9")] });
  await writer.write(PLATFORM, { posts: [post("gone", { authorId: "8" }), post("p2", { taggedIds: ["8"] })] });
  await writer.erase(PLATFORM, "account", "8");
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
  const report = { formats: { x: 1 }, records: {}, refused: {}, skipped: {} };
  await jobs.writeJobFile({ jobId: "j", name: "z.json", fingerprint: "s", state: "done", position: 3, report });
  await writer.apply([], replace, () => ({
    file: { jobId: "j", name: "a.json", fingerprint: "s", state: "done", position: 4, report },
    rejects: [
      { file: "a.json", line: null, reason: "broken" },
      { file: "a.json", line: 7, reason: "broken" },
    ],
    restarted: false,
  }));
  await writer.refreshTrends();
}

async function rowsOf(
  { tableCopy }: Store,
  table: CopyTableName,
  order: "insertion" | "key",
  limit: number,
): Promise<string[]> {
  const rows: string[] = [];
  let pageToken: string | null = null;
  do {
    const page = await tableCopy.read(table, order, pageToken, limit);
    assert.ok(page.rows.length <= limit);
    rows.push(...page.rows.map((row) => JSON.stringify(row)));
    pageToken = page.nextPageToken;
  } while (pageToken !== null);
  return rows;
}

async function allRows(store: Store): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const { name } of store.tableCopy.tables) tables[name] = (await rowsOf(store, name, "key", 1_000)).toSorted();
  return tables;
}

function step(table: CopyTableName, fields: Partial<CopyProgress> = {}): CopyProgress {
  return { table, source: "elsewhere", pageToken: null, done: false, checksums: {}, ...fields };
}

/** In small batches, to have many steps. */
async function copy(source: Store, target: Store): Promise<void> {
  for (const { name } of source.tableCopy.tables) {
    let before: CopyProgress | null = null;
    do {
      const { rows, nextPageToken } = await source.tableCopy.read(
        name,
        "insertion",
        before?.pageToken ?? null,
        name === "tokens" ? 99 : 2,
      );
      const after: CopyProgress = step(name, { pageToken: nextPageToken, done: nextPageToken === null });
      await target.tableCopy.write(rows, after, before);
      before = after;
    } while (before.pageToken !== null);
  }
  await target.tableCopy.finish();
  await target.writer.refreshTrends();
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

export function tableCopySuite(open: OpenStore, own: () => Store): void {
  async function withOther(work: (other: Store) => Promise<void>): Promise<void> {
    const { store, close } = await open(() => NOW);
    try {
      await work(store);
    } finally {
      await close();
    }
  }

  test("a copied store has the same rows and returns the same results", async () => {
    const source = own();
    await fill(source);
    await withOther(async (target) => {
      assert.notEqual(await source.tableCopy.storeId(), await target.tableCopy.storeId());
      await copy(source, target);
      const rows = await allRows(source);
      assert.deepEqual(await allRows(target), rows);
      for (const { name } of source.tableCopy.tables) {
        assert.equal(await target.tableCopy.count(name), rows[name]?.length, name);
        assert.notEqual(rows[name]?.length, 0, `${name} is tested without rows`);
      }
      assert.deepEqual(await derived(target), await derived(source));
      assert.deepEqual(await target.verify(), []);
      // A copy of the copy would still have ties in the order of the original.
      assert.deepEqual(
        await rowsOf(target, "comments", "insertion", 2),
        await rowsOf(source, "comments", "insertion", 2),
      );
    });
  });

  test("pages of any size return each row once, in either order", async () => {
    const store = own();
    await fill(store);
    for (const { name } of store.tableCopy.tables) {
      const all = (await rowsOf(store, name, "key", 1_000)).toSorted();
      for (const limit of [1, 2, 3]) {
        assert.deepEqual((await rowsOf(store, name, "key", limit)).toSorted(), all, name);
        assert.deepEqual((await rowsOf(store, name, "insertion", limit)).toSorted(), all, name);
      }
    }
  });

  test("writing a copied row again changes nothing, and a changed row replaces the stored one", async () => {
    const store = own();
    await fill(store);
    const before = await derived(store);
    const rows = await allRows(store);
    for (const [name, texts] of Object.entries(rows)) {
      const copied = texts.map((text) => JSON.parse(text) as CopyRow);
      await store.tableCopy.write(copied, step(name as CopyTableName, { done: true }), null);
    }
    assert.deepEqual(await allRows(store), rows);
    assert.deepEqual(await derived(store), before);

    const changed = (rows["records"] ?? [])
      .filter((text) => text.startsWith('["shortvideo","post","p1"'))
      .map((text) => JSON.parse(text.replace("tea house", "cocoa").replaceAll("Tea", "Cocoa")) as CopyRow);
    assert.equal(changed.length, 1);
    await store.tableCopy.write(changed, step("records"), step("records", { done: true }));
    const reader = store.reader(PLATFORM);
    assert.equal((await reader.getPost("p1"))?.text, "cocoa");
    assert.equal(await reader.countPosts("hashtag", "tea"), 0);
    assert.equal(await reader.countPosts("hashtag", "cocoa"), 1);
    const search = async (text: string) =>
      (await store.search({ sources: [{ platform: PLATFORM, kind: "post" }], text, limit: 9, now: SECOND })).hits;
    assert.deepEqual(
      (await search("cocoa")).map(({ record }) => (record as { id: string }).id),
      ["p1"],
    );
    assert.equal((await search('"tea house"')).length, 0);
  });

  test("records erased in the target stay erased", async () => {
    const source = own();
    await fill(source);
    await withOther(async (target) => {
      await target.writer.erase(PLATFORM, "account", "2");
      await target.writer.erase(PLATFORM, "post", "nul\u0000l");
      await target.writer.erase(PLATFORM, "comment", "c2");
      await copy(source, target);
      const reader = target.reader(PLATFORM);
      assert.deepEqual(await reader.getAccounts(["1", "2", "3"]).then((accounts) => accounts.map(({ id }) => id)), [
        "1",
        "3",
      ]);
      assert.equal(await reader.getAccountByName("bo b"), null);
      assert.equal(await reader.getPost("nul\u0000l"), null);
      assert.deepEqual(await reader.listCounters("post", "nul\u0000l"), []);
      assert.equal(await reader.countFollowers("1"), 0);
      assert.equal(await reader.countPosts("tagged", "2"), 0);
      const comments = await rowsOf(target, "comments", "key", 9);
      assert.deepEqual(
        comments.map((text) => (JSON.parse(text) as CopyRow).slice(1, 3)),
        [["p1", "c1"]],
      );
    });
  });

  test("progress is written with its rows, and a concurrent copy is rejected", async () => {
    const { tableCopy } = own();
    assert.deepEqual(await tableCopy.progress(), []);
    const first = step("erased", { pageToken: "m", checksums: { "erased ids": { rows: 1, sum: "ff" } } });
    await tableCopy.write([[PLATFORM, "post", "x", 1]], first, null);
    assert.deepEqual(await tableCopy.progress(), [first]);
    for (const before of [null, step("erased", { pageToken: "other" })]) {
      await assert.rejects(tableCopy.write([[PLATFORM, "post", "y", 1]], step("erased"), before), StoreOpenError);
    }
    assert.equal(await tableCopy.count("erased"), 1);
    assert.deepEqual(await tableCopy.progress(), [first]);
    await tableCopy.finish();
    assert.deepEqual(await tableCopy.progress(), []);
  });
}
