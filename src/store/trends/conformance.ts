/** Conformance tests of rankings by growth. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { propertyBudget } from "#testing/budget.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import { exactCaptures } from "#domain/approximate.ts";
import type { CounterPoint } from "#domain/record.ts";
import { DAY_S, dayOf, startOfDay } from "#domain/time.ts";
import { rankingPending } from "#errors";
import { account, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { encodeRecord } from "#store/write/row-encoder.ts";
import type { Store } from "#store/store.ts";
import type { TrendKind, TrendRequest } from "./port.ts";
import type { OpenStore } from "#store/sql/open-store.conformance.ts";
import {
  countingGrowth,
  gainOf,
  type Growth,
  growthOf,
  sumsOn,
  PERIOD_INDEXES,
  type PeriodIndex,
  TREND_PERIODS,
  trendSeries,
} from "./growth.ts";

const FIRST: TrendRequest = { country: null, days: 7, offset: 0, limit: 50 };
const KINDS = ["post", "hashtag", "sound"] as const satisfies TrendKind[];
const COUNTRIES = ["ES", "US"];
const HASHTAGS = ["dawn", "dusk", "noon"];
const IDS = ["p1", "p2", "p3", "p4"];

interface World {
  store: Store;
  clock: { now: number };
}

/** Runs the work with a store of its own, at noon of a known day. */
async function inStore<Result>(open: OpenStore, work: (world: World) => Promise<Result>): Promise<Result> {
  const clock = { now: NOW };
  const { store, close } = await open(() => clock.now);
  try {
    return await work({ store, clock });
  } finally {
    await close();
  }
}

/** Captured views, each some days ago. */
function pointsOf(captures: [daysAgo: number, views: number][]): CounterPoint[] {
  return captures.map(([ago, views]) => ({ capturedAt: NOW - ago * DAY_S * 1000, counters: { views } }));
}

async function writePost(store: Store, record: Post, points: CounterPoint[]): Promise<void> {
  const newest = points.at(-1) as CounterPoint;
  const history = [{ kind: "post" as const, id: record.id, points }];
  await store.writer.write([toUnit(PLATFORM, { posts: [{ ...record, ...newest }], history })]);
}

interface Ranking {
  kind: TrendKind;
  country: string | null;
  days: number;
  total: number;
  day: number;
  items: object[];
}

/** Every ranking that a store can be asked for, with the ids of its items. */
export async function allTrends(store: Pick<Store, "reader">, asOf: TrendRequest["asOf"] = null): Promise<Ranking[]> {
  const rankings: Ranking[] = [];
  for (const kind of KINDS) {
    for (const country of [null, ...COUNTRIES]) {
      for (const days of TREND_PERIODS) {
        const {
          items,
          computedAt: _,
          newestCapture: __,
          ...page
        } = await store.reader(PLATFORM).listTrends(kind, { ...FIRST, country, days, asOf });
        rankings.push({
          kind,
          country,
          days,
          ...page,
          items: items.map((trend) => ({ ...trend, item: trend.item.id })),
        });
      }
    }
  }
  return rankings;
}

interface CountedPost {
  post: Post;
  growth: Growth;
}

/** The same, computed from the records in the plainest way. */
async function expectedTrends(
  { store, clock }: World,
  ids: readonly string[],
  today = dayOf(clock.now),
): Promise<Ranking[]> {
  const rows = await store.tables.snapshot(async (tables) =>
    (await Array.fromAsync(tables.read("counter_points"))).flat(),
  );
  const posts = (await store.reader(PLATFORM).getPosts(ids)).map((stored): CountedPost => {
    const captures = rows.flatMap(([platform, kind, id, capturedAt, counters]) =>
      platform === PLATFORM && kind === "post" && id === stored.id ? { capturedAt, counters } : [],
    );
    return { post: stored, growth: growthOf(PLATFORM, stored.publishedAt, exactCaptures(PLATFORM, captures)) };
  });
  return KINDS.flatMap((kind) =>
    [null, ...COUNTRIES].flatMap((country) => {
      const counted = posts.filter((one) => country === null || one.post.country === country);
      const groups = new Map<string, CountedPost[]>();
      for (const one of counted)
        for (const key of keysOf(kind, one.post)) groups.set(key, [...(groups.get(key) ?? []), one]);
      return PERIOD_INDEXES.map((index) => {
        const days = TREND_PERIODS[index];
        const items = expectedItems(kind, groups, today, index);
        return { kind, country, days, total: items.length, day: startOfDay(today) / 1000, items };
      });
    }),
  );
}

