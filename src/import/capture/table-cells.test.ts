import assert from "node:assert/strict";
import { test } from "node:test";
import {
  parseClockDuration,
  parseEnglishDate,
  readTime,
  parseIsoDuration,
  parseLength,
  readTableCount,
  splitList,
} from "./table-cells.ts";

test("durations: ISO 8601 and clock text; zero is unknown", () => {
  assert.equal(parseIsoDuration("PT1H2M3S"), 3723);
  assert.equal(parseIsoDuration("P1DT1S"), 86_401);
  assert.equal(parseIsoDuration("P0D"), undefined);
  assert.equal(parseClockDuration("1:02:03"), 3723);
  assert.equal(parseClockDuration("LIVE"), undefined);
  for (const [cell, seconds] of [
    ["PT5M16S", 316],
    ["5:16", 316],
    ["0 days 00:05:16", 316],
    ["316.4", 316],
  ] as const) {
    assert.equal(parseLength(cell), seconds, cell);
  }
  assert.equal(parseLength("five minutes"), undefined);
});

test("counts: grouped digits are exact, rounded ones unknown", () => {
  assert.equal(readTableCount("1,234,567"), 1_234_567);
  assert.equal(readTableCount("17972.0"), 17_972);
  for (const cell of ["1.2M", "12,34", "-1", "", "n/a", "1,234.5", "12.000", "1.234.567"])
    assert.equal(readTableCount(cell), undefined, cell);
});

test("days in English; other orders are ambiguous, so unknown", () => {
  assert.equal(parseEnglishDate("Jun 7, 2020"), Date.UTC(2020, 5, 7) / 1000);
  assert.equal(parseEnglishDate("September 30, 2024"), Date.UTC(2024, 8, 30) / 1000);
  for (const day of ["07/06/2020", "Xyz 7, 2020", "Jun 70, 2020", "Jun 31, 2020", "7 Jun 2020"]) {
    assert.equal(parseEnglishDate(day), undefined, day);
  }
});

test("times have a margin of a day where only the day is known", () => {
  const day = { value: Date.UTC(2020, 5, 7) / 1000, margin: 86_400 };
  for (const text of ["2020-06-07", " 20200607 ", "Jun 7, 2020"]) assert.deepEqual(readTime(text), day, text);
  for (const time of ["2020-06-07T00:00:00Z", "2020-06-07 00:00", day.value, String(day.value)]) {
    assert.equal(readTime(time), day.value, String(time));
  }
  for (const other of ["12345678", "no-date-no", "", null]) assert.equal(readTime(other), undefined, String(other));
});

test("lists: as JSON, Python, with bars, commas or hash signs", () => {
  assert.deepEqual(splitList(["a", "", 3, "b"]), ["a", "b"]);
  assert.deepEqual(splitList(`['it''s', "boatman's pole", 'a, b']`), ["it''s", "boatman's pole", "a, b"]);
  assert.deepEqual(splitList('["x","y"]'), ["x", "y"]);
  assert.deepEqual(splitList(String.raw`["caf\u00e9", "\u65e5\u672c", "a \"b\", c"]`), ["café", "日本", 'a "b", c']);
  assert.equal(splitList('[{"name":"x"}]'), undefined);
  assert.deepEqual(splitList("a| b|"), ["a", "b"]);
  assert.deepEqual(splitList("#one #two#three\n＃四"), ["#one", "#two", "#three", "＃四"]);
  assert.deepEqual(splitList("#one #two, ##three, c# basics"), ["#one", "#two", "##three", "c# basics"]);
  assert.deepEqual(splitList("#c# #art"), ["#c", "#art"]);
  assert.deepEqual(splitList("a, b"), ["a", "b"]);
  for (const none of ["", "[None]", "nan", "[]"]) assert.equal(splitList(none), undefined, none);
});
