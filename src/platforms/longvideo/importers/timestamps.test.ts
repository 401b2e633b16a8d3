import assert from "node:assert/strict";
import { test } from "node:test";
import { exactCount, shownCount, shownText } from "../recognise/page-text.ts";
import { readHandle } from "./id-forms.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { clockLengthOf, estimatedMoment, isoLengthOf } from "./timestamps.ts";

test("lengths: ISO 8601 and clock text; nought is none", () => {
  assert.equal(isoLengthOf("PT1H2M3S"), 3723);
  assert.equal(isoLengthOf("P1DT1S"), 86_401);
  assert.equal(isoLengthOf("P0D"), undefined);
  assert.equal(clockLengthOf("1:02:03"), 3723);
  assert.equal(clockLengthOf("LIVE"), undefined);
});

test("counts: exact ones only, whatever the language groups digits by", () => {
  assert.equal(exactCount("1,234,567 views"), 1_234_567);
  assert.equal(exactCount("1.234 Aufrufe"), 1234);
  assert.equal(exactCount("12\u202F345 vues"), 12_345);
  assert.equal(exactCount("812 views"), 812);
  for (const about of [
    "1.2M views",
    "12 Mio. Aufrufe",
    "87K views",
    "3 lakh views",
    "1,2 k vues",
    "12万 回視聴",
    "No views",
  ]) {
    assert.equal(exactCount(about), undefined, about);
  }
  assert.equal(shownCount("1.2K"), 1200);
  assert.equal(shownCount("48.6K subscribers"), 48_600);
});

test("ages become times only where the capture's time is known", () => {
  const at = Date.UTC(2026, 5, 1);
  assert.equal(estimatedMoment("3 days ago (edited)", at), at / 1000 - 3 * 86_400);
  assert.equal(estimatedMoment("an hour ago", at), at / 1000 - 3600);
  assert.equal(estimatedMoment("3 days ago", null), undefined);
  assert.equal(estimatedMoment("vor 3 Tagen", at), undefined);
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
  assert.equal(shownText({ simpleText: "one" }), "one");
  assert.equal(shownText({ runs: [{ text: "two" }, { text: " " }, { text: "words" }, {}] }), "two words");
  assert.equal(shownText({ content: "three" }), "three");
  assert.equal(shownText({ runs: "none" }), undefined);
});
