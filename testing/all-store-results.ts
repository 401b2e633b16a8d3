/** For tests: the results of every read about some ids, to compare two stores. */
import type { Page, PageRequest } from "#domain/page.ts";
import type { RecordKind } from "#domain/record.ts";
import type { Reader } from "#store/store.ts";
import type { Store } from "#store/store.ts";
import { PLATFORM, SECOND } from "./sample-records.ts";

const LISTS = ["author", "sound", "hashtag", "tagged", "place"] as const;
const KINDS = ["account", "post", "comment", "hashtag", "sound", "place", "subtitle"] as const;
const QUERIES = ["tea", "te", "tee ", '"tea house"', "tea -night", "#räuber", "茶", "from:ada", "since:2026-11-15"];
const KEYS = ["Tea", "x\u0000y", "茶"];

export async function listAllResults(store: Store, ids: readonly string[]): Promise<unknown[]> {
  const reader = store.reader(PLATFORM);
  const results: unknown[] = [
    (await store.summary()).records,
    await store.isEmpty(),
    await store.hasErased(),
    await reader.hasProvisionalAccounts(),
    await reader.getAccounts(ids),
    await reader.getPosts(ids.toReversed()),
    await reader.getChart("US", "now"),
    await reader.getChart("US", "now", "2026-11-14"),
    await reader.listCharts({}),
    await Promise.all(["ada", "BO B", "nul\u0000"].map((name) => reader.getAccountByName(name))),
  ];
  for (const id of ids) results.push(await readsOfId(reader, id));
  for (const key of [...ids, ...KEYS]) {
    for (const list of LISTS) {
      results.push([
        await listPages((page) => reader.listPosts(list, key, page)),
        await reader.listPostKeysets(list, key, SECOND),
        await reader.listTopPosts(list, key, 3),
        await reader.countPosts(list, key),
      ]);
    }
  }
  for (const text of QUERIES) results.push(await searchAll(store, text));
  for (const kind of ["post", "hashtag"] as const) {
    const first = await reader.listTrends(kind, { country: null, days: 7, offset: 0, limit: 9 });
    const topic = await reader.listTrends(kind, { country: null, days: 30, offset: 0, limit: 2, topic: ["tea"] });
    // Each store computes its own.
    results.push({ ...first, computedAt: null }, { ...topic, computedAt: null });
  }
  return results;
}

async function readsOfId(reader: Reader, id: string): Promise<unknown> {
  return [
    await listPages((page) => reader.listComments(id, "newest", page)),
    await listPages((page) => reader.listComments(id, "top", page)),
    (await reader.listCommentKeysets(id, { at: SECOND })).toSorted(byId),
    (await reader.listCommentKeysets(id, { likes: 1 })).toSorted(byId),
    (await reader.listNearestCommentKeysets(id, { at: SECOND }, 99)).toSorted(byId),
    (await reader.listNearestCommentKeysets(id, { likes: 0 }, 99)).toSorted(byId),
    await reader.countComments(id),
    await listPages((page) => reader.listFollowers(id, page)),
    await reader.countFollowers(id),
    await listPages((page) => reader.listFollowing(id, page)),
    await listPages((page) => reader.listReplies(id, "parent", page)),
    await reader.listChartRanks(id, {}, 2),
    await reader.listSubtitleLanguages(id),
    await reader.getSubtitles(id, "en"),
    await Promise.all((["account", "post"] as RecordKind[]).map((kind) => reader.listCounters(kind, id))),
  ];
}

/** Every page, two items each. */
async function listPages<Item>(list: (page: PageRequest) => Promise<Page<Item>>): Promise<Page<Item>[]> {
  const pages: Page<Item>[] = [];
  for (let after: PageRequest["after"]; ;) {
    const page = await list({ limit: 2, after });
    pages.push(page);
    if (!page.more) return pages;
    after = page.last;
  }
}

async function searchAll(store: Store, text: string): Promise<unknown> {
  const reader = store.reader(PLATFORM);
  const request = { text, limit: 10, now: SECOND };
  const sources = KINDS.map((kind) => ({ platform: PLATFORM, kind }));
  return [
    await reader.searchPosts({ ...request, offset: 0, language: "en" }),
    await reader.searchNames({ text, accounts: 5, hashtags: 5, places: 5, keywords: 5 }),
    await store.search({ ...request, sources }),
    await Promise.all(sources.map((source) => store.search({ ...request, sources: [source] }))),
  ];
}

/** Stores return them in any order. */
function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1;
}
