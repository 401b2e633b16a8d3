import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { distance, oneAway } from "./spelling.ts";

test("one mistake makes one of the neighbours: a letter left out, put in, exchanged, swapped", () => {
  const neighbours = oneAway("soup");
  for (const typed of ["sop", "soupp", "soap", "osup"]) assert.ok(neighbours.includes(typed), typed);
  assert.ok(!neighbours.includes("soup"));
  assert.ok(oneAway("#soup").includes("#soap"));
  assert.ok(oneAway("борщ").includes("борщи"));
});

test("a letter of a Korean syllable is put where it makes a syllable", () => {
  const neighbours = oneAway("한국");
  for (const typed of ["하국", "항국", "한구", "환국", "한숙", "한국ㅎ".normalize("NFKC")])
    assert.ok(neighbours.includes(typed), typed);
  assert.ok(oneAway("ㅎ국".normalize("NFKC")).includes("하국"));
  assert.ok(!neighbours.some((text) => /^[\u11a8-\u11ff]/.test(text)));
});

test("all neighbours are at distance one, and distance does not depend on direction", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), minLength: 3, maxLength: 6 });
  fc.assert(
    fc.property(word, (text) => {
      for (const other of oneAway(text)) assert.equal(distance(text, other), 1, other);
    }),
    { numRuns: 20 },
  );
  fc.assert(fc.property(word, word, (a, b) => assert.equal(distance(a, b), distance(b, a))));
  assert.equal(distance("kitchen", "kitchens"), 1);
  assert.equal(distance("kitchen", "kichten"), 2);
  assert.equal(distance("한국음식", "항국움식"), 2);
  assert.equal(distance("kitchen", "chicken"), Infinity);
});
