import assert from "node:assert/strict";
import { test } from "node:test";
import { measured, median } from "../bench/report.ts";

test("the median of an even number of rounds is the mean of the middle two", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 10]), 3);
  assert.deepEqual(measured("x", [2, 1]), { name: "x", value: 1.5, range: [1, 2] });
});