function keysOf(kind: TrendKind, { id, hashtags, soundId }: Post): string[] {
  if (kind === "post") return [id];
  return kind === "hashtag" ? [...new Set(hashtags.map(foldName))] : soundId === null ? [] : [soundId];
}

function expectedItems(
  kind: TrendKind,
  groups: Map<string, CountedPost[]>,
  today: number,
  index: PeriodIndex,
): object[] {
  const sums = ({ growth }: CountedPost) => sumsOn(today, growth);
  const measured = (one: CountedPost) => sums(one).measured[index];
  const estimated = (one: CountedPost) => (measured(one) > 0 ? 0 : sums(one).estimated[index]);
  const sumOf = (posts: CountedPost[], gain: (one: CountedPost) => number) =>
    posts.reduce((sum, one) => sum + gain(one), 0);
  const rankBy = (gain: (one: CountedPost) => number, keys = [...groups.keys()]) =>
    rank(keys.map((key) => [key, sumOf(groups.get(key) as CountedPost[], gain)]));
  const before = rankBy((one) => sums(one).before[index]).map(([key]) => key);
  const first = rankBy(measured);
  const rest = [...groups.keys()].filter((key) => !first.some(([other]) => other === key));
  return [...first, ...rankBy(estimated, rest)].map(([key, views], position) => {
    const isMeasured = position < first.length;
    const gain = isMeasured ? measured : estimated;
    const all = groups.get(key) as CountedPost[];
    const posts = all.filter((one) => gain(one) > 0);
    const days = new Map<number, number>();
    for (const { day, values } of all.flatMap(({ growth }) =>
      isMeasured ? (countingGrowth(today, growth)?.measured ?? []) : [],
    )) {
      // Posts that gained nothing for so long are not counted at all.
      if (day > today || day <= today - TREND_PERIODS[index]) continue;
      days.set(day, (days.get(day) ?? 0) + values[index]);
    }
    const top = all
      .map((one) => ({ id: one.post.id, ...gainOf(sums(one), index) }))
      .filter((one) => one.views > 0)
      .toSorted((a, b) => Number(b.measured) - Number(a.measured) || b.views - a.views || (a.id < b.id ? -1 : 1));
    const previousRank = before.includes(key) ? before.indexOf(key) + 1 : "new";
    return {
      item: key,
      rank: position + 1,
      previousRank: isMeasured && before.length > 0 ? previousRank : null,
      measured: isMeasured,
      views,
      posts: posts.length,
      series: trendSeries([...days].toSorted(([a], [b]) => a - b)),
      topPostIds: kind === "post" ? [key] : top.slice(0, 5).map(({ id }) => id),
    };
  });
}

