import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { editDistance } from "#domain/edit-distance.ts";
import type { SearchEngine } from "./engine.ts";
import { lettersOf, nearestWords, spellingsOneEditAway, splitWords } from "./spelling.ts";

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

/** Corrects words by those of the partitions, each with the number of its documents. */
async function correct(by: typeof nearestWords, words: string[], ...known: Record<string, number>[]) {
  const knownWords = (index: number, isWanted: (word: string) => boolean) =>
    Object.entries(known[index % known.length] ?? {})
      .map(([word, docs]) => ({ word, docs }))
      .filter(({ word }) => isWanted(word));
  const engine = {
    filterKnownWords: async (partitions: readonly object[], tried: readonly string[]) =>
      partitions.map((_, index) => knownWords(index, (word) => tried.includes(word))),
    listWordsByPrefix: async (ranges: readonly { prefix: string }[]) =>
      ranges.map(({ prefix }, index) => knownWords(index, (word) => word.startsWith(prefix))),
  } as unknown as SearchEngine;
  const partitions = known.map((_, index) => ({ platform: `p${index}`, kind: "post" as const }));
  const spellings = await by(engine, partitions, words);
  return spellings === null ? null : words.map((word) => spellings.get(word));
}

test("of the nearest words the most used in all partitions is chosen, then the first of the alphabet", async () => {
  assert.deepEqual(await correct(nearestWords, ["soop"], { soup: 2, soap: 3 }), ["soap"]);
  assert.deepEqual(await correct(nearestWords, ["soop"], { soup: 2, soap: 3 }, { soup: 2 }), ["soup"]);
  assert.deepEqual(await correct(nearestWords, ["soop"], { soup: 3, soap: 3 }), ["soap"]);
  assert.deepEqual(await correct(nearestWords, ["gardxx"], { gardxy: 1, garden: 9 }), ["gardxy"]);
});

test("words of up to six letters are corrected by one edit, longer ones by two", async () => {
  assert.deepEqual(await correct(nearestWords, ["sop"], { soup: 1 }), ["soup"]);
  assert.equal(await correct(nearestWords, ["so"], { sop: 1 }), null);
  assert.deepEqual(await correct(nearestWords, ["gardxn"], { garden: 1 }), ["garden"]);
  assert.equal(await correct(nearestWords, ["gardxx"], { garden: 1 }), null);
  assert.deepEqual(await correct(nearestWords, ["gardxxs"], { gardens: 1 }), ["gardens"]);
  assert.equal(await correct(nearestWords, ["garxxxs"], { gardens: 1 }), null);
  assert.equal(await correct(nearestWords, ["gaxxs"], { gards: 1 }), null);
  assert.equal(await correct(nearestWords, ["soop", "gaxxs"], { soup: 1, gards: 1 }), null);
});

test("a Korean word is compared with those of its first syllable", async () => {
  assert.deepEqual(await correct(nearestWords, ["한국음식"], { 한굽움식: 1 }), ["한굽움식"]);
});

test("a word is split where both parts are used most", async () => {
  const known = { iro: 99, nman: 1, iron: 5, man: 4 };
  assert.deepEqual(await correct(splitWords, ["ironman"], known), ['"iron man"']);
  assert.equal(await correct(splitWords, ["#ironman"], { "#iron": 1, man: 1 }), null);
  assert.equal(await correct(splitWords, ["ironmen"], known), null);
  assert.equal(await correct(splitWords, ["irman"], { ir: 1, man: 1 }), null);
  assert.equal(await correct(splitWords, ["a".repeat(25)], { ["a".repeat(12)]: 1, ["a".repeat(13)]: 1 }), null);
  const long = Array.from("abcde", (letter) => letter.repeat(24));
  const halves = Object.fromEntries(long.map((word) => [word.slice(12), 1]));
  assert.equal((await correct(splitWords, long.slice(1), halves))?.length, 4);
  assert.equal(await correct(splitWords, long, halves), null, "too many parts");
});
