import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { httpDate } from "./http-date.ts";

test("any moment is written as the engine writes it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 998) }), (ms) => {
      assert.equal(httpDate(ms), new Date(ms).toUTCString());
      assert.equal(httpDate(ms + 1), new Date(ms + 1).toUTCString());
    }),
  );
});
