import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { ANY_CHARACTER } from "#testing/any-character.ts";
import {
  omitUnknown,
  readCaptureTime,
  readCount,
  readCountry,
  readFilledText,
  readFirstCount,
  readFlag,
  readId,
  readInteger,
  readItems,
  readLanguage,
  readList,
  readMeasure,
  readNumber,
  readObject,
  readObjectAt,
  readObjects,
  readPositiveCount,
  readText,
  readTimestamp,
  readUrl,
} from "./field-readers.ts";

const READERS: readonly ((value: unknown) => unknown)[] = [
  readCaptureTime,
  readCount,
  readCountry,
  readFilledText,
  readFlag,
  readId,
  readInteger,
  readLanguage,
  readList,
  readMeasure,
  readNumber,
  readObject,
  readPositiveCount,
  readText,
  readTimestamp,
  readUrl,
];

const each = <Value>(read: (value: unknown) => Value | undefined, cases: [unknown, Value | undefined][]) => {
  for (const [value, expected] of cases) assert.equal(read(value), expected, JSON.stringify(value));
};

describe("what is no value", () => {
  test("null and absence are unknown to every reader", () => {
    for (const read of READERS)
      each(read, [
        [null, undefined],
        [undefined, undefined],
      ]);
  });

  test("no reader throws, whatever a file holds", () => {
    const junk = fc.oneof(fc.anything({ withNullPrototype: true }), fc.string({ unit: ANY_CHARACTER }));
    fc.assert(
      fc.property(junk, (value) => {
        for (const read of READERS) read(value);
        readObjectAt(value, "a", "b");
        readItems(value);
        readObjects(value);
      }),
    );
  });
});

test("ids are digits, also as small numbers or wrapped by a database; 0 is none", () => {
  each(readId, [
    ["7411000000000000101", "7411000000000000101"],
    [42, "42"],
    [{ $numberLong: "7411000000000000101" }, "7411000000000000101"],
    [{ $numberLong: 42 }, "42"],
    [2 ** 60, undefined],
    ["0", undefined],
    [0, undefined],
    ["", undefined],
    [" 1", undefined],
    ["1\0", undefined],
    ["DAbc", undefined],
    [-1, undefined],
  ]);
});

test("a 64-bit id keeps every digit, as text or wrapped", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }), (id) => {
      assert.equal(readId(String(id)), String(id));
      assert.equal(readId({ $numberLong: String(id) }), String(id));
    }),
  );
});

test("counts are exact whole numbers from zero, however written; hidden and rounded ones are unknown", () => {
  each(readCount, [
    [0, 0],
    ["0", 0],
    ["142877", 142_877],
    [" 142877\n", 142_877],
    ["17972.0", 17_972],
    [{ $numberLong: "142877" }, 142_877],
    [-1, undefined],
    ["-1", undefined],
    ["1.5", undefined],
    [1.5, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ["451K", undefined],
    ["1.2M", undefined],
    ["451K views", undefined],
    ["1,234", undefined],
    ["12.000", undefined],
    [" 2.000 ", undefined],
    ["1.234", undefined],
    ["1.234.567", undefined],
    ["0.000", 0],
    ["2.00", 2],
    ["1e5", undefined],
    ["0x10", undefined],
    ["", undefined],
    [" ", undefined],
    [true, undefined],
    ["99999999999999999999", undefined],
  ]);
  each(readPositiveCount, [
    [0, undefined],
    ["0.0", undefined],
    [3, 3],
  ]);
});

test("every safe count is read from a number, from text and from a database's wrapper alike", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      for (const form of [count, String(count), `${count}.0`, { $numberLong: String(count) }]) {
        assert.equal(readCount(form), count);
      }
      assert.equal(readCount(-count - 1), undefined);
    }),
  );
});

test("the first source that knows a count wins; 0 is known, hidden is not", () => {
  const exact = { diggCount: null, playCount: -1 };
  assert.equal(readFirstCount([exact, { diggCount: 0 }], "diggCount"), 0);
  assert.equal(readFirstCount([exact, { plays: "12" }], "playCount", "plays"), 12);
  assert.equal(readFirstCount([exact], "playCount"), undefined);
});

test("flags are read as JSON, tables and databases write them", () => {
  for (const value of [true, "true", "True", "TRUE", " true", "yes", "Yes", 1, "1"])
    assert.equal(readFlag(value), true);
  for (const value of [false, "false", "False", "no", "NO", 0, "0"]) assert.equal(readFlag(value), false);
  for (const value of ["", "on", "maybe", 2, -1, "2", [], {}]) assert.equal(readFlag(value), undefined);
});

test("text keeps emptiness and loses what cannot be stored", () => {
  each(readText, [
    ["", ""],
    ["a\0b", "ab"],
    ["\0", ""],
    ["\ud800", "\ufffd"],
    ["a\udc00b", "a\ufffdb"],
    ["👩🏽‍🍳", "👩🏽‍🍳"],
    [3, undefined],
  ]);
  each(readFilledText, [
    [" a ", " a "],
    ["", undefined],
    [" \n", undefined],
    ["\0", undefined],
  ]);
});

test("no text that is read holds NUL or a lone surrogate, and what holds neither is read as it is", () => {
  const unit = fc.oneof(
    fc.constantFrom("\0", "\ud83d", "\udc69", "a", "ش"),
    fc.string({ unit: ANY_CHARACTER, maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const written = units.join("");
      const text = readText(written) ?? assert.fail("a text is always read");
      assert.ok(text.isWellFormed() && !text.includes("\0"));
      if (written.isWellFormed() && !written.includes("\0")) assert.equal(text, written);
      assert.equal(readText(text), text);
      const url = readUrl(`https://media.example/${written}`);
      assert.ok(url === undefined || (url.isWellFormed() && !url.includes("\0")));
    }),
  );
});

