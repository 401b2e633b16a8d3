import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { ANY_CHARACTER } from "#testing/any-character.ts";
import { HOUR_MS } from "#domain/time.ts";
import { pageTokensFor } from "./page-tokens.ts";

const KEY = randomBytes(32);
const NOON = Date.UTC(2026, 10, 15, 12);
const OPERATION = "photoshare/get-posts";
const BOUND = ["mara.lind", "12"];
const PAYLOAD = { at: 1_700_000_000, id: "3141592653589793238" };

const cursors = pageTokensFor(KEY, OPERATION, NOON);
const anyText = fc.string({ unit: ANY_CHARACTER, maxLength: 12 });

test("a sealed payload comes back as it was, whatever it is bound to", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 4 }), fc.jsonValue(), (bound, value) => {
      // JSON has no negative zero; what a handler gets back is what JSON can carry.
      const payload = JSON.parse(JSON.stringify({ value }));
      assert.deepEqual(cursors.verify(bound, cursors.sign(bound, payload)), payload);
    }),
  );
});

test("a page token needs no escaping in a URL and fits the parameter", () => {
  const token = cursors.sign(BOUND, PAYLOAD);
  assert.match(token, /^[\w-]+$/);
  assert.ok(token.length < 100);
});

test("any flipped bit is refused", () => {
  const token = cursors.sign(BOUND, PAYLOAD);
  const bytes = Buffer.from(token, "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(cursors.verify(BOUND, changed.toString("base64url")), null);
  }
});

test("any changed character is refused, those that decode to the same bytes included", () => {
  for (const payload of [{ id: "1" }, { id: "12" }, { id: "123" }]) {
    const token = cursors.sign(BOUND, payload);
    for (let index = 0; index < token.length; index++) {
      for (let bit = 0; bit < 16; bit++) {
        const changed = String.fromCharCode(token.charCodeAt(index) ^ (1 << bit));
        const forged = token.slice(0, index) + changed + token.slice(index + 1);
        assert.equal(cursors.verify(BOUND, forged), null);
      }
    }
    for (const padded of [`${token}=`, `${token}==`, ` ${token}`, `${token}\n`, `${token}A`]) {
      assert.equal(cursors.verify(BOUND, padded), null);
    }
  }
});

test("a cut token is refused at every length", () => {
  const token = cursors.sign(BOUND, PAYLOAD);
  for (let length = 0; length < token.length; length++) {
    assert.equal(cursors.verify(BOUND, token.slice(0, length)), null);
  }
});

test("a token of another key or another operation is refused", () => {
  const token = cursors.sign(BOUND, PAYLOAD);
  assert.equal(pageTokensFor(randomBytes(32), OPERATION, NOON).verify(BOUND, token), null);
  assert.equal(pageTokensFor(KEY, "photoshare/get-followers", NOON).verify(BOUND, token), null);
});

test("a token opens with exactly the parameters it was sealed with, however they join", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 3 }), fc.array(anyText, { maxLength: 3 }), (sealed, opened) => {
      fc.pre(JSON.stringify(sealed) !== JSON.stringify(opened));
      assert.equal(cursors.verify(opened, cursors.sign(sealed, PAYLOAD)), null);
    }),
  );
  const pairs: [string[], string[]][] = [
    [
      ["ab", "c"],
      ["a", "bc"],
    ],
    [["ab"], ["a", "b"]],
    [[], [""]],
    [["1:a"], ["1", "a"]],
    [["\ud800"], ["\ud801"]],
    [["\ud800"], ["\ufffd"]],
  ];
  for (const [sealed, opened] of pairs) {
    assert.equal(cursors.verify(opened, cursors.sign(sealed, PAYLOAD)), null);
    assert.equal(cursors.verify(sealed, cursors.sign(opened, PAYLOAD)), null);
  }
});

test("the operation cannot be continued into the parameters", () => {
  const token = pageTokensFor(KEY, "search", NOON).sign(["a"], PAYLOAD);
  assert.equal(pageTokensFor(KEY, "searcha", NOON).verify([], token), null);
  assert.equal(pageTokensFor(KEY, "", NOON).verify(["search", "a"], token), null);
});

test("a token lives at least 24 hours and at most 25", () => {
  fc.assert(
    fc.property(fc.nat(HOUR_MS - 1), (offset) => {
      const sealedAt = NOON + offset;
      const token = pageTokensFor(KEY, OPERATION, sealedAt).sign(BOUND, PAYLOAD);
      const openAfter = (age: number) => pageTokensFor(KEY, OPERATION, sealedAt + age).verify(BOUND, token);
      assert.deepEqual(openAfter(24 * HOUR_MS), PAYLOAD);
      assert.equal(openAfter(25 * HOUR_MS), null);
    }),
  );
});

test("within an hour the same page has the same token, so that its ETag stays", () => {
  const sealAt = (now: number) => pageTokensFor(KEY, OPERATION, now).sign(BOUND, PAYLOAD);
  assert.equal(sealAt(NOON), sealAt(NOON + HOUR_MS - 1));
  assert.notEqual(sealAt(NOON), sealAt(NOON + HOUR_MS));
});

test("no text makes opening throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 200 }), (text) => {
      assert.equal(cursors.verify(BOUND, text), null);
    }),
  );
  fc.assert(
    fc.property(fc.base64String({ maxLength: 200 }), (text) => {
      assert.equal(cursors.verify(BOUND, text), null);
    }),
  );
});

test("a null payload cannot be signed, since null means invalid", () => {
  for (const payload of [null, undefined]) {
    assert.throws(() => cursors.sign(BOUND, payload), TypeError);
  }
});
