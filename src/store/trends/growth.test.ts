import assert from "node:assert/strict";
import { test } from "node:test";
import type { CounterPoint } from "#domain/record.ts";
import { DAY_MS, dayOf } from "#domain/time.ts";
import { TrendRankings } from "./rankings.ts";
import { countingGrowth, type DayGrowth, growthOf, sumsOn, TREND_PERIODS } from "./growth.ts";

/** One whose counts are never rounded without a mark. */
const PLATFORM = "longvideo";
const TODAY = dayOf(Date.parse("2026-11-15T12:00:00Z"));

/** At noon of a day that is some days ago. */
const at = (ago: number) => (TODAY - ago) * DAY_MS + DAY_MS / 2;
const seen = (ago: number, views: number): CounterPoint => ({ capturedAt: at(ago), counters: { views } });
const published = (ago: number) => at(ago) / 1000;

const measuredOf = (...args: Parameters<typeof growthOf>) => growthOf(...args).measured;
const growth = (measured: DayGrowth[]) => ({ measured, estimated: null });

test("growth between two captures counts on the day of the later one", () => {
  assert.deepEqual(measuredOf(PLATFORM, null, [seen(5, 100), seen(2, 160)]), [
    { day: TODAY - 2, values: [60, 60, 60] },
  ]);
});

test("growth of a long time counts only the part that fell within the period", () => {
  assert.deepEqual(measuredOf(PLATFORM, null, [seen(60, 0), seen(0, 600)]), [{ day: TODAY, values: [70, 300, 600] }]);
});

test("the first capture gives an estimate of the growth since publication, and no measured growth", () => {
  assert.deepEqual(growthOf(PLATFORM, published(14), [seen(0, 100)]), {
    measured: [],
    estimated: { day: TODAY, values: [50, 100, 100] },
  });
  assert.deepEqual(growthOf(PLATFORM, published(14), [seen(7, 100), seen(0, 130)]), {
    measured: [{ day: TODAY, values: [30, 30, 30] }],
    estimated: { day: TODAY - 7, values: [100, 100, 100] },
  });
  for (const unknown of [published(0), null])
    assert.deepEqual(growthOf(PLATFORM, unknown, [seen(0, 100)]), { measured: [], estimated: null });
  assert.deepEqual(growthOf(PLATFORM, published(1), [seen(3, 100), seen(0, 130)]), {
    measured: [{ day: TODAY, values: [30, 30, 30] }],
    estimated: null,
  });
});

test("values never fall: a capture that shows less is skipped", () => {
  assert.deepEqual(measuredOf(PLATFORM, null, [seen(14, 50), seen(7, 20), seen(0, 90)]), [
    { day: TODAY, values: [20, 40, 40] },
  ]);
});

test("growth is that since the post was last seen to stand still, unless the count may be rounded", () => {
  const burst = (views: number) => [seen(60, views), seen(14, views - 1), seen(1, views), seen(0, views + 600)];
  const still = { day: TODAY - 1, values: [0, 0, 0] };
  assert.deepEqual(measuredOf("longvideo", null, burst(90_000)), [still, { day: TODAY, values: [600, 600, 600] }]);
  assert.deepEqual(measuredOf("shortvideo", null, burst(9_999)), [still, { day: TODAY, values: [600, 600, 600] }]);
  assert.deepEqual(measuredOf("shortvideo", null, burst(10_000)), [{ day: TODAY, values: [70, 300, 600] }]);
  assert.deepEqual(measuredOf("longvideo", published(60), [seen(1, 0), seen(0, 600)])[0]?.values, [600, 600, 600]);
});

test("likes and comments stand for views that are not known, and what says nothing is passed over", () => {
  const points = [
    { capturedAt: at(3), counters: { likes: 10 } },
    { capturedAt: at(2), counters: { shares: 5 } },
    { capturedAt: at(1), counters: { likes: 10, comments: 2 } },
    { capturedAt: at(0), counters: { views: 0, likes: 99 } },
  ];
  assert.deepEqual(measuredOf(PLATFORM, null, points), [{ day: TODAY - 1, values: [6, 6, 6] }]);
});

test("views are compared with views only, once a capture shows them", () => {
  const liked = (ago: number, likes: number) => ({ capturedAt: at(ago), counters: { likes } });
  const points = [liked(9, 10), liked(8, 40), seen(5, 100_000), liked(4, 900_000), seen(2, 100_060), liked(1, 950_000)];
  assert.deepEqual(measuredOf(PLATFORM, null, points), [
    { day: TODAY - 8, values: [30, 30, 30] },
    { day: TODAY - 2, values: [60, 60, 60] },
  ]);
  assert.deepEqual(growthOf(PLATFORM, published(10), [seen(3, 100), liked(0, 500)]), {
    measured: [],
    estimated: { day: TODAY - 3, values: [100, 100, 100] },
  });
});

test("several captures of a day are one entry, and captures of one moment do not divide by zero", () => {
  const noon = at(0);
  const points = [0, 1, 2].map((ms) => ({ capturedAt: noon + ms, counters: { views: 10 * ms } }));
  assert.deepEqual(measuredOf(PLATFORM, null, points), [{ day: TODAY, values: [20, 20, 20] }]);
});