test("times are seconds, from seconds, milliseconds, microseconds, digit text or a date", () => {
  each(readTimestamp, [
    [1_725_530_400, 1_725_530_400],
    ["1725530400", 1_725_530_400],
    [1_725_530_400.9, 1_725_530_400],
    ["1725530400.9", 1_725_530_400],
    [1_725_530_400_123, 1_725_530_400],
    ["1725530400123456", 1_725_530_400],
    [{ $numberLong: "1725530400123" }, 1_725_530_400],
    ["2024-09-05T10:00:00.000Z", 1_725_530_400],
    ["2024-09-05T10:00:00.887745+00:00", 1_725_530_400],
    ["2024-09-05 10:00:00", 1_725_530_400],
    ["2024-09-05 10:00:00 UTC", 1_725_530_400],
    ["2024-09-05 10:00:00.123456 UTC", 1_725_530_400],
    ["2024-09-05 06:00:00 EDT", 1_725_530_400],
    ["2024-09-05 05:00:00 EST", 1_725_530_400],
    ["2024-09-05 10:00:00 CET", undefined],
    ["2024-09-05 12:00:00+02", 1_725_530_400],
    ["2024-09-05 10:00", 1_725_530_400],
    ["2024-09-05T12:00:00+02:00", 1_725_530_400],
    ["2024-09-05T12:00:00+0200", 1_725_530_400],
    ["2024-09-05", 1_725_494_400],
    ["20240905", 1_725_494_400],
    [0, undefined],
    [-1_725_530_400, undefined],
    [20_240_905, undefined],
    ["", undefined],
    ["yesterday", undefined],
    ["2024-13-45", undefined],
    ["20241345", undefined],
    ["2026-04-31", undefined],
    ["20260431", undefined],
    ["2026-02-29", undefined],
    ["2024-02-29", 1_709_164_800],
    ["2026-02-31T10:00:00Z", undefined],
    // Another day in UTC, but a day that exists where it was written.
    ["2024-09-05T01:00:00+02:00", 1_725_490_800],
    ["2024-09-04T23:30:00-05:00", 1_725_510_600],
    ["0001-01-01", undefined],
    ["1999-01-01", undefined],
    ["2200-01-01", undefined],
    ["9999-12-31T23:59:59Z", undefined],
    [1e30, undefined],
  ]);
  each(readCaptureTime, [
    [1_725_530_400_123, 1_725_530_400_123],
    ["1725530400123", 1_725_530_400_123],
    [1_725_530_400_123.5, 1_725_530_400_123],
    [1_725_530_400, undefined],
    [0, undefined],
  ]);
});

test("a moment is the same second in every unit and as a date", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000_000_000, max: 4_102_444_800 }), (seconds) => {
      const date = new Date(seconds * 1000).toISOString();
      for (const form of [
        seconds,
        seconds * 1000,
        seconds * 1_000_000,
        String(seconds),
        date,
        date.replace("T", " "),
      ]) {
        assert.equal(readTimestamp(form), seconds, String(form));
      }
    }),
  );
});

test("URLs are of the web, with or without the scheme", () => {
  each(readUrl, [
    ["https://media.example/a.jpg", "https://media.example/a.jpg"],
    ["HTTP://media.example/a.jpg", "HTTP://media.example/a.jpg"],
    ["//media.example/a.jpg", "https://media.example/a.jpg"],
    ["", undefined],
    ["/a.jpg", undefined],
    ["https://", undefined],
    ["https://media.example/a b", undefined],
    ['https://media.example/a.jpg",False', undefined],
    ["javascript:alert(1)", undefined],
  ]);
});

test("languages and countries", () => {
  each(readLanguage, [
    ["en", "en"],
    ["pt-BR", "pt-BR"],
    ["zh-Hant-TW", "zh-Hant-TW"],
    ["un", undefined],
    ["", undefined],
    ["English", undefined],
  ]);
  each(readCountry, [
    ["hu", "HU"],
    ["HUN", undefined],
  ]);
});

test("measures are rounded and positive; numbers may be fractions", () => {
  each(readMeasure, [
    [23, 23],
    [23.6, 24],
    ["15", 15],
    ["10.4", 10],
    [0, undefined],
    [0.2, undefined],
    [-4, undefined],
    [1e13, undefined],
  ]);
  each(readNumber, [
    ["-0.25", -0.25],
    [47.5, 47.5],
    ["12345678901234567", undefined],
    ["1.2.3", undefined],
  ]);
  each(readInteger, [
    [-3, -3],
    ["-3.0", -3],
    [2 ** 60, undefined],
  ]);
});

test("objects and lists: what is none is undefined, or empty where reads are chained", () => {
  assert.equal(readObject([]), undefined);
  assert.equal(readList({}), undefined);
  assert.deepEqual(readItems("abc"), []);
  assert.deepEqual(readList({ 0: "a", 1: "b" }), ["a", "b"]);
  for (const object of [{ 1: "a" }, { 0: "a", 2: "b" }, { 0: "a", name: "b" }])
    assert.equal(readList(object), undefined);
  assert.deepEqual(readObjects([1, null, { a: 1 }, [2]]), [{ a: 1 }]);
  assert.equal(readObjectAt({ a: { b: { c: 1 } } }, "a", "b")["c"], 1);
  assert.deepEqual(readObjectAt({ a: [] }, "a", "b"), {});
});

test("only what is known is left; 0, false and empty text are known", () => {
  assert.deepEqual(omitUnknown({ a: 0, b: null, c: undefined, d: "", e: false }), { a: 0, d: "", e: false });
  assert.equal(omitUnknown({ b: null, c: undefined }), undefined);
});
