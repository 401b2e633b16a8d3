import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { HOUR_MS } from "#domain/time.ts";
import { cursorsFor } from "./cursors.ts";

const KEY = randomBytes(32);
const NOON = Date.UTC(2026, 10, 15, 12);
const OPERATION = "photoshare/get-posts";
const BOUND = ["mara.lind", "12"];
const PAYLOAD = { at: 1_700_000_000, id: "3141592653589793238" };

const cursors = cursorsFor(KEY, OPERATION, NOON);
const anyText = fc.string({ unit: "binary", maxLength: 12 });

test("a sealed payload comes back as it was, whatever it is bound to", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 4 }), fc.jsonValue(), (bound, value) => {
      // JSON has no negative zero; what a handler gets back is what JSON can carry.
      const payload = JSON.parse(JSON.stringify({ value }));
      assert.deepEqual(cursors.open(bound, cursors.seal(bound, payload)), payload);
    }),
  );
});

test("a page token travels in an address as it is and fits the parameter", () => {
  const token = cursors.seal(BOUND, PAYLOAD);
  assert.match(token, /^[\w-]+$/);
  assert.ok(token.length < 100);
});

test("any flipped bit is refused", () => {
  const token = cursors.seal(BOUND, PAYLOAD);
  const bytes = Buffer.from(token, "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(cursors.open(BOUND, changed.toString("base64url")), null);
  }
});

test("any changed character is refused, those that decode to the same bytes included", () => {
  for (const payload of [{ id: "1" }, { id: "12" }, { id: "123" }]) {
    const token = cursors.seal(BOUND, payload);
    for (let index = 0; index < token.length; index++) {
      for (let bit = 0; bit < 16; bit++) {
        const changed = String.fromCharCode(token.charCodeAt(index) ^ (1 << bit));
        const forged = token.slice(0, index) + changed + token.slice(index + 1);
        assert.equal(cursors.open(BOUND, forged), null);
      }
    }
    for (const padded of [`${token}=`, `${token}==`, ` ${token}`, `${token}\n`, `${token}A`]) {
      assert.equal(cursors.open(BOUND, padded), null);
    }
  }
});

test("a cut token is refused at every length", () => {
  const token = cursors.seal(BOUND, PAYLOAD);
  for (let length = 0; length < token.length; length++) {
    assert.equal(cursors.open(BOUND, token.slice(0, length)), null);
  }
});

test("a token of another key or another operation is refused", () => {
  const token = cursors.seal(BOUND, PAYLOAD);
  assert.equal(cursorsFor(randomBytes(32), OPERATION, NOON).open(BOUND, token), null);
  assert.equal(cursorsFor(KEY, "photoshare/get-followers", NOON).open(BOUND, token), null);
});

test("a token opens with exactly the parameters it was sealed with, however they join", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 3 }), fc.array(anyText, { maxLength: 3 }), (sealed, opened) => {
      fc.pre(JSON.stringify(sealed) !== JSON.stringify(opened));
      assert.equal(cursors.open(opened, cursors.seal(sealed, PAYLOAD)), null);
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
    assert.equal(cursors.open(opened, cursors.seal(sealed, PAYLOAD)), null);
    assert.equal(cursors.open(sealed, cursors.seal(opened, PAYLOAD)), null);
  }
});

test("the operation cannot be continued into the parameters", () => {
  const token = cursorsFor(KEY, "search", NOON).seal(["a"], PAYLOAD);
  assert.equal(cursorsFor(KEY, "searcha", NOON).open([], token), null);
  assert.equal(cursorsFor(KEY, "", NOON).open(["search", "a"], token), null);
});

test("a token lives at least 24 hours and at most 25", () => {
  fc.assert(
    fc.property(fc.nat(HOUR_MS - 1), (offset) => {
      const sealedAt = NOON + offset;
      const token = cursorsFor(KEY, OPERATION, sealedAt).seal(BOUND, PAYLOAD);
      const openAfter = (age: number) => cursorsFor(KEY, OPERATION, sealedAt + age).open(BOUND, token);
      assert.deepEqual(openAfter(24 * HOUR_MS), PAYLOAD);
      assert.equal(openAfter(25 * HOUR_MS), null);
    }),
  );
});

test("within an hour the same page has the same token, so that its ETag stays", () => {
  const sealAt = (now: number) => cursorsFor(KEY, OPERATION, now).seal(BOUND, PAYLOAD);
  assert.equal(sealAt(NOON), sealAt(NOON + HOUR_MS - 1));
  assert.notEqual(sealAt(NOON), sealAt(NOON + HOUR_MS));
});

test("no text makes opening throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      assert.equal(cursors.open(BOUND, text), null);
    }),
  );
  fc.assert(
    fc.property(fc.base64String({ maxLength: 200 }), (text) => {
      assert.equal(cursors.open(BOUND, text), null);
    }),
  );
});

test("a payload that could not be told from a refusal is not sealed", () => {
  for (const payload of [null, undefined]) {
    assert.throws(() => cursors.seal(BOUND, payload), TypeError);
  }
});
