import assert from "node:assert/strict";
import { test } from "node:test";
import {
  readAddress,
  readCount,
  readId,
  readLanguage,
  readMeasure,
  readName,
  readSeconds,
  readText,
} from "./field-readers.ts";

const each = <Value>(read: (value: unknown) => Value | undefined, cases: [unknown, Value | undefined][]) => {
  for (const [value, expected] of cases) assert.equal(read(value), expected, JSON.stringify(value));
};

test("ids are digits, also as small numbers or wrapped by a database; 0 is none", () => {
  each(readId, [
    ["7411000000000000101", "7411000000000000101"],
    [42, "42"],
    [{ $numberLong: "7411000000000000101" }, "7411000000000000101"],
    [2 ** 60, undefined],
    ["0", undefined],
    ["", undefined],
    [" 1", undefined],
    ["DAbc", undefined],
    [-1, undefined],
    [null, undefined],
  ]);
});

test("counts are whole numbers from zero, however written", () => {
  each(readCount, [
    [0, 0],
    ["142877", 142877],
    ["17972.0", 17972],
    [-1, undefined],
    ["1.5", undefined],
    [1.5, undefined],
    [Number.NaN, undefined],
    ["451K", undefined],
    ["", undefined],
    [true, undefined],
    ["99999999999999999999", undefined],
  ]);
});

test("times are seconds, from seconds, milliseconds, digit text or a date", () => {
  each(readSeconds, [
    [1725530400, 1725530400],
    ["1725530400", 1725530400],
    [1725530400123, 1725530400],
    ["2024-09-05T10:00:00.000Z", 1725530400],
    ["2024-09-05 10:00:00", 1725530400],
    ["2024-09-05T12:00:00+02:00", 1725530400],
    ["2024-09-05", 1725494400],
    [0, undefined],
    ["yesterday", undefined],
    ["2024-13-45", undefined],
  ]);
});

test("names lose their @, and what is no name is none", () => {
  each(readName, [
    ["@mara.quillfeather", "mara.quillfeather"],
    ["tobin_ashgrove", "tobin_ashgrove"],
    ["", undefined],
    ["@", undefined],
    ["two words", undefined],
  ]);
});

test("text keeps emptiness and loses what cannot be stored", () => {
  each(readText, [
    ["", ""],
    ["a\0b", "ab"],
    ["\ud800", "\ufffd"],
    [3, undefined],
  ]);
});

test("addresses, languages and measures", () => {
  each(readAddress, [
    ["https://media.example/a.jpg", "https://media.example/a.jpg"],
    ["", undefined],
    ["javascript:alert(1)", undefined],
  ]);
  each(readLanguage, [
    ["en", "en"],
    ["pt-BR", "pt-BR"],
    ["un", undefined],
    ["", undefined],
  ]);
  each(readMeasure, [
    [23, 23],
    [23.6, 24],
    ["15", 15],
    [0, undefined],
    [-4, undefined],
  ]);
});
