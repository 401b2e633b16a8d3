import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { ANY_CHARACTER } from "#testing/any-character.ts";
import { budget } from "#testing/budget.ts";
import { listCoveringNgrams, listNgrams, listPrefixes, listVariants, tokenize, withFinalSigma } from "./tokens.ts";

const words = (text: string) => tokenize(text).flatMap((token) => token.words);
const tokens = (text: string) =>
  tokenize(text).flatMap(({ tag, words: own }) => [...(tag === null ? [] : [tag]), ...own]);

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
    // Characters that decompose into a space and a mark.
    ["\ufc5e #\ufc5e x\u037ay", ["xy"]],
  ];
  for (const [text, expected] of cases) test(JSON.stringify(text), () => assert.deepEqual(words(text), expected));

  test("a hashtag and a mention are also tokens as a whole", () => {
    assert.deepEqual(
      tokenize("#StreetFood @nora.lindqvist").map(({ tag }) => tag),
      ["#streetfood", "@nora.lindqvist"],
    );
  });

  test("a mention ends before the dots of a sentence, and a cut hashtag before half a character", () => {
    assert.equal(tokenize("@nora.lind...")[0]?.tag, "@nora.lind");
    assert.equal(tokenize(`#${"𠀀".repeat(40)}`)[0]?.tag, `#${"𠀀".repeat(31)}`);
  });

  test("an Arabic word has forms with and without its prefixes, if three letters are left", () => {
    assert.ok(listVariants("الكتاب").includes("كتاب") && listVariants("كتاب").includes("وكتاب"));
    assert.ok(!listVariants("الله").includes("له"));
    assert.deepEqual(listVariants("من"), ["من"]);
    assert.deepEqual(listPrefixes("كتاب"), ["كتاب", "الكتاب"]);
    assert.deepEqual(listPrefixes("الكتاب"), ["الكتاب"]);
  });

  test("a sigma at the end of a word is written as such, and one by itself is not", () => {
    assert.equal(withFinalSigma("λογοσ σ σωμα"), "λογος σ σωμα");
  });

  test("text without certain word boundaries has n-grams", () => {
    assert.deepEqual(listNgrams("東京都庁"), ["東", "京", "東京", "都", "京都", "東京都", "庁", "都庁", "京都庁"]);
    assert.deepEqual(listNgrams("길거리"), ["길거", "거리", "길거리"]);
    assert.deepEqual(listNgrams("plain"), []);
    assert.deepEqual(listCoveringNgrams("東京都庁前"), ["東京都", "都庁前"]);
  });

  test("the covering n-grams of any part of a run are n-grams of the run", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("東", "京", "都", "カ", "ナ", "음", "식"), { minLength: 2, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        (characters, from, length) => {
          const start = from % (characters.length - 1);
          const part = characters.slice(start, start + 2 + (length % characters.length)).join("");
          const indexed = new Set(listNgrams(characters.join("")));
          assert.ok(listCoveringNgrams(part).length > 0);
          for (const ngram of listCoveringNgrams(part)) assert.ok(indexed.has(ngram), `${ngram} of ${part}`);
        },
      ),
    );
  });

  test("no token of any text is empty, longer than 64, or contains a space, a quote or a colon", () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 200 }), (text) => {
        for (const token of tokens(text)) {
          assert.doesNotMatch(token, /[\s":=|]/u);
          assert.ok(token.length > 0 && token.length <= 65, token);
        }
      }),
    );
  });

  test("nor does any character by itself, in a hashtag or in a mention", () => {
    // Nothing tells these apart: no case, no accent, no other form that they fold to.
    const alike = /^[\p{Cn}\p{Co}\p{Script=Han}\p{Script=Hangul}\p{Script=Tangut}]$/u;
    const everyAlike = Math.round(100 / budget("alikePercent"));
    for (let code = 0; code < 0x110000; code++) {
      const character = String.fromCodePoint(code);
      if (code % everyAlike > 0 && alike.test(character) && character.normalize("NFKD") === character) continue;
      for (const token of tokens(`${character} #a${character} @a${character}`)) {
        if (token === "" || /[\s":=|]/u.test(token)) assert.fail(`${code.toString(16)} gives ${JSON.stringify(token)}`);
      }
    }
  });

  test("folding is idempotent: tokenizing words again yields the same words", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const once = new Set(words(text).flatMap(words));
        assert.deepEqual(once, new Set([...once].flatMap(words)));
      }),
    );
  });
});
