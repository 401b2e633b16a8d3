import assert from "node:assert/strict";
import { test } from "node:test";
import { windowStart } from "./publishing-window.ts";

const seconds = (text: string) => Date.parse(text) / 1000;
const NOW = seconds("2026-11-15T12:34:56Z");

test("rolling windows are exact to the second", () => {
  assert.equal(windowStart("last_hour", NOW, "UTC"), seconds("2026-11-15T11:34:56Z"));
  assert.equal(windowStart("this_week", NOW, "UTC"), seconds("2026-11-08T12:34:56Z"));
  assert.equal(windowStart("this_month", NOW, "UTC"), seconds("2026-10-16T12:34:56Z"));
  assert.equal(windowStart("this_year", NOW, "UTC"), seconds("2025-11-15T12:34:56Z"));
});

test("today starts at midnight in the time zone", () => {
  assert.equal(windowStart("today", NOW, "UTC"), seconds("2026-11-15T00:00:00Z"));
  assert.equal(windowStart("today", NOW, "Asia/Tokyo"), seconds("2026-11-15T00:00:00+09:00"));
  assert.equal(windowStart("today", NOW, "America/New_York"), seconds("2026-11-15T00:00:00-05:00"));
  assert.equal(windowStart("today", NOW, "Asia/Kathmandu"), seconds("2026-11-15T00:00:00+05:45"));
});

test("today starts now in its first second", () => {
  const midnight = seconds("2026-11-15T00:00:00Z");
  assert.equal(windowStart("today", midnight, "UTC"), midnight);
  assert.equal(windowStart("today", midnight - 1, "UTC"), midnight - 86_400);
});

test("a day with a clock change starts at its own first second", () => {
  // Berlin turns back an hour at 03:00 of this day.
  assert.equal(
    windowStart("today", seconds("2026-10-25T20:00:00+01:00"), "Europe/Berlin"),
    seconds("2026-10-25T00:00:00+02:00"),
  );
  // In Santiago this day began at 01:00, since midnight was skipped.
  assert.equal(
    windowStart("today", seconds("2024-09-08T15:00:00Z"), "America/Santiago"),
    seconds("2024-09-08T04:00:00Z"),
  );
});
