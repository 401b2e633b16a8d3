import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DAY_S } from "#domain/time.ts";
import { atLeast, author, between, dates, languages, views } from "./filter-terms.ts";

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

test("whole years and months are one term each, and a window over midnight has both days", () => {
  const terms = (since: string, until: string) => anyOf(between(Date.parse(since) / 1000, Date.parse(until) / 1000));
  assert.deepEqual(terms("2025-01-01", "2027-01-01"), ["y:2025", "y:2026"]);
  assert.deepEqual(terms("2025-02-01", "2025-04-01"), ["m:202502", "m:202503"]);
  assert.deepEqual(terms("2025-02-08T23:00Z", "2025-02-09T01:00Z"), ["d:20250208", "d:20250209"]);
});

test("a language has a term with each of its first three subtags, as far as they are well-formed", () => {
  const hant = ["l:zh", "l:zh-hant", "l:zh-hant-tw", "l:zh-hant-tw-wadegile"];
  assert.deepEqual(languages("zh-Hant-TW-wadegile-x-own"), hant);
  assert.deepEqual(languages('en-"us"-gb'), ["l:en"]);
});

test("a view count matches every minimum that it reaches", () => {
  assert.ok(anyOf(atLeast(views, 0)).includes(views(0)));
  assert.ok(anyOf(atLeast(views, 900)).includes(views(Number.MAX_SAFE_INTEGER)));
  fc.assert(
    fc.property(fc.nat(1e9), fc.nat(1e9), (count, minimum) => {
      if (count >= minimum) assert.ok(anyOf(atLeast(views, minimum)).includes(views(count)));
    }),
  );
});

test("ids that differ in case have different terms", () => assert.notEqual(author("UCaB"), author("UCAb")));
