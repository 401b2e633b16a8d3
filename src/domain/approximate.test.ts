import assert from "node:assert/strict";
import { test } from "node:test";
import { Approximate, countOf, exactHistory, weakerCounters, withExactCounts } from "./approximate.ts";

test("a count is taken for another one rounded to a decimal of K, M or B, where the platform rounds", () => {
  for (const [count, exact] of [
    [26_100, 26_123],
    [1_200_000, 1_234_567],
    [123_500_000, 123_456_789],
    [2_300_000_000, 2_345_678_901],
  ] as const) {
    assert.deepEqual(withExactCounts("shortvideo", { views: count }, { views: exact }), { views: exact });
    assert.deepEqual(withExactCounts("longvideo", { views: count }, { views: exact }), { views: count });
  }
  assert.deepEqual(withExactCounts("shortvideo", { views: 10_000 }, { views: 9_999 }), { views: 10_000 });
});

test("an equal count is not rounded, and nothing is a rough count rounded", () => {
  const margins = (count: number, other: Parameters<typeof weakerCounters>[2]) =>
    weakerCounters("shortvideo", { counters: { views: count } }, other);
  assert.deepEqual(margins(26_100, { counters: { views: 26_123 } }), { "counters.views": 1 });
  assert.deepEqual(margins(26_000, { counters: { views: 26_000 } }), {});
  assert.deepEqual(margins(26_100, { counters: { views: 26_123 }, approximate: { "counters.views": 500 } }), {});
});

test("a history shows a rounded count as the exact one before it, or else after it, and each once", () => {
  const captured = [26_100, 26_123, 26_100, 26_100, 26_149].map((views, capturedAt) => ({
    capturedAt,
    counters: JSON.stringify({ views }),
  }));
  assert.deepEqual(exactHistory("shortvideo", captured), [
    { capturedAt: 0, counters: { views: 26_123 } },
    { capturedAt: 4, counters: { views: 26_149 } },
  ]);
  assert.deepEqual(
    exactHistory("longvideo", captured).map(({ capturedAt }) => capturedAt),
    [0, 1, 2, 4],
  );
});

test("a count that is only known roughly is marked", () => {
  const record = { counters: { views: 5, likes: 6 }, approximate: { "counters.views": 1 } };
  assert.deepEqual([countOf(record, "views"), countOf(record, "likes")], [new Approximate(5), 6]);
  assert.equal(countOf(record, "shares"), null);
});
