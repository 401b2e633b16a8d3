/** The part of the store's contract that is about rankings by growth. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { propertyBudget } from "#testing/budget.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint } from "#domain/record.ts";
import { DAY_S } from "#domain/time.ts";
import { NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { encodeRecord } from "../row-encoder.ts";
import type { Store, TrendKind, TrendRequest } from "../store.ts";
import type { OpenStore } from "./open-store.ts";
import { TREND_PERIODS } from "../trends.ts";

const FIRST: TrendRequest = { country: null, days: 7, offset: 0, limit: 50 };
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

/** Views as they were seen, each some days ago. */
function points(seen: [daysAgo: number, views: number][]): CounterPoint[] {
  return seen.map(([ago, views]) => ({ capturedAt: NOW - ago * DAY_S * 1000, counters: { views } }));
}

async function keep(store: Store, record: Post, seen: CounterPoint[]): Promise<void> {
  const newest = seen.at(-1) as CounterPoint;
  const history = [{ kind: "post" as const, id: record.id, points: seen }];
  await store.writer.write(PLATFORM, { posts: [{ ...record, ...newest }], history });
}

/** Every ranking that a store can be asked for. */
export async function allTrends(store: Pick<Store, "reader">): Promise<object[]> {
  const rankings: object[] = [];
  for (const kind of ["post", "hashtag", "sound"] satisfies TrendKind[]) {
    for (const country of [null, ...COUNTRIES]) {
      for (const days of TREND_PERIODS) {
        const { items, ...page } = await store.reader(PLATFORM).listTrends(kind, { ...FIRST, country, days });
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

/** What a store answers that was given the records held by another, and nothing else. */
async function trendsOfCopy(open: OpenStore, { store, clock }: World, ids: readonly string[]): Promise<object[]> {
  return inStore(open, async (copy) => {
    copy.clock.now = clock.now;
    const reader = store.reader(PLATFORM);
    for (const held of await reader.getPosts(ids)) {
      const history = [{ kind: "post" as const, id: held.id, points: await reader.listCounters("post", held.id) }];
      await copy.store.writer.write(PLATFORM, { posts: [held], history });
    }
    await copy.store.writer.rollOverTrends();
    return allTrends(copy.store);
  });
}

const capture = fc.record({
  daysAgo: fc.integer({ min: -2, max: 260 }),
  second: fc.nat({ max: DAY_S - 1 }),
  counters: fc.oneof(
    fc.record({ views: fc.nat({ max: 500 }) }),
    fc.record({ likes: fc.nat({ max: 90 }), comments: fc.nat({ max: 90 }) }, { requiredKeys: [] }),
  ),
});

const someone = fc.record({
  id: fc.constantFrom(...IDS),
  authorId: fc.constantFrom("1", "2"),
  publishedAt: fc.option(fc.integer({ min: SECOND - 300 * DAY_S, max: SECOND + DAY_S })),
  country: fc.constantFrom(null, ...COUNTRIES),
  hashtags: fc.subarray(HASHTAGS),
  soundId: fc.constantFrom(null, "s1", "s2"),
  source: fc.constantFrom("this", "that"),
});

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ put: someone, seen: fc.array(capture, { minLength: 1, maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ days: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ days: fc.integer({ min: 100, max: 400 }) }) },
  { weight: 1, arbitrary: fc.record({ erase: fc.constantFrom(...IDS) }) },
  { weight: 1, arbitrary: fc.record({ eraseAuthor: fc.constant("2") }) },
  { weight: 1, arbitrary: fc.record({ forget: fc.constantFrom("this", "that") }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function pointsOf(seen: readonly { daysAgo: number; second: number; counters: object }[]): CounterPoint[] {
  return seen.map(({ daysAgo, second, counters }) => ({
    capturedAt: NOW - (daysAgo * DAY_S + second) * 1000,
    counters: counters as CounterPoint["counters"],
  }));
}

async function take({ store, clock }: World, done: Step): Promise<void> {
  if ("put" in done) await keep(store, post(done.put.id, done.put), pointsOf(done.seen));
  else if ("days" in done) clock.now += done.days * DAY_S * 1000;
  else if ("erase" in done) await store.writer.erase(PLATFORM, "post", done.erase);
  else if ("eraseAuthor" in done) await store.writer.erase(PLATFORM, "account", done.eraseAuthor);
  else await store.writer.deleteSource(done.forget);
}

export function trendsSuite(open: OpenStore): void {
  test("trends rank by what was gained in the period and compare with the one before", () =>
    inStore(open, async ({ store }) => {
      const published = { publishedAt: SECOND - 60 * DAY_S };
      const sunset = post("old", { ...published, hashtags: ["Sunset"], soundId: "s-sunset", country: "US" });
      const sunrise = post("hot", { ...published, hashtags: ["sunrise"], soundId: "s-sunrise", country: "ES" });
      await keep(
        store,
        sunset,
        points([
          [14, 1000],
          [7, 9000],
          [0, 9100],
        ]),
      );
      await keep(
        store,
        sunrise,
        points([
          [14, 10],
          [7, 20],
          [0, 5020],
        ]),
      );
      const reader = store.reader(PLATFORM);
      const hashtags = await reader.listTrends("hashtag", FIRST);
      assert.deepEqual(
        hashtags.items.map(({ item, rank, previousRank, views, posts }) => [
          item.name,
          rank,
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
      const series = hashtags.items[0]?.series;
      assert.deepEqual(
        series?.map(({ value }) => value),
        [0, 0, 0, 0, 0, 0, 5000],
      );
      assert.equal(series?.at(-1)?.at, hashtags.day);
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

  test("a post that was seen once counts the part of its views that fell within the period", () =>
    inStore(open, async ({ store }) => {
      await keep(store, post("year", { publishedAt: SECOND - 350 * DAY_S }), points([[0, 350_000]]));
      await keep(store, post("day", { publishedAt: SECOND - DAY_S }), points([[0, 8000]]));
      const { items } = await store.reader(PLATFORM).listTrends("post", FIRST);
      assert.deepEqual(
        items.map(({ item, views }) => [item.id, views]),
        [
          ["day", 8000],
          ["year", 7000],
        ],
      );
    }));

  test("a ranking has pages, and a topic only what belongs to it", () =>
    inStore(open, async ({ store }) => {
      for (const [index, id] of ["a", "b", "c", "d"].entries()) {
        const more = { publishedAt: SECOND - DAY_S, category: index % 2 === 0 ? "Music" : null, hashtags: [`t${id}`] };
        await keep(store, post(id, more), points([[0, 100 - index]]));
      }
      const list = async (request: Partial<TrendRequest>) => {
        const { items, total } = await store.reader(PLATFORM).listTrends("post", { ...FIRST, ...request });
        return [items.map(({ item, rank }) => `${rank} ${item.id}`), total];
      };
      assert.deepEqual(await list({ offset: 1, limit: 2 }), [["2 b", "3 c"], 4]);
      assert.deepEqual(await list({ topic: ["music", "TD"] }), [["1 a", "2 c", "3 d"], 3]);
      assert.deepEqual(await list({ topic: ["music", "TD"], limit: 1 }), [["1 a"], 2]);
      assert.deepEqual(await list({ offset: 1000 }), [[], 4]);
    }));

  test("the top posts of a hashtag are those of the country asked for that gained most", () =>
    inStore(open, async ({ store }) => {
      for (const [index, id] of ["a", "b", "c", "d", "e", "f", "g"].entries()) {
        const country = id === "g" ? "US" : "ES";
        const more = { publishedAt: SECOND - DAY_S, hashtags: ["tea"], country };
        await keep(store, post(id, more), points([[0, 10 + index]]));
      }
      const top = async (country: string | null) =>
        (await store.reader(PLATFORM).listTrends("hashtag", { ...FIRST, country })).items[0]?.topPostIds;
      assert.deepEqual(await top(null), ["g", "f", "e", "d", "c"]);
      assert.deepEqual(await top("US"), ["g"]);
    }));

  test("the day goes on by itself when a store that nobody writes is told to look at its clock", () =>
    inStore(open, async ({ store, clock }) => {
      await keep(store, post("p", { publishedAt: SECOND - DAY_S }), points([[0, 10]]));
      const ids = async () => (await store.reader(PLATFORM).listTrends("post", FIRST)).items.map(({ item }) => item.id);
      clock.now += 7 * DAY_S * 1000;
      assert.deepEqual(await ids(), ["p"], "until then the day is the one that was written");
      await store.writer.rollOverTrends();
      assert.deepEqual(await ids(), []);
      clock.now += 200 * DAY_S * 1000;
      await store.writer.rollOverTrends();
      assert.equal((await store.reader(PLATFORM).listTrends("post", { ...FIRST, days: 120 })).items.length, 0);
      clock.now = NOW;
      await store.writer.rollOverTrends();
      assert.deepEqual(await ids(), [], "days only go forward");
    }));

  test("what a long import wrote counts when its file ends, and what is rehearsed never", () =>
    inStore(open, async (world) => {
      const { writer, jobs } = world.store;
      const job = { id: "j", fingerprint: "f", origin: "command" as const, label: "", state: "running" as const };
      await jobs.writeJob({ ...job, createdAt: 1, updatedAt: 1, owner: "" });
      const ids = Array.from({ length: 700 }, (_, index) => `p${index}`);
      const changes = ids.map((id, index) => {
        const hashtags = [HASHTAGS[index % 3] as string];
        const record = post(id, { publishedAt: SECOND - DAY_S, hashtags, counters: { views: index } });
        const point = { capturedAt: record.capturedAt, counters: record.counters };
        return { kind: "post" as const, postId: null, incoming: encodeRecord("post", record), point };
      });
      const write = (records: typeof changes, state: "running" | "done") =>
        writer.apply(
          [{ platform: PLATFORM, records, subtitles: [], follows: [], chartEntries: [] }],
          (_, __, found) => found,
          () => ({
            file: {
              jobId: "j",
              name: "f",
              fingerprint: "",
              state,
              position: 1,
              report: { formats: {}, records: {}, refused: {}, skipped: {} },
            },
            rejects: [],
            restarted: false,
          }),
        );
      await write(changes.slice(0, 600), "running");
      world.clock.now += 7 * DAY_S * 1000;
      await write(changes.slice(600, 650), "running");
      await writer.erase(PLATFORM, "post", "p599");
      assert.deepEqual(await allTrends(world.store), await trendsOfCopy(open, world, ids), "erasing lets nothing wait");
      await write(changes.slice(500), "done");
      assert.deepEqual(await allTrends(world.store), await trendsOfCopy(open, world, ids));
      const before = await allTrends(world.store);
      const more = changes.map((change) => ({
        ...change,
        incoming: { ...change.incoming, id: `x${change.incoming.id}` },
      }));
      const part = { platform: PLATFORM, records: more, subtitles: [], follows: [], chartEntries: [] };
      await writer.preview([part], (_, __, found) => found);
      await writer.rollOverTrends();
      assert.deepEqual(await allTrends(world.store), before);
    }));

  test("whatever was written, erased and forgotten on whatever days, trends are those of the records held", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) =>
        inStore(open, async (world) => {
          for (const done of steps) await take(world, done);
          await world.store.writer.rollOverTrends();
          assert.deepEqual(await allTrends(world.store), await trendsOfCopy(open, world, IDS));
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
      fc.asyncProperty(someone, orders, async (about, [seen, shuffled]) => {
        const trendsAfter = (order: typeof seen) =>
          inStore(open, async ({ store }) => {
            for (const one of order) await keep(store, post(about.id, about), pointsOf([one]));
            return allTrends(store);
          });
        assert.deepEqual(await trendsAfter(shuffled), await trendsAfter(seen));
      }),
      propertyBudget(40),
    );
  });
}
