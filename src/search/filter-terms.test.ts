import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DAY_S } from "#domain/time.ts";
import { atLeast, author, between, dates, views } from "./filter-terms.ts";

const second = fc.integer({ min: Date.UTC(2005, 0, 1) / 1000, max: Date.UTC(2040, 0, 1) / 1000 });
const anyOf = (match: unknown) => (match as { any: string[] }).any;

test("every second of a window has one of its date terms, and no term reaches more than a day beyond it", () => {
  fc.assert(
    fc.property(second, fc.nat(4 * 365 * DAY_S), second, (since, length, at) => {
      const covered = dates(at).some((date) => anyOf(between(since, since + length)).includes(date));
      if (at >= since && at < since + length) assert.ok(covered);
      if (at < since - DAY_S || at >= since + length + DAY_S) assert.ok(!covered);
    }),
    { numRuns: 500 },
  );
});

test("a time that no date of four digits names has no date term", () => {
  assert.deepEqual(dates(253_402_300_799), ["d:99991231", "m:999912", "y:9999"]);
  assert.deepEqual([-1, 0, 253_402_300_800, 1e13].flatMap(dates), []);
});

test("a window of years needs few date terms", () => {
  const tenYears = anyOf(between(Date.UTC(2015, 4, 9) / 1000, Date.UTC(2025, 10, 20) / 1000));
  assert.ok(tenYears.length < 75, `${tenYears.length}`);
});

test("a view count matches every minimum that it reaches", () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.nat(1e9), (count, minimum) => {
      if (count >= minimum) assert.ok(anyOf(atLeast(views, minimum)).includes(views(count)));
    }),
  );
});

test("ids that differ in case have different terms", () => assert.notEqual(author("UCaB"), author("UCAb")));
