import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ANY_CHARACTER } from "#testing/any-character.ts";
import { containsToken, generateToken, parseToken, randomBase62, redactTokens } from "./token-format.ts";

const WELL_FORMED = "tt_ABCDEFGHIJabcdefghijklmnopqrstuvwxyz0123450I0Ozl";

test("a token has the documented form and gives its key id back", () => {
  for (let round = 0; round < 200; round++) {
    const { token, keyId } = generateToken();
    assert.match(token, /^tt_[0-9A-Za-z]{48}$/);
    assert.equal(token.slice(3, 13), keyId);
    assert.deepEqual(parseToken(token), { keyId });
  }
});

test("the checksum is the CRC-32 of all before it, so tokens made by other versions stay readable", () => {
  assert.deepEqual(parseToken(WELL_FORMED), { keyId: "ABCDEFGHIJ" });
});

test("any flipped bit is noticed", () => {
  const { token } = generateToken();
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.nat(15), (index, bit) => {
      const changed = String.fromCharCode(token.charCodeAt(index) ^ (1 << bit));
      assert.equal(parseToken(token.slice(0, index) + changed + token.slice(index + 1)), null);
    }),
    { numRuns: 500 },
  );
});

test("a token that is cut, extended or surrounded is refused", () => {
  const { token } = generateToken();
  for (let length = 0; length < token.length; length++) {
    assert.equal(parseToken(token.slice(0, length)), null);
  }
  for (const changed of [`${token}0`, `${token}\n`, ` ${token}`, token.toUpperCase()]) {
    assert.equal(parseToken(changed), null);
  }
});

test("no text makes the parser throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 80 }), (text) => {
      assert.equal(parseToken(text), null);
      assert.equal(parseToken(`tt_${text}`), null);
    }),
  );
});

test("all 62 characters come up about equally often", () => {
  const length = 620_000;
  const counts = new Map<string, number>();
  for (const character of randomBase62(length)) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  assert.equal(counts.size, 62);
  // A modulo without rejection would make eight characters 25% more frequent; chance alone stays far below 8%.
  for (const count of counts.values()) assert.ok(Math.abs(count - length / 62) < 800, `${count}`);
});

test("a token is found in a text, and a page token that happens to have its form inside is none", () => {
  const { token } = generateToken();
  const encoded = token.replace("_", "%5F");
  for (const text of [token, `Bearer ${token}`, `?q=${encoded}&x=1`, `"${token}"`])
    assert.ok(containsToken(text), text);
  for (const text of [`7IUQ${token}`, `${token}7IUQ`, `7I-${token}`, token.slice(0, -1)])
    assert.ok(!containsToken(text), text);
});

test("a token, or a long part of one, is cut out of a text, also in the form of a URL", () => {
  const { token } = generateToken();
  for (const part of [token, token.slice(0, 23), token.replace("_", "%5F")])
    assert.equal(redactTokens(`"/x?q=${part}" failed`), '"/x?q=tt_…" failed');
  assert.equal(redactTokens(token.slice(0, 22)), token.slice(0, 22));
});
