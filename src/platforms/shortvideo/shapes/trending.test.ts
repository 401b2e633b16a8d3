import assert from "node:assert/strict";
import { test } from "node:test";
import { Approximate } from "#domain/approximate.ts";
import { toMeasured, toRankDiff, toTrendPagination, toTrendRequest, toTrendSeries } from "./trending.ts";

const TREND = {
  item: {},
  rank: 5,
  previousRank: null,
  measured: true,
  posts: 6,
  views: 7,
  series: [{ at: 8, value: 9 }],
  topPostIds: [],
};

test("a rank is compared with that of the previous period", () => {
  const diff = (previousRank: number | "new" | null) => Object.values(toRankDiff({ ...TREND, previousRank }));
  assert.deepEqual(diff(8), [3, 1], "up");
  assert.deepEqual(diff(5), [0, 2], "unchanged");
  assert.deepEqual(diff(1), [4, 3], "down");
  assert.deepEqual(diff("new"), [null, 4], "new");
  assert.deepEqual(diff(null), [null, null], "nothing to compare with");
});

test("a series has the views of each day", () => {
  assert.deepEqual(toTrendSeries(TREND), [{ time: 8, value: 9 }]);
});

test("an estimate is unknown to clients that prefer null", () => {
  assert.equal(toMeasured(TREND, 7), 7);
  assert.deepEqual(toMeasured({ ...TREND, measured: false }, 7), new Approximate(7));
});

test("a page of a ranking says whether there are more", () => {
  const input = { country: "FI", period: 30, page: 3, limit: 10 } as const;
  const ctx = { hour: Date.parse("2026-11-15T12:00:00Z"), parameterLocation: "query" } as const;
  const request = { country: "FI", days: 30, asOf: null, measuredOnly: false, offset: 20, limit: 10 };
  assert.deepEqual(toTrendRequest(ctx, input), request);
  assert.deepEqual(toTrendRequest(ctx, { ...input, basis: "measured" }), { ...request, measuredOnly: true });
  const { country: _, ...everywhere } = input;
  assert.equal(toTrendRequest(ctx, everywhere).country, null);
  const asOf = (day: string) => toTrendRequest(ctx, { ...input, as_of: day }).asOf;
  assert.deepEqual([asOf("newest"), asOf("2026-11-14"), asOf("2026-11-15")], ["newest", 20_771, null]);
  assert.throws(() => asOf("2026-11-16"), /as_of in the query string must not be a day to come/);
  assert.deepEqual(toTrendPagination(input, 31), { page: 3, size: 10, total: 31, has_more: true });
  assert.deepEqual(toTrendPagination(input, 30), { page: 3, size: 10, total: 30, has_more: false });
});
