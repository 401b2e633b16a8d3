import assert from "node:assert/strict";
import { test } from "node:test";
import { toRankDiff, toTrendPagination, toTrendRequest, toTrendSeries } from "./trending.ts";

const TREND = {
  item: {},
  rank: 5,
  previousRank: null,
  posts: 6,
  views: 7,
  series: [{ at: 8, value: 9 }],
  topPostIds: [],
};

test("a rank is compared with that of the previous period", () => {
  const diff = (previousRank: number | null) => Object.values(toRankDiff({ ...TREND, previousRank }));
  assert.deepEqual(diff(8), [3, 1], "up");
  assert.deepEqual(diff(5), [0, 2], "unchanged");
  assert.deepEqual(diff(1), [4, 3], "down");
  assert.deepEqual(diff(null), [null, 4], "new");
});

test("a series has the views of each day", () => {
  assert.deepEqual(toTrendSeries(TREND), [{ time: 8, value: 9 }]);
});

test("a page of a ranking says whether there are more", () => {
  const input = { country: "FI", period: 30, page: 3, limit: 10 } as const;
  assert.deepEqual(toTrendRequest(input), { country: "FI", days: 30, offset: 20, limit: 10 });
  const { country: _, ...everywhere } = input;
  assert.equal(toTrendRequest(everywhere).country, null);
  assert.deepEqual(toTrendPagination(input, 31), { page: 3, size: 10, total: 31, has_more: true });
  assert.deepEqual(toTrendPagination(input, 30), { page: 3, size: 10, total: 30, has_more: false });
});
