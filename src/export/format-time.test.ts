import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { formatTime } from "./format-time.ts";

test("any time is written as toISOString writes it", () => {
  const year9999 = Date.UTC(9999, 11, 31);
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: year9999 }), (ms) =>
      assert.equal(formatTime(ms), new Date(ms).toISOString()),
    ),
  );
});
