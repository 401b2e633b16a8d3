import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DAY_S, HOUR_S } from "#domain/time.ts";
import { formatDate, formatClock, formatCount, formatRelativeTime, addStreamedPrefix } from "./display-text.ts";

const NOW = Date.UTC(2026, 10, 15, 12) / 1000;

const ago = (seconds: number, language = "en") => formatRelativeTime(NOW - seconds, NOW, language);

test("relative times use whole units of the largest unit that fits", () => {
  assert.equal(ago(0), "0 seconds ago");
  assert.equal(ago(1), "1 second ago");
  assert.equal(ago(59), "59 seconds ago");
  assert.equal(ago(60), "1 minute ago");
  assert.equal(ago(HOUR_S - 1), "59 minutes ago");
  assert.equal(ago(HOUR_S), "1 hour ago");
  assert.equal(ago(DAY_S - 1), "23 hours ago");
  assert.equal(ago(DAY_S), "1 day ago");
  assert.equal(ago(3 * DAY_S + 5 * HOUR_S), "3 days ago");
  assert.equal(ago(7 * DAY_S), "1 week ago");
  assert.equal(ago(29 * DAY_S), "4 weeks ago");
  assert.equal(ago(30 * DAY_S), "1 month ago");
  assert.equal(ago(364 * DAY_S), "12 months ago");
  assert.equal(ago(365 * DAY_S), "1 year ago");
  assert.equal(ago(20 * 365 * DAY_S), "20 years ago");
});

test("relative times are in the requested language, or in English if it has no locale data", () => {
  assert.equal(ago(3 * DAY_S, "es"), "hace 3 días");
  assert.equal(ago(3 * DAY_S, "ja"), "3 日前");
  assert.equal(ago(3 * DAY_S, "zz"), "3 days ago");
});

test("future times are formatted as such", () => {
  assert.equal(formatRelativeTime(NOW + 2 * HOUR_S, NOW, "en"), "in 2 hours");
});

test("a streamed video gets a prefix, an unknown time does not", () => {
  assert.equal(addStreamedPrefix(ago(3 * DAY_S)), "Streamed 3 days ago");
  assert.equal(addStreamedPrefix(null), null);
});

test("counts are abbreviated by the language's rules", () => {
  assert.equal(formatCount(0, "en"), "0");
  assert.equal(formatCount(999, "en"), "999");
  assert.equal(formatCount(1_234, "en"), "1.2K");
  assert.equal(formatCount(12_345, "en"), "12.3K");
  assert.equal(formatCount(4_000_000, "en"), "4M");
  assert.match(formatCount(1_234, "es") ?? "", /^1,2\smil$/u);
  assert.equal(formatCount(12_345, "ja"), "1.2万");
});

test("durations are M:SS below an hour and H:MM:SS from there on", () => {
  assert.equal(formatClock(0), "0:00");
  assert.equal(formatClock(7), "0:07");
  assert.equal(formatClock(754), "12:34");
  assert.equal(formatClock(3_599.9), "59:59");
  assert.equal(formatClock(3_600), "1:00:00");
  assert.equal(formatClock(3_723), "1:02:03");
  assert.equal(formatClock(100 * HOUR_S), "100:00:00");
});

test("every clock text parses back to its duration", () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000 }), (seconds) => {
      const text = formatClock(seconds) ?? "";
      assert.match(text, /^(?:\d+:[0-5]\d|[1-5]?\d):[0-5]\d$/);
      assert.equal(
        text.split(":").reduce((total, part) => total * 60 + Number(part), 0),
        seconds,
      );
    }),
  );
});

test("dates are in UTC, and times beyond the calendar have none", () => {
  assert.equal(formatDate(NOW), "2026-11-15");
  assert.equal(formatDate(0), "1970-01-01");
  assert.equal(formatDate(1e15), null);
  assert.equal(formatDate(Number.NaN), null);
});

test("null stays null", () => {
  assert.equal(formatRelativeTime(null, NOW, "en"), null);
  assert.equal(formatCount(undefined, "en"), null);
  assert.equal(formatClock(null), null);
  assert.equal(formatDate(null), null);
});
