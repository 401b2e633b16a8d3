import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, DAY_S, dayOf, HOUR_MS, HOUR_S, MINUTE_S, startOfDay, toIsoDate } from "./time.ts";

test("a day begins at midnight UTC and ends a millisecond before the next", () => {
  const noon = Date.parse("2026-11-15T12:00:00Z");
  assert.equal(toIsoDate(startOfDay(dayOf(noon))), "2026-11-15");
  assert.equal(startOfDay(dayOf(noon)), Date.parse("2026-11-15"));
  assert.equal(dayOf(startOfDay(dayOf(noon) + 1) - 1), dayOf(noon));
  assert.equal(dayOf(-1), -1);
});

test("lengths agree with each other", () => {
  assert.deepEqual([HOUR_S, DAY_S], [60 * MINUTE_S, 24 * HOUR_S]);
  assert.deepEqual([HOUR_MS, DAY_MS], [HOUR_S * 1000, DAY_S * 1000]);
});
