import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { idToCode, codeToId } from "./shortcode.ts";

test("small numbers are single characters", () => {
  assert.equal(idToCode("0"), "A");
  assert.equal(idToCode("63"), "_");
  assert.equal(idToCode("64"), "BA");
});

test("the largest 64-bit number has eleven characters", () => {
  assert.equal(idToCode("18446744073709551615"), "P__________");
  assert.equal(codeToId("P__________"), "18446744073709551615");
});

test("every 64-bit id survives the round trip through its code, also beyond 2^53", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (id) => {
      assert.equal(codeToId(idToCode(String(id)) ?? ""), String(id));
    }),
  );
});

test("anything but a 64-bit id has no code", () => {
  for (const id of ["", "12a", "-1", "1.5", "18446744073709551616", "99999999999999999999", "3000_12"]) {
    assert.equal(idToCode(id), null, id);
  }
});

test("anything but a code has no id", () => {
  for (const code of ["", "a b", "ä", "Q__________", "AAAAAAAAAAAA", "abc="]) assert.equal(codeToId(code), null, code);
});
