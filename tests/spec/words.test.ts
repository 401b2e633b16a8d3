import assert from "node:assert/strict";
import { test } from "node:test";
import { meets, type Word } from "./words.ts";

function says(word: Word, verdicts: { takes: unknown[]; refuses: unknown[] }): void {
  test(`"${word}" takes what the contract means by it and refuses what only looks like it`, () => {
    for (const value of verdicts.takes) assert.ok(meets(word, value, "en"), JSON.stringify(value));
    for (const value of verdicts.refuses) assert.ok(!meets(word, value, "en"), JSON.stringify(value));
  });
}

says("string", { takes: ["", "7"], refuses: [7, null, [], true] });
says("boolean", { takes: [true, false], refuses: ["true", 0, null] });
says("integer", { takes: [0, -3, 41], refuses: [1.5, "1", null, 2 ** 53, Number.NaN] });
says("number", { takes: [0, 1.5], refuses: ["1.5", null, Number.POSITIVE_INFINITY] });
says("zero", { takes: [0], refuses: [1, "0", null, false] });
says("the text OK", { takes: ["OK"], refuses: ["ok", "", 0] });
says("unix seconds", {
  takes: [0, 1_790_000_000],
  refuses: [1_790_000_000_000, -1, "1790000000", null],
});
says("unix milliseconds", { takes: [1_790_000_000_000], refuses: [1_790_000_000, 0, null] });
says("digits", {
  takes: ["0", "1207"],
  refuses: [1207, "", "-1", "1.5", "007", "1,207", "1.2K", null],
});
says("url", {
  takes: ["", "https://media.example/a.jpg?x=1", "http://media.example"],
  refuses: [null, "media.example/a.jpg", "//media.example", "ftp://media.example", "https://", "https://a b"],
});
says("upper case", { takes: ["NZ", ""], refuses: ["nz", "Nz", null] });
says("date", {
  takes: ["", "2024-02-29"],
  refuses: ["2026-02-30", "2026-13-01", "20260228", "3 days ago", null],
});
says("clock", {
  takes: ["", "0:07", "12:05", "59:59", "1:00:00", "123:00:09"],
  refuses: ["7", "0:7", "05:12", "60:00", "1:60", "0:12:05", "1:2:03", "1:02:60", "12:05 ", 725, null],
});
says("relative", {
  takes: ["", "1 hour ago", "3 days ago", "Streamed 2 weeks ago", "1,024 days ago", "yesterday", "last year"],
  refuses: ["2026-02-28", "in 0 seconds", "in 3 hours", "3 days", "Streamed", "3 fortnights ago", 3, null],
});
says("abbreviated", {
  takes: ["", "0", "999", "1.2K", "12K", "143M"],
  refuses: ["1234", "1,234", "1.5", "K", "1.2 K", 12, null],
});
says("boolean word", { takes: ["true", "False"], refuses: [true, "", "yes", "0", null] });
says("array", { takes: [[], [1, null]], refuses: [{}, null, ""] });
says("empty array", { takes: [[]], refuses: [[1], null, {}] });
says("object", { takes: [{}, { a: 1 }], refuses: [[], null, ""] });
says("null", { takes: [null], refuses: ["", 0, false, "null"] });
says("nullable", { takes: [null, "", 0, false, [], {}], refuses: [] });
says("nullable integer", { takes: [null, 4], refuses: ["4", 4.5, ""] });
says("nullable array", { takes: [null, []], refuses: [{}, ""] });

test("other languages are judged by what a text must not be", () => {
  for (const text of ["vor 3 Tagen", "hace 2 horas", "ayer", "3 日前"]) assert.ok(meets("relative", text, "es"), text);
  for (const text of ["2026-02-28", "12:05", "17", " "]) assert.ok(!meets("relative", text, "es"), text);
  assert.ok(meets("abbreviated", "1,2 mil", "es"));
  assert.ok(!meets("abbreviated", "mil", "es"));
});
