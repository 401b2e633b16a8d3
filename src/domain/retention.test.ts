import assert from "node:assert/strict";
import { test } from "node:test";
import { daysFor, isExpired, listExpiries, type RetentionRule } from "./retention.ts";
import { DAY_MS } from "./time.ts";

const NOW = 1_000 * DAY_MS;
const RULES: RetentionRule[] = [
  { source: "", kind: "", days: 400 },
  { source: "", kind: "comment", days: 30 },
  { source: "zeeschuimer", kind: "", days: null },
  { source: "zeeschuimer", kind: "post", days: 90 },
];

test("the most specific rule counts: source and kind, source, kind, everything", () => {
  const days = (source: string, kind: "post" | "comment") => daysFor(RULES, source, kind);
  assert.deepEqual(
    [days("zeeschuimer", "post"), days("zeeschuimer", "comment"), days("yt-dlp", "comment"), days("yt-dlp", "post")],
    [90, null, 30, 400],
  );
  assert.equal(daysFor([], "yt-dlp", "post"), null);
});

test("what the terms of a source demand shortens its rules, and lengthens none", () => {
  const duties = [
    { source: "zeeschuimer", days: 100 },
    { source: "live", days: 30 },
  ];
  const days = (kind: string, source: string | null) =>
    listExpiries(RULES, duties, NOW)
      .filter((expiry) => expiry.kind === kind && expiry.source === source)
      .map(({ before }) => (NOW - before) / DAY_MS);
  assert.deepEqual([days("post", "zeeschuimer"), days("comment", "zeeschuimer")], [[90], [100]]);
  assert.deepEqual([days("post", "live"), days("post", null)], [[30], [400]]);
  assert.deepEqual([days("history", "live"), days("history", null)], [[], [400]]);
  assert.deepEqual(listExpiries(RULES.slice(2, 3), [], NOW), [], "what is kept for ever never expires");
});

test("a record expires after its last day, by its own source's rule alone", () => {
  const expiries = listExpiries(RULES, [], NOW);
  const isDue = (source: string | null, days: number) => isExpired(expiries, "post", source, NOW - days * DAY_MS);
  assert.deepEqual([isDue("zeeschuimer", 90), isDue("zeeschuimer", 91)], [false, true]);
  assert.deepEqual([isDue("yt-dlp", 91), isDue("yt-dlp", 401)], [false, true]);
  assert.deepEqual([isDue(null, 400), isDue(null, 401)], [false, true]);
});
