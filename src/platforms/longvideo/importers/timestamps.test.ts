import assert from "node:assert/strict";
import { test } from "node:test";
import { readDisplayedCount, readExactCount, readPageText, readViews } from "../recognise/page-text.ts";
import { readHandle } from "./id-forms.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { estimateTime, parseDisplayedDay, parseRelativeTime } from "./timestamps.ts";

test("counts: exact ones only, with any digit grouping", () => {
  assert.equal(readExactCount("1,234,567 views"), 1_234_567);
  assert.equal(readExactCount("1.234 Aufrufe"), 1234);
  assert.equal(readExactCount("12\u202F345 vues"), 12_345);
  assert.equal(readExactCount("812 views"), 812);
  for (const text of ["조회수 1,234회", "댓글 1,234개", "ดู 1,234 ครั้ง"]) assert.equal(readExactCount(text), 1234, text);
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
});

test("rounded counts have a margin, in the words of many languages", () => {
  assert.equal(readDisplayedCount("1,234 likes"), 1234);
  for (const [text, value, margin] of [
    ["1.2K", 1200, 100],
    ["48.6K subscribers", 48_600, 100],
    ["26K views", 26_000, 1000],
    ["1,2 Mio. Aufrufe", 1_200_000, 100_000],
    ["3 lakh views", 300_000, 100_000],
    ["1,5 k vues", 1500, 100],
    ["12万 回視聴", 120_000, 10_000],
    ["12万回視聴", 120_000, 10_000],
    ["2,3 тыс. просмотров", 2300, 100],
    ["1,25 Mrd. Aufrufe", 1_250_000_000, 10_000_000],
    ["12 B görüntüleme", 12_000, 1000],
    ["1.2 B views", 1_200_000_000, 100_000_000],
    ["1.2 mil visualizaciones", 1200, 100],
    ["1,2 mil. zobrazení", 1_200_000, 100_000],
    ["12 N lượt xem", 12_000, 1000],
    ["12 тис. переглядів", 12_000, 1000],
  ] as const) {
    assert.deepEqual(readDisplayedCount(text), { value, margin }, text);
    if (/[^Ks]$/.test(text) && !/zobraz|xem|перегляд/.test(text))
      assert.deepEqual(readViews(text), { value, margin }, text);
  }
  for (const other of ["Tower Keepers", "26 videos", "3 watching", "17 hours ago"]) {
    assert.equal(readViews(other), undefined, other);
  }
  assert.equal(readViews("No views"), 0);
});

const LANGUAGES =
  "af am ar az be bg bn bs ca cs da de el en en-IN es es-419 es-US et eu fa fi fil fr fr-CA gl gu hi hr hu hy id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my ne nl no or pa pl pt pt-PT ro ru si sk sl sq sr sr-Latn sv sw ta te th tr uk ur uz vi zh-CN zh-HK zh-TW zu";

test("a rounded count is read rightly or not at all in every language of YouTube's pages", () => {
  for (const language of LANGUAGES.split(" ")) {
    for (const digits of [{}, { maximumFractionDigits: 1 }]) {
      const options = { notation: "compact", roundingMode: "trunc", numberingSystem: "latn", ...digits } as const;
      const format = new Intl.NumberFormat(language, options);
      // Nothing but views reaches a thousand million, which Indonesian has another letter for.
      const word = language === "id" ? " x ditonton" : "";
      for (const count of [1234, 12_345, 123_456, 1_234_567, 12_345_678, 123_456_789, 1_234_567_890, 12_345_678_901]) {
        const text = format.format(count) + word;
        const read = readDisplayedCount(text) ?? count;
        const { value, margin } = typeof read === "number" ? { value: read, margin: 0 } : read;
        assert.ok(value <= count && count <= value + margin, `${language}: ${text} is not ${value}`);
      }
    }
  }
});

test("days of the watch page, with or without a word before them; ambiguous ones are unknown", () => {
  for (const text of [
    "Mar 2, 2024",
    "Streamed live on Mar 2, 2024",
    "Premiered 2 Mar 2024",
    "02.03.2024",
    "2024/03/02",
  ]) {
    assert.deepEqual(parseDisplayedDay(text), { value: Date.UTC(2024, 2, 2, 12) / 1000, margin: 86_400 }, text);
  }
  for (const text of ["03/02/2024", "Foo 2, 2024", "2 hours ago", undefined])
    assert.equal(parseDisplayedDay(text), undefined);
});

test("ages as pages write them, short or in other languages", () => {
  const days = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400, year: 365 * 86_400 };
  const units = { second: 1, minute: 60, hour: 3600, ...days };
  const texts: [text: string, amount: number, unit: keyof typeof units][] = [
    ["4d ago", 4, "day"],
    ["2mo ago", 2, "month"],
    ["Streamed 1y ago", 1, "year"],
    ["hace 3 días", 3, "day"],
    ["hace 1 año (editado)", 1, "year"],
    ["há 2 meses", 2, "month"],
    ["il y a 2 ans", 2, "year"],
    ["vor 3 Wochen", 3, "week"],
    ["vor 1 Tag", 1, "day"],
    ["5 ore fa", 5, "hour"],
    ["2 jaar geleden", 2, "year"],
    ["5 лет назад", 5, "year"],
    ["2 тижні тому", 2, "week"],
    ["3 dni temu", 3, "day"],
    ["4 ay önce", 4, "month"],
    ["17 jam yang lalu", 17, "hour"],
    ["6 tháng trước", 6, "month"],
    ["3 日前", 3, "day"],
    ["2 年前（編集済み）", 2, "year"],
    ["3 か月前", 3, "month"],
    ["4 週間前", 4, "week"],
    ["3個月前", 3, "month"],
    ["11小时前", 11, "hour"],
    ["2주 전(수정됨)", 2, "week"],
    ["30초 전", 30, "second"],
    ["5 मिनट पहले", 5, "minute"],
  ];
  for (const [text, amount, unit] of texts) {
    const expected = { value: amount * units[unit], margin: units[unit] };
    assert.deepEqual([parseRelativeTime(text), parseRelativeTime(text.normalize("NFD"))], [expected, expected], text);
  }
  const read = "de en es es-419 fr hi id it ja ko nl pl pt pt-PT ru tr uk vi zh-CN zh-HK zh-TW".split(" ");
  for (const language of new Set([...LANGUAGES.split(" "), ...read])) {
    const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`);
    for (const [unit, seconds] of Object.entries(units)) {
      for (const amount of [1, 2, 3, 5, 11, 21]) {
        const text = format.format(-amount, unit as keyof typeof units);
        const age = parseRelativeTime(text);
        if (age !== undefined || read.includes(language)) assert.equal(age?.value, amount * seconds, text);
      }
    }
  }
  for (const text of ["3 apples ago", "3 days", "hace mucho", "ago", "3 m ago", "5 years agony", "1234 days ago"])
    assert.equal(parseRelativeTime(text), undefined, text);
});

test("relative times are estimated only if the capture time is known", () => {
  const at = Date.UTC(2026, 5, 1);
  assert.deepEqual(estimateTime("3 days ago (edited)", at), { value: at / 1000 - 3 * 86_400, margin: 86_400 });
  assert.deepEqual(estimateTime("Streamed an hour ago", at), { value: at / 1000 - 3600, margin: 3600 });
  assert.equal(estimateTime("3 days ago", null), undefined);
  assert.equal(estimateTime("för 3 dagar sedan", at), undefined, "not understood");
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
