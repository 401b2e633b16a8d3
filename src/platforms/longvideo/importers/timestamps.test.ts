import assert from "node:assert/strict";
import { test } from "node:test";
import { readExactCount, readRoundedCount, readPageText } from "../recognise/page-text.ts";
import { readHandle } from "./id-forms.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { parseClockDuration, estimateTime, parseIsoDuration } from "./timestamps.ts";

test("durations: ISO 8601 and clock text; zero is unknown", () => {
  assert.equal(parseIsoDuration("PT1H2M3S"), 3723);
  assert.equal(parseIsoDuration("P1DT1S"), 86_401);
  assert.equal(parseIsoDuration("P0D"), undefined);
  assert.equal(parseClockDuration("1:02:03"), 3723);
  assert.equal(parseClockDuration("LIVE"), undefined);
});

test("counts: exact ones only, with any digit grouping", () => {
  assert.equal(readExactCount("1,234,567 views"), 1_234_567);
  assert.equal(readExactCount("1.234 Aufrufe"), 1234);
  assert.equal(readExactCount("12\u202F345 vues"), 12_345);
  assert.equal(readExactCount("812 views"), 812);
  for (const about of [
    "1.2M views",
    "12 Mio. Aufrufe",
    "87K views",
    "3 lakh views",
    "1,2 k vues",
    "12万 回視聴",
    "No views",
  ]) {
    assert.equal(readExactCount(about), undefined, about);
  }
  assert.equal(readRoundedCount("1.2K"), 1200);
  assert.equal(readRoundedCount("48.6K subscribers"), 48_600);
});

test("relative times are estimated only if the capture time is known", () => {
  const at = Date.UTC(2026, 5, 1);
  assert.equal(estimateTime("3 days ago (edited)", at), at / 1000 - 3 * 86_400);
  assert.equal(estimateTime("an hour ago", at), at / 1000 - 3600);
  assert.equal(estimateTime("3 days ago", null), undefined);
  assert.equal(estimateTime("vor 3 Tagen", at), undefined);
});

test("HTML becomes text", () => {
  assert.equal(htmlToText('a &amp; b<br />c <a href="x">d</a> &#39;e&#39; &lt;f&gt;'), "a & b\nc d 'e' <f>");
  assert.equal(htmlToText("I <3 this & that"), "I <3 this & that");
});

test("handles, with or without an address", () => {
  assert.equal(readHandle("@lantern.walks"), "lantern.walks");
  assert.equal(readHandle("http://www.youtube.com/@lanternwalks"), "lanternwalks");
  assert.equal(readHandle("/@lanternwalks"), "lanternwalks");
  assert.equal(readHandle("Lantern Walks"), undefined);
});

test("texts of pages: plain, in runs with the spaces between them, or with attributes", () => {
  assert.equal(readPageText({ simpleText: "one" }), "one");
  assert.equal(readPageText({ runs: [{ text: "two" }, { text: " " }, { text: "words" }, {}] }), "two words");
  assert.equal(readPageText({ content: "three" }), "three");
  assert.equal(readPageText({ runs: "none" }), undefined);
});
