import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffMs } from "./backoff.ts";

test("a delay doubles up to a bound, and its jitter is the share left to chance", () => {
  const delays = (jitter: number, random: number) =>
    [1, 2, 3, 9, 2_000].map((failures) => backoffMs(failures, { firstMs: 200, maxMs: 2_000, jitter }, () => random));
  assert.deepEqual(delays(1, 1), [200, 400, 800, 2_000, 2_000]);
  assert.deepEqual(delays(1, 0), [0, 0, 0, 0, 0]);
  assert.deepEqual(delays(0.5, 0), [100, 200, 400, 1_000, 1_000]);
  assert.deepEqual(delays(0, 0), delays(1, 1));
});
