import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DAY_S, HOUR_S } from "#domain/time.ts";
import { calendarDate, clockText, compactCount, relativeTime, streamed } from "./display-text.ts";

const NOW = Date.UTC(2026, 10, 15, 12) / 1000;

const ago = (seconds: number, language = "en") => relativeTime(NOW - seconds, NOW, language);

test("an age is told in whole units of the largest unit that fits", () => {
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

test("an age is told in the language asked for, and in English where that language has no data", () => {
  assert.equal(ago(3 * DAY_S, "es"), "hace 3 días");
  assert.equal(ago(3 * DAY_S, "ja"), "3 日前");
  assert.equal(ago(3 * DAY_S, "zz"), "3 days ago");
});

test("what is announced for later is told as such", () => {
  assert.equal(relativeTime(NOW + 2 * HOUR_S, NOW, "en"), "in 2 hours");
});

test("a streamed video is marked, an unknown time is not", () => {
  assert.equal(streamed(ago(3 * DAY_S)), "Streamed 3 days ago");
  assert.equal(streamed(null), null);
});

test("counts are abbreviated as the language does it", () => {
  assert.equal(compactCount(0, "en"), "0");
  assert.equal(compactCount(999, "en"), "999");
  assert.equal(compactCount(1_234, "en"), "1.2K");
  assert.equal(compactCount(12_345, "en"), "12.3K");
  assert.equal(compactCount(4_000_000, "en"), "4M");
  assert.match(compactCount(1_234, "es") ?? "", /^1,2\smil$/u);
  assert.equal(compactCount(12_345, "ja"), "1.2万");
});

test("lengths are M:SS below an hour and H:MM:SS from there on", () => {
  assert.equal(clockText(0), "0:00");
  assert.equal(clockText(7), "0:07");
  assert.equal(clockText(754), "12:34");
  assert.equal(clockText(3_599.9), "59:59");
  assert.equal(clockText(3_600), "1:00:00");
  assert.equal(clockText(3_723), "1:02:03");
  assert.equal(clockText(100 * HOUR_S), "100:00:00");
});

test("every clock text reads back as the length it was made from", () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000 }), (seconds) => {
      const text = clockText(seconds) ?? "";
      assert.match(text, /^(?:\d+:[0-5]\d|[1-5]?\d):[0-5]\d$/);
      assert.equal(
        text.split(":").reduce((total, part) => total * 60 + Number(part), 0),
        seconds,
      );
    }),
  );
});

test("dates are days of UTC, and a second beyond the calendar has none", () => {
  assert.equal(calendarDate(NOW), "2026-11-15");
  assert.equal(calendarDate(0), "1970-01-01");
  assert.equal(calendarDate(1e15), null);
  assert.equal(calendarDate(Number.NaN), null);
});

test("what is not known stays unknown", () => {
  assert.equal(relativeTime(null, NOW, "en"), null);
  assert.equal(compactCount(undefined, "en"), null);
  assert.equal(clockText(null), null);
  assert.equal(calendarDate(null), null);
});
