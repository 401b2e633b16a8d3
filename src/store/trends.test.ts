import assert from "node:assert/strict";
import { test } from "node:test";
import type { CounterPoint } from "#domain/record.ts";
import { DAY_MS, dayOf } from "#domain/time.ts";
import { TrendRankings } from "./trend-rankings.ts";
import { countingDays, growthByDay, sumsOn, TREND_PERIODS, trendSeries } from "./trends.ts";

/** One whose counts are never rounded without a mark. */
const PLATFORM = "longvideo";
const TODAY = dayOf(Date.parse("2026-11-15T12:00:00Z"));

/** At noon of a day that is some days ago. */
const at = (ago: number) => (TODAY - ago) * DAY_MS + DAY_MS / 2;
const seen = (ago: number, views: number): CounterPoint => ({ capturedAt: at(ago), counters: { views } });
const published = (ago: number) => at(ago) / 1000;

test("growth between two captures counts on the day of the later one", () => {
  assert.deepEqual(growthByDay(PLATFORM, null, [seen(5, 100), seen(2, 160)]), [
    { day: TODAY - 2, values: [60, 60, 60] },
  ]);
});

test("growth of a long time counts only the part that fell within the period", () => {
  assert.deepEqual(growthByDay(PLATFORM, null, [seen(60, 0), seen(0, 600)]), [{ day: TODAY, values: [70, 300, 600] }]);
});

test("publication is a capture with nothing, unless a capture is older", () => {
  assert.deepEqual(growthByDay(PLATFORM, published(14), [seen(0, 100)]), [{ day: TODAY, values: [50, 100, 100] }]);
  assert.deepEqual(growthByDay(PLATFORM, published(0), [seen(0, 100)]), []);
  assert.deepEqual(growthByDay(PLATFORM, published(1), [seen(3, 100), seen(0, 130)]), [
    { day: TODAY, values: [30, 30, 30] },
  ]);
  assert.deepEqual(growthByDay(PLATFORM, null, [seen(0, 100)]), []);
});

test("values never fall: a capture that shows less is skipped", () => {
  assert.deepEqual(growthByDay(PLATFORM, null, [seen(14, 50), seen(7, 20), seen(0, 90)]), [
    { day: TODAY, values: [20, 40, 40] },
  ]);
});

test("growth is that since the post was last seen to stand still, unless the count may be rounded", () => {
  const burst = (views: number) => [seen(60, views), seen(14, views - 1), seen(1, views), seen(0, views + 600)];
  assert.deepEqual(growthByDay("longvideo", null, burst(90_000)), [{ day: TODAY, values: [600, 600, 600] }]);
  assert.deepEqual(growthByDay("shortvideo", null, burst(9_999)), [{ day: TODAY, values: [600, 600, 600] }]);
  assert.deepEqual(growthByDay("shortvideo", null, burst(10_000)), [{ day: TODAY, values: [70, 300, 600] }]);
  assert.deepEqual(growthByDay("longvideo", published(60), [seen(1, 0), seen(0, 600)])[0]?.values, [600, 600, 600]);
});

test("likes and comments stand for views that are not known, and what says nothing is passed over", () => {
  const points = [
    { capturedAt: at(3), counters: { likes: 10 } },
    { capturedAt: at(2), counters: { shares: 5 } },
    { capturedAt: at(1), counters: { likes: 10, comments: 2 } },
    { capturedAt: at(0), counters: { views: 0, likes: 99 } },
  ];
  assert.deepEqual(growthByDay(PLATFORM, null, points), [{ day: TODAY - 1, values: [6, 6, 6] }]);
});

test("views are compared with views only, once a capture shows them", () => {
  const liked = (ago: number, likes: number) => ({ capturedAt: at(ago), counters: { likes } });
  const points = [liked(9, 10), liked(8, 40), seen(5, 100_000), liked(4, 900_000), seen(2, 100_060), liked(1, 950_000)];
  assert.deepEqual(growthByDay(PLATFORM, null, points), [
    { day: TODAY - 8, values: [30, 30, 30] },
    { day: TODAY - 2, values: [60, 60, 60] },
  ]);
  assert.deepEqual(growthByDay(PLATFORM, published(10), [seen(3, 100), liked(0, 500)]), [
    { day: TODAY - 3, values: [100, 100, 100] },
  ]);
});

test("several captures of a day are one entry, and captures of one moment do not divide by zero", () => {
  const noon = at(0);
  const points = [0, 1, 2].map((ms) => ({ capturedAt: noon + ms, counters: { views: 10 * ms } }));
  assert.deepEqual(growthByDay(PLATFORM, null, points), [{ day: TODAY, values: [20, 20, 20] }]);
});

test("a number of views that cannot be is taken for the most that can", () => {
  assert.deepEqual(
    growthByDay(PLATFORM, published(1), [seen(0, Number.MAX_SAFE_INTEGER)])[0]?.values,
    [1e11, 1e11, 1e11],
  );
});

test("a period is today and the days before it, the other period lies before that", () => {
  const growth = [0, 6, 7, 13, 14, 29, 30, 239, 240].map((ago) => ({
    day: TODAY - ago,
    values: [1, 1, 1] as [1, 1, 1],
  }));
  assert.deepEqual(sumsOn(TODAY, growth.toReversed()), [2, 6, 7, 2, 1, 1, 1, 1, 1]);
  assert.deepEqual(sumsOn(TODAY, countingDays(TODAY, growth)), sumsOn(TODAY, growth));
  assert.equal(countingDays(TODAY, growth).length, growth.length - 1);
  assert.deepEqual(countingDays(TODAY - 300, growth), [], "later days do not count yet");
});

test("the top posts of a hashtag are chosen from its newest 200", () => {
  const rankings = new TrendRankings(TODAY);
  for (let index = 0; index < 300; index++) {
    const growth = { country: null, days: [{ day: TODAY, values: [index, index, index] as [number, number, number] }] };
    const listed = { platform: "shortvideo", kind: "hashtag" as const, key: "tea", postId: `p${index}`, growth };
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
    const days = [{ day: TODAY, values: [gain, gain, gain] as [number, number, number] }];
    rankings.addPost("shortvideo", `p${gain}`, { country: null, days }, () => []);
  }
  const [list] = rankings.lists();
  const kept = list?.entries.filter(({ period }) => period === 7).map(({ views }) => views);
  assert.deepEqual(
    kept,
    Array.from({ length: 2_000 }, (_, index) => 9_000 - index),
  );
});

test("a series has a value for every day of the period and adds up to the gain", () => {
  const growth = growthByDay(PLATFORM, published(40), [seen(39, 7), seen(3, 900), seen(1, 950)]);
  for (const [index, period] of TREND_PERIODS.entries()) {
    const gains = growth.map(({ day, values }) => [day, values[index] as number] as const);
    const series = trendSeries(TODAY, period, gains);
    assert.equal(series.length, period);
    assert.equal(series.at(-1)?.at, (TODAY * DAY_MS) / 1000);
    assert.equal(
      series.reduce((sum, { value }) => sum + value, 0),
      sumsOn(TODAY, growth)[index],
    );
  }
});
