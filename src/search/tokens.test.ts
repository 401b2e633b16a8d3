import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { coveringGrams, gramsOf, tokenize } from "./tokens.ts";

const words = (text: string) => tokenize(text).flatMap((piece) => piece.words);
const tokens = (text: string) =>
  tokenize(text).flatMap((piece) => [...(piece.tag === null ? [] : [piece.tag]), ...piece.words]);

describe("text to words", () => {
  const cases: [text: string, words: string[]][] = [
    ["Street FOOD, at Night!", ["street", "food", "at", "night"]],
    ["Crème brûlée ＡＢＣ ﬁn", ["creme", "brulee", "abc", "fin"]],
    ["#StreetFood by @nora.lindqvist.", ["street", "food", "by", "nora", "lindqvist"]],
    ["#street_food #top10", ["street", "food", "top", "10"]],
    ["طَعَامُ الشَّارِع", ["طعام", "الشارع"]],
    ["दिल्ली की चाट", ["दिल्ली", "की", "चाट"]],
    ["ガラス ｶﾞﾗｽ", ["ガラス", "ガラス"]],
    ["東京の餃子", ["東京", "の", "餃子"]],
    ["Ёлка ёлка", ["елка", "елка"]],
    ["🥟👩🏽‍🍳 ok 🇪🇸", ["🥟", "👩‍🍳", "ok", "🇪🇸"]],
    ["  \n\t…—!?", []],
    // One character each, which is a space and a mark when it is taken apart.
    ["\ufc5e #\ufc5e x\u037ay", ["xy"]],
  ];
  for (const [text, expected] of cases) test(JSON.stringify(text), () => assert.deepEqual(words(text), expected));

  test("a hashtag and a mention are also kept whole", () => {
    assert.deepEqual(
      tokenize("#StreetFood @nora.lindqvist").map(({ tag }) => tag),
      ["#streetfood", "@nora.lindqvist"],
    );
  });

  test("where words are not certain, neighbouring characters are kept too", () => {
    assert.deepEqual(gramsOf("東京都庁"), ["東", "京", "東京", "都", "京都", "東京都", "庁", "都庁", "京都庁"]);
    assert.deepEqual(gramsOf("길거리"), ["길거", "거리", "길거리"]);
    assert.deepEqual(gramsOf("plain"), []);
  });

  test("any part of such a run is asked for by characters that the run is kept by", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("東", "京", "都", "カ", "ナ", "음", "식"), { minLength: 2, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        (characters, from, length) => {
          const begin = from % (characters.length - 1);
          const part = characters.slice(begin, begin + 2 + (length % characters.length)).join("");
          const held = new Set(gramsOf(characters.join("")));
          assert.ok(coveringGrams(part).length > 0);
          for (const gram of coveringGrams(part)) assert.ok(held.has(gram), `${gram} of ${part}`);
        },
      ),
    );
  });

  test("no token of any text holds a space, a quote, a colon or nothing, and none is longer than 64", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const token of tokens(text)) {
          assert.doesNotMatch(token, /[\s":=|]/u);
          assert.ok(token.length > 0 && token.length <= 65, token);
        }
      }),
    );
  });

  test("nor does any character by itself, in a hashtag or in a mention", () => {
    for (let code = 0; code < 0x110000; code++) {
      const character = String.fromCodePoint(code);
      for (const token of tokens(`${character} #a${character} @a${character}`)) {
        if (token === "" || /[\s":=|]/u.test(token)) assert.fail(`${code.toString(16)} gives ${JSON.stringify(token)}`);
      }
    }
  });

  test("folding is settled: words of words are the same words", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const once = new Set(words(text).flatMap(words));
        assert.deepEqual(once, new Set([...once].flatMap(words)));
      }),
    );
  });
});
