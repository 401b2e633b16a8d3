import assert from "node:assert/strict";
import { parse } from "node:querystring";
import { test } from "node:test";
import * as fc from "fast-check";
import { plainQuery } from "./plain-request.ts";

const PIECES = [
  "a",
  "b=",
  "&",
  "=",
  "+",
  "%20",
  "%C3%A9",
  "%c3",
  "%",
  "%zz",
  "%2B",
  "%26",
  "%3d",
  "%00",
  "é",
  "~",
  "#",
  ";",
];

test("what is read of an address is what others read of it, and what they may disagree on is not read", () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => {
      const query = pieces.join("");
      const found = plainQuery(`/path?${query}`, 6);
      if (found === null) return;
      read++;
      assert.deepEqual(found, { ...parse(query) });
      assert.deepEqual(found, Object.fromEntries(new URLSearchParams(query)));
    }),
    { numRuns: 20_000 },
  );
  assert.ok(read > 500, `${read}`);
});

test("words in any script are read, and what is not well-formed is left to others", () => {
  assert.deepEqual(plainQuery("keyword=caf%C3%A9+%F0%9F%A5%9F&count=3"), { keyword: "café 🥟", count: "3" });
  for (const text of ["a=%", "a=%C3", "a=%ED%A0%80", "%61=b", "a=b&a=c", "a=b=c", "constructor=1"]) {
    assert.equal(plainQuery(text), null, text);
  }
});
