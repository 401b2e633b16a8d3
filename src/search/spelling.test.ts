import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { editDistance } from "#domain/edit-distance.ts";
import { lettersOf, spellingsOneEditAway } from "./spelling.ts";

test("spellings one edit away have a letter inserted, deleted, replaced or swapped", () => {
  const spellings = spellingsOneEditAway("soup");
  for (const typed of ["sop", "soupp", "soap", "osup"]) assert.ok(spellings.includes(typed), typed);
  assert.ok(!spellings.includes("soup"));
  assert.ok(spellingsOneEditAway("#soup").includes("#soap"));
  assert.ok(spellingsOneEditAway("борщ").includes("борщи"));
});

test("an inserted Korean letter always completes a syllable", () => {
  const spellings = spellingsOneEditAway("한국");
  for (const typed of ["하국", "항국", "한구", "환국", "한숙", "한국ㅎ".normalize("NFKC")])
    assert.ok(spellings.includes(typed), typed);
  assert.ok(spellingsOneEditAway("ㅎ국".normalize("NFKC")).includes("하국"));
  assert.ok(!spellings.some((text) => /^[\u11a8-\u11ff]/.test(text)));
});

test("all spellings one edit away are at distance one, letters of Korean syllables included", () => {
  const distance = (one: string, other: string) => editDistance(lettersOf(one), lettersOf(other), 2);
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), minLength: 3, maxLength: 6 });
  fc.assert(
    fc.property(word, (text) => {
      for (const other of spellingsOneEditAway(text)) assert.equal(distance(text, other), 1, other);
    }),
    { numRuns: 20 },
  );
  assert.equal(distance("한국음식", "항국움식"), 2);
});