function rank(gains: [key: string, views: number][]): [key: string, views: number][] {
  return gains.filter(([, views]) => views > 0).toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

const capture = fc.record({
  daysAgo: fc.integer({ min: -2, max: 260 }),
  second: fc.nat({ max: DAY_S - 1 }),
  counters: fc.oneof(
    fc.record({ views: fc.nat({ max: 500 }) }),
    fc.record({ likes: fc.nat({ max: 90 }), comments: fc.nat({ max: 90 }) }, { requiredKeys: [] }),
  ),
});

const somePost = fc.record({
  id: fc.constantFrom(...IDS),
  authorId: fc.constantFrom("1", "2"),
  publishedAt: fc.option(fc.integer({ min: SECOND - 300 * DAY_S, max: SECOND + DAY_S })),
  country: fc.constantFrom(null, ...COUNTRIES),
  hashtags: fc.subarray(HASHTAGS),
  soundId: fc.constantFrom(null, "s1", "s2"),
  source: fc.constantFrom("this", "that"),
});

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ write: somePost, captures: fc.array(capture, { minLength: 1, maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ days: fc.integer({ min: 100, max: 400 }) }) },
  { weight: 1, arbitrary: fc.record({ erase: fc.constantFrom(...IDS) }) },
  { weight: 1, arbitrary: fc.record({ eraseAuthor: fc.constant("2") }) },
  { weight: 1, arbitrary: fc.record({ deleteSource: fc.constantFrom("this", "that") }) },
  { weight: 2, arbitrary: fc.record({ refresh: fc.constant(true) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function captured(captures: readonly { daysAgo: number; second: number; counters: object }[]): CounterPoint[] {
  return captures.map(({ daysAgo, second, counters }) => ({
    capturedAt: NOW - (daysAgo * DAY_S + second) * 1000,
    counters: counters as CounterPoint["counters"],
  }));
}

async function take({ store, clock }: World, taken: Step): Promise<void> {
  if ("write" in taken) await writePost(store, post(taken.write.id, taken.write), captured(taken.captures));
  else if ("days" in taken) clock.now += taken.days * DAY_S * 1000;
  else if ("erase" in taken) await store.writer.erase(PLATFORM, "post", taken.erase);
  else if ("eraseAuthor" in taken) await store.writer.erase(PLATFORM, "account", taken.eraseAuthor);
  else if ("deleteSource" in taken) await store.writer.deleteSource(taken.deleteSource);
  else await store.writer.refreshTrends();
}

/** The posts that any ranking names, as an entry or as a top post. */
async function rankedPosts(store: Store): Promise<Set<string>> {
  const trends = await allTrends(store);
  return new Set(
    trends.flatMap(({ items }) => (items as { topPostIds: string[] }[]).flatMap((item) => item.topPostIds)),
  );
}

export function trendsSuite(open: OpenStore): void {
  test("trends rank by the gain of the period and compare with the period before", () =>
    inStore(open, async ({ store }) => {
      const published = { publishedAt: SECOND - 60 * DAY_S };
      const sunset = post("old", { ...published, hashtags: ["Sunset"], soundId: "s-sunset", country: "US" });
      const sunrise = post("hot", { ...published, hashtags: ["sunrise"], soundId: "s-sunrise", country: "ES" });
      await writePost(
        store,
        sunset,
        pointsOf([
          [14, 1000],
          [7, 9000],
          [0, 9100],
        ]),
      );
      await writePost(
        store,
        sunrise,
        pointsOf([
          [14, 10],
          [7, 20],
          [0, 5020],
        ]),
      );
      await store.writer.refreshTrends();
      const reader = store.reader(PLATFORM);
      const hashtags = await reader.listTrends("hashtag", FIRST);
      assert.deepEqual(
        hashtags.items.map(({ item, rank: place, previousRank, views, posts }) => [
          item.name,
          place,
          previousRank,
          views,
          posts,
        ]),
        [
          ["sunrise", 1, 2, 5000, 1],
          ["sunset", 2, 1, 100, 1],
        ],
      );
      assert.deepEqual([hashtags.total, hashtags.day], [2, SECOND - DAY_S / 2]);
      assert.deepEqual(hashtags.items[0]?.series, [{ at: hashtags.day, value: 5000 }]);
      assert.deepEqual(hashtags.items[0]?.topPostIds, ["hot"]);
      const sounds = await reader.listTrends("sound", FIRST);
      assert.deepEqual(
        sounds.items.map(({ item }) => item.id),
        ["s-sunrise", "s-sunset"],
      );
      const posts = await reader.listTrends("post", { ...FIRST, country: "US" });
      assert.deepEqual(
        posts.items.map(({ item, views }) => [item.id, views]),
        [["old", 100]],
      );
    }));

  test("a post captured once counts the part of its views that fell within the period", () =>
    inStore(open, async ({ store }) => {
      await writePost(store, post("year", { publishedAt: SECOND - 350 * DAY_S }), pointsOf([[0, 350_000]]));
      await writePost(store, post("day", { publishedAt: SECOND - DAY_S }), pointsOf([[0, 8000]]));
      await store.writer.refreshTrends();
      const { items } = await store.reader(PLATFORM).listTrends("post", FIRST);
      assert.deepEqual(
        items.map(({ item, views }) => [item.id, views]),
        [
          ["day", 8000],
          ["year", 7000],
        ],
      );
    }));

  test("measured gains come before estimates, which measuredOnly leaves out", () =>
    inStore(open, async ({ store }) => {
      const published = { publishedAt: SECOND - 7 * DAY_S };
      for (const [index, id] of ["a", "b", "c"].entries())
        await writePost(store, post(id, { ...published, hashtags: ["dawn", id] }), pointsOf([[0, 9000 + index]]));
      const seenTwice = pointsOf([
        [3, 10],
        [0, 40],
      ]);
      await writePost(store, post("d", { ...published, hashtags: ["dawn", "noon"] }), seenTwice);
      await writePost(store, post("e", { hashtags: ["dusk"] }), seenTwice);
      await store.writer.refreshTrends();
      const list = async (kind: TrendKind, request: Partial<TrendRequest>) => {
        const { items, total } = await store.reader(PLATFORM).listTrends(kind, { ...FIRST, ...request });
        return [items.map(({ item, rank: place, views, posts }) => `${place} ${item.id} ${views} ${posts}`), total];
      };
      assert.deepEqual(await list("post", {}), [["1 d 30 1", "2 e 30 1", "3 c 9002 1", "4 b 9001 1", "5 a 9000 1"], 5]);
      assert.deepEqual(await list("post", { measuredOnly: true }), [["1 d 30 1", "2 e 30 1"], 2]);
      assert.deepEqual(await list("post", { measuredOnly: true, offset: 1, limit: 1 }), [["2 e 30 1"], 2]);
      assert.deepEqual(await list("post", { measuredOnly: true, topic: ["dawn"] }), [["1 d 30 1"], 1]);
      assert.deepEqual((await list("hashtag", { limit: 3 }))[0], ["1 dawn 30 1", "2 dusk 30 1", "3 noon 30 1"]);
      const [dawn, , , estimate] = (await store.reader(PLATFORM).listTrends("hashtag", FIRST)).items;
      assert.deepEqual([dawn?.measured, dawn?.series.length, dawn?.previousRank], [true, 1, null]);
      assert.deepEqual([estimate?.measured, estimate?.series, estimate?.previousRank], [false, [], null]);
      await store.writer.erase(PLATFORM, "post", "d");
      assert.deepEqual(await list("post", { measuredOnly: true }), [["1 e 30 1"], 1]);
    }));

  test("rankings as of a day are those that were computed on it, for the last four days asked for", () =>
    inStore(open, async (world) => {
      const { store } = world;
      const today = dayOf(NOW);
      const ids = ["a", "b", "c"];
      for (const [index, id] of ids.entries())
        await writePost(
          store,
          post(id, { hashtags: ["dawn", id], soundId: "s1", country: "US" }),
          pointsOf([
            [40, 0],
            [32, 10 + index],
            [31, 50],
            [30 + index, 100 + index],
          ]),
        );
      const newest = () => store.reader(PLATFORM).listTrends("post", { ...FIRST, asOf: "newest" });
      const asOf = (ago: number) => allTrends(store, today - ago);
      await store.writer.refreshTrends();
      const empty = await store.reader(PLATFORM).listTrends("post", FIRST);
      assert.deepEqual([empty.items, empty.newestCapture], [[], NOW - 30 * DAY_S * 1000]);
      assert.equal((await newest().catch((error) => error)).message, rankingPending(today - 30).message);
      await store.writer.refreshTrends(today - 30);
      assert.deepEqual(await asOf(30), await expectedTrends(world, ids, today - 30));
      assert.equal((await newest()).total, 3);
      assert.deepEqual(await asOf(0), await allTrends(store), "today is the ranking of today");
      for (const ago of [31, 32, 33]) {
        world.clock.now += 1;
        await store.writer.refreshTrends(today - ago);
      }
      for (const ago of [30, 31, 32, 33])
        assert.deepEqual(await asOf(ago), await expectedTrends(world, ids, today - ago));
      world.clock.now += 1;
      await store.writer.refreshTrends(today - 34);
      await assert.rejects(asOf(30), { code: "ranking_pending" }, "the day computed first is dropped");
      assert.deepEqual(await asOf(33), await expectedTrends(world, ids, today - 33));
      await store.writer.erase(PLATFORM, "post", "b");
      const { items } = await store.reader(PLATFORM).listTrends("post", { ...FIRST, asOf: today - 31 });
      assert.ok(!items.some(({ item }) => item.id === "b"), "erased posts leave every ranking");
      await store.writer.refreshTrends();
      await assert.rejects(asOf(31), { code: "ranking_pending" }, "as current as those of today");
      await store.writer.refreshTrends(today - 31);
      assert.deepEqual(await asOf(31), await expectedTrends(world, ["a", "c"], today - 31));
    }));

  test("growth counts since the last capture that showed none", () =>
    inStore(open, async ({ store }) => {
      const still = pointsOf([
        [70, 100],
        [35, 100],
        [1, 100],
        [0, 450],
      ]);
      await writePost(store, post("seen daily"), still);
      await writePost(store, post("seen twice"), [still[0], still[3]] as CounterPoint[]);
      await store.writer.refreshTrends();
      const { items } = await store.reader(PLATFORM).listTrends("post", FIRST);
      assert.deepEqual(
        items.map(({ item, views }) => [item.id, views]),
        [
          ["seen daily", 350],
          ["seen twice", 35],
        ],
      );
    }));

  test("a ranking has pages, and a topic restricts it", () =>
    inStore(open, async ({ store }) => {
      for (const [index, id] of ["a", "b", "c", "d"].entries()) {
        const more = { publishedAt: SECOND - DAY_S, category: index % 2 === 0 ? "Music" : null, hashtags: [`t${id}`] };
        await writePost(store, post(id, more), pointsOf([[0, 100 - index]]));
      }
      await store.writer.refreshTrends();
      const list = async (request: Partial<TrendRequest>) => {
        const { items, total } = await store.reader(PLATFORM).listTrends("post", { ...FIRST, ...request });
        return [items.map(({ item, rank: place }) => `${place} ${item.id}`), total];
      };
      assert.deepEqual(await list({ offset: 1, limit: 2 }), [["2 b", "3 c"], 4]);
      assert.deepEqual(await list({ topic: ["music", "TD"] }), [["1 a", "2 c", "3 d"], 3]);
      assert.deepEqual(await list({ topic: ["music", "TD"], limit: 1 }), [["1 a"], 2]);
      assert.deepEqual(await list({ offset: 1000 }), [[], 4]);
    }));

  test("the top posts of a hashtag are those of the requested country that gained most", () =>
    inStore(open, async ({ store }) => {
      for (const [index, id] of ["a", "b", "c", "d", "e", "f", "g"].entries()) {
        const country = id === "g" ? "US" : "ES";
        const more = { publishedAt: SECOND - DAY_S, hashtags: ["tea"], country };
        await writePost(store, post(id, more), pointsOf([[0, 10 + index]]));
      }
      await store.writer.refreshTrends();
      const top = async (country: string | null) =>
        (await store.reader(PLATFORM).listTrends("hashtag", { ...FIRST, country })).items[0]?.topPostIds;
      assert.deepEqual(await top(null), ["g", "f", "e", "d", "c"]);
      assert.deepEqual(await top("US"), ["g"]);
    }));

  test("trends are stale after changes of posts and at midnight, and are those of the last refresh until the next", () =>
    inStore(open, async ({ store, clock }) => {
      const tea = () => writePost(store, post("p", { publishedAt: SECOND - DAY_S }), pointsOf([[0, 10]]));
      const ids = async () => (await store.reader(PLATFORM).listTrends("post", FIRST)).items.map(({ item }) => item.id);
      const refresh = async () => {
        assert.equal(await store.hasStaleTrends(), true);
        await store.writer.refreshTrends();
        assert.equal(await store.hasStaleTrends(), false);
      };
      const computedAt = async (country: string | null) =>
        (await store.reader(PLATFORM).listTrends("post", { ...FIRST, country })).computedAt;
      assert.equal(await store.hasStaleTrends(), false, "a new store has nothing to rank");
      assert.equal(await computedAt(null), null);
      const firstAt = clock.now;
      await tea();
      assert.deepEqual(await ids(), []);
      await refresh();
      assert.deepEqual(await ids(), ["p"]);
      await tea();
      await store.writer.write([toUnit(PLATFORM, { accounts: [account("1")] })]);
      assert.equal(await store.hasStaleTrends(), false, "no post has changed");
      clock.now += 7 * DAY_S * 1000;
      assert.deepEqual(await ids(), ["p"]);
      assert.deepEqual([await computedAt(null), await computedAt("US")], [firstAt, firstAt]);
      await refresh();
      assert.deepEqual([await computedAt(null), await computedAt("US")], [clock.now, clock.now]);
      assert.deepEqual(await ids(), []);
      clock.now = NOW;
      await tea();
      await writePost(store, post("q", { publishedAt: SECOND - DAY_S }), pointsOf([[0, 10]]));
      await refresh();
      assert.deepEqual(await ids(), [], "a clock that is set back does not change the day");
      await store.writer.erase(PLATFORM, "post", "p");
      await refresh();
      await store.writer.deleteSource("test");
      await refresh();
    }));

  test("an import makes trends stale and a preview does not", () =>
    inStore(open, async (world) => {
      const { writer } = world.store;
      const ids = Array.from({ length: 700 }, (_, index) => `p${index}`);
      const records = ids.map((id, index) => {
        const hashtags = [HASHTAGS[index % 3] as string];
        const record = post(id, { publishedAt: SECOND - DAY_S + index, hashtags, counters: { views: index } });
        const point = { capturedAt: record.capturedAt, counters: record.counters };
        return { kind: "post" as const, postId: null, incoming: encodeRecord("post", record), point };
      });
      const changes = { platform: PLATFORM, records, subtitles: [], follows: [], chartEntries: [] };
      await writer.write([{ changes: [changes], merge: (_, __, incoming) => incoming }], { dryRun: true });
      assert.equal(await world.store.hasStaleTrends(), false);
      await writer.write([{ changes: [changes], merge: (_, __, incoming) => incoming }]);
      await writer.refreshTrends();
      const expected = await expectedTrends(world, ids);
      assert.deepEqual(
        await allTrends(world.store),
        expected.map((ranking) => ({ ...ranking, items: ranking.items.slice(0, FIRST.limit) })),
      );
      await writer.write([{ changes: [changes], merge: (_, __, incoming) => incoming }]);
      assert.equal(await world.store.hasStaleTrends(), false, "the same import again changes nothing");
      const point = { capturedAt: NOW + 1, counters: { views: 9 } };
      const grown = { ...changes, records: records.slice(0, 1).map((record) => ({ ...record, point })) };
      await writer.write([{ changes: [grown], merge: (_, stored) => stored }]);
      assert.equal(await world.store.hasStaleTrends(), true, "counters change without their post");
    }));

  test("an erased account's posts leave every ranking with the erasure", () =>
    inStore(open, async ({ store }) => {
      const ids = ["a", "b", "c", "d"];
      for (const [index, id] of ids.entries()) {
        const authorId = index % 2 === 0 ? "1" : "2";
        const about = { authorId, hashtags: ["dawn", `of ${authorId}`], soundId: "s1", country: "ES" };
        await writePost(store, post(id, { ...about, publishedAt: SECOND - DAY_S }), pointsOf([[0, 10 - index]]));
      }
      await store.writer.refreshTrends();
      assert.deepEqual(await rankedPosts(store), new Set(ids));
      await store.writer.erase(PLATFORM, "account", "1");
      assert.deepEqual(await rankedPosts(store), new Set(["b", "d"]));
      const { items, total } = await store.reader(PLATFORM).listTrends("post", FIRST);
      assert.deepEqual([items.map(({ item, rank: place }) => `${place} ${item.id}`), total], [["1 b", "2 d"], 2]);
      const hashtags = await store.reader(PLATFORM).listTrends("hashtag", FIRST);
      assert.deepEqual(
        hashtags.items.map(({ item }) => item.name),
        ["dawn", "of 2"],
        "hashtags of the erased account alone are gone too",
      );
      await store.writer.refreshTrends();
      assert.deepEqual(await rankedPosts(store), new Set(["b", "d"]));
    }));

  test("a post erased while trends are being computed is in no ranking", () =>
    inStore(open, async (world) => {
      const { store } = world;
      const ids = Array.from({ length: 1_200 }, (_, index) => `p${index}`);
      const about = { hashtags: ["dawn"], soundId: "s1", country: "ES" };
      const posts = ids.map((id, index) =>
        post(id, { ...about, publishedAt: SECOND - DAY_S - index, counters: { views: 10_000 - index } }),
      );
      await store.writer.write([toUnit(PLATFORM, { posts })]);
      const refreshed = Promise.all([store.writer.refreshTrends(), store.writer.refreshTrends()]);
      for (const id of ["p0", "p1", "p2"]) {
        await new Promise((resolve) => setImmediate(resolve));
        await store.writer.erase(PLATFORM, "post", id);
      }
      const namesErased = async () => !(await rankedPosts(store)).isDisjointFrom(new Set(["p0", "p1", "p2"]));
      assert.equal(await namesErased(), false);
      await refreshed;
      assert.equal(await namesErased(), false);
      await store.writer.refreshTrends();
      const expected = await expectedTrends(world, ids);
      assert.deepEqual(
        (await allTrends(store)).map(({ items }) => items[0]),
        expected.map(({ items }) => items[0]),
      );
    }));

  test("after any writes, erasures and deletions on any days, a refresh ranks the stored records", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) =>
        inStore(open, async (world) => {
          for (const taken of steps) await take(world, taken);
          // The day of a store that never held a post is unknown.
          await writePost(world.store, post("last"), pointsOf([[0, 1]]));
          await world.store.writer.refreshTrends();
          assert.deepEqual(await allTrends(world.store), await expectedTrends(world, [...IDS, "last"]));
        }),
      ),
      propertyBudget(60),
    );
  });

  test("trends do not depend on the order of captures", async () => {
    const captures = fc.uniqueArray(capture, {
      minLength: 2,
      maxLength: 6,
      selector: ({ daysAgo, second }) => `${daysAgo}/${second}`,
    });
    const orders = captures.chain((seen) =>
      fc.tuple(fc.constant(seen), fc.shuffledSubarray(seen, { minLength: seen.length })),
    );
    await fc.assert(
      fc.asyncProperty(somePost, orders, async (about, [seen, shuffled]) => {
        const trendsAfter = (order: typeof seen) =>
          inStore(open, async ({ store }) => {
            for (const one of order) await writePost(store, post(about.id, about), captured([one]));
            await store.writer.refreshTrends();
            return allTrends(store);
          });
        assert.deepEqual(await trendsAfter(shuffled), await trendsAfter(seen));
      }),
      propertyBudget(40),
    );
  });
}
