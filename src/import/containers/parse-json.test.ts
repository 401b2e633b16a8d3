import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "./parse-json.ts";
import { UnreadableError } from "./unreadable-error.ts";

const BIG = "12345678901234567890";

test("integers beyond 2^53 stay exact, and strings are not changed", () => {
  const text = String.raw`[${BIG}, -${BIG}, 1234567890123456, "a \" ${BIG}", "\\", ${BIG}, 1.5e3, ${BIG}.5]`;
  const expected = [BIG, `-${BIG}`, 1234567890123456, `a " ${BIG}`, "\\", BIG, 1500, 12345678901234567000];
  assert.deepEqual(parseJson(text, 100), expected);
  assert.deepEqual(parseJson(String.raw`[NaN, -Infinity, "NaN \" NaN", ${BIG}]`, 100), [null, null, 'NaN " NaN', BIG]);
});

test("a string of the maximum record length is read beside such integers", () => {
  for (const unit of ["a", String.raw`\n`]) {
    const long = unit.repeat(20_000_000 / unit.length);
    const [number, text] = parseJson(`[${BIG},"${long}"]`, 100) as [string, string];
    assert.deepEqual([number, text.length], [BIG, 20_000_000 / unit.length]);
  }
});

test("an unclosed string takes linear time", { timeout: 30_000 }, () => {
  for (const text of [`[${BIG},${'"\\'.repeat(2_000_000)}`, `[NaN,${'"\\'.repeat(2_000_000)}`])
    assert.throws(() => parseJson(text, 100), UnreadableError);
});