test("a number of views that cannot be is taken for the most that can", () => {
  assert.deepEqual(
    growthOf(PLATFORM, published(1), [seen(0, Number.MAX_SAFE_INTEGER)]).estimated?.values,
    [1e11, 1e11, 1e11],
  );
});

test("a period is today and the days before it, the other period lies before that", () => {
  const days = [0, 6, 7, 13, 14, 29, 30, 239, 240].map((ago): DayGrowth => ({ day: TODAY - ago, values: [1, 1, 1] }));
  const { measured, before, measuredPosts } = sumsOn(TODAY, growth(days.toReversed()));
  assert.deepEqual(
    [measured, before, measuredPosts],
    [
      [2, 6, 7],
      [2, 1, 1],
      [1, 1, 1],
    ],
  );
  const counting = countingGrowth(TODAY, growth(days));
  assert.ok(counting !== null);
  assert.deepEqual(sumsOn(TODAY, counting), sumsOn(TODAY, growth(days)));
  assert.equal(counting.measured.length, days.length - 1);
  assert.equal(countingGrowth(TODAY - 300, growth(days)), null, "later days do not count yet");
});

test("an estimate counts only in periods without a measured gain", () => {
  const mixed = growthOf(PLATFORM, published(30), [seen(20, 500), seen(10, 560)]);
  const { measured, estimated, measuredPosts, estimatedPosts } = sumsOn(TODAY, mixed);
  assert.deepEqual(
    [measured, measuredPosts],
    [
      [0, 60, 60],
      [0, 1, 1],
    ],
  );
  assert.deepEqual(
    [estimated, estimatedPosts],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  );
  const once = growthOf(PLATFORM, published(30), [seen(3, 540), seen(0, 540)]);
  const sums = sumsOn(TODAY, once);
  assert.deepEqual(
    [sums.estimated, sums.estimatedPosts],
    [
      [140, 540, 540],
      [1, 1, 1],
    ],
    "no growth was measured",
  );
});

test("a hashtag with any measured post counts measured posts alone, and measured gains are ranked first", () => {
  const rankings = new TrendRankings(TODAY);
  const add = (key: string, postId: string, of: ReturnType<typeof growthOf>) =>
    rankings.addListedPost({
      platform: "shortvideo",
      kind: "hashtag",
      key,
      postId,
      growth: { country: null, growth: of },
    });
  add("guessed", "p1", growthOf(PLATFORM, published(7), [seen(0, 90_000)]));
  add("mixed", "p2", growthOf(PLATFORM, published(7), [seen(0, 50_000)]));
  add("mixed", "p3", growthOf(PLATFORM, null, [seen(2, 10), seen(0, 25)]));
  const [list] = rankings.lists();
  const week = list?.entries.filter(({ period }) => period === 7);
  assert.deepEqual(
    week?.map(({ key, measured, views, posts, series }) => ({ key, measured, views, posts, series })),
    [
      { key: "mixed", measured: true, views: 15, posts: 1, series: [[TODAY, 15]] },
      { key: "guessed", measured: false, views: 90_000, posts: 1, series: [] },
    ],
  );
});

test("the top posts of a hashtag are chosen from its newest 200", () => {
  const rankings = new TrendRankings(TODAY);
  for (let index = 0; index < 300; index++) {
    const days: DayGrowth[] = [{ day: TODAY, values: [index, index, index] }];
    const gain = { country: null, growth: growth(days) };
    const listed = { platform: "shortvideo", kind: "hashtag" as const, key: "tea", postId: `p${index}`, growth: gain };
    rankings.addListedPost(index % 2 === 0 ? listed : { ...listed, growth: null });
  }
  const [list] = rankings.lists();
  assert.deepEqual(list?.entries[0]?.topPostIds, ["p198", "p196", "p194", "p192", "p190"]);
  assert.equal(list?.entries[0]?.posts, 149, "of 150 posts with growth, the first gained 0");
});

test("a ranking keeps the posts that gained most, whatever their order", () => {
  const rankings = new TrendRankings(TODAY);
  // 7 is coprime to the number of posts: every number occurs once.
  const gains = Array.from({ length: 9_000 }, (_, index) => ((index * 7) % 9_000) + 1);
  for (const gain of gains) {
    const days: DayGrowth[] = [{ day: TODAY, values: [gain, gain, gain] }];
    rankings.addPost("shortvideo", `p${gain}`, { country: null, growth: growth(days) }, () => []);
  }
  const [list] = rankings.lists();
  const kept = list?.entries.filter(({ period }) => period === 7).map(({ views }) => views);
  assert.deepEqual(
    kept,
    Array.from({ length: 2_000 }, (_, index) => 9_000 - index),
  );
});

test("a series has a point for each day with a capture and adds up to the gain", () => {
  const captured = growthOf(PLATFORM, published(40), [seen(39, 7), seen(6, 7), seen(3, 900), seen(1, 950)]);
  const rankings = new TrendRankings(TODAY);
  rankings.addPost("longvideo", "p", { country: null, growth: captured }, () => []);
  const [list] = rankings.lists();
  assert.equal(list?.entries.length, TREND_PERIODS.length);
  for (const { period, series, views } of list?.entries ?? []) {
    assert.deepEqual(
      series.map(([day]) => TODAY - day),
      [6, 3, 1],
      `${period}`,
    );
    assert.equal(
      series.reduce((sum, [, value]) => sum + value, 0),
      views,
    );
  }
});
