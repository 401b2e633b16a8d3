import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { parseQuery } from "./query.ts";
import { rank } from "./ranking.ts";
import { tokenize } from "./tokens.ts";

describe("text to tokens", () => {
  const cases: [text: string, tokens: string[]][] = [
    ["Street FOOD, at Night!", ["street", "food", "at", "night"]],
    ["Crème brûlée ＡＢＣ ﬁn", ["creme", "brulee", "abc", "fin"]],
    ["#StreetFood by @nora.lindqvist.", ["#streetfood", "streetfood", "by", "@nora.lindqvist", "nora", "lindqvist"]],
    ["طَعَامُ الشَّارِع", ["طعام", "الشارع"]],
    ["दिल्ली की चाट", ["दिल्ली", "की", "चाट"]],
    ["ガラス ｶﾞﾗｽ", ["ガラス", "ガラス"]],
    ["東京の餃子", ["東京", "の", "餃子"]],
    ["Ёлка ёлка", ["елка", "елка"]],
    ["🥟👩🏽‍🍳 ok 🇪🇸", ["🥟", "👩‍🍳", "ok", "🇪🇸"]],
    ["  \n\t…—!?", []],
  ];
  for (const [text, tokens] of cases) test(JSON.stringify(text), () => assert.deepEqual(tokenize(text), tokens));

  test("no token of any text holds a space, a quote or nothing, and none is longer than 64", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const token of tokenize(text)) {
          assert.doesNotMatch(token, /[\s"]/u);
          assert.ok(token.length > 0 && token.length <= 65, token);
        }
      }),
    );
  });

  test("folding is settled: tokens of tokens are the same tokens", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const plain = tokenize(text).filter((token) => !/^[#@]/.test(token));
        assert.deepEqual(new Set(plain.flatMap(tokenize)), new Set(plain.flatMap(tokenize).flatMap(tokenize)));
      }),
    );
  });
});

describe("queries", () => {
  test("the last word may be the beginning of a longer one, unless a space ends it", () => {
    assert.deepEqual(parseQuery("midnight dump"), { words: ["midnight"], prefix: "dump" });
    assert.deepEqual(parseQuery("midnight dump "), { words: ["midnight", "dump"], prefix: null });
  });

  test("a hashtag asks for the hashtag, not for its word", () => {
    assert.deepEqual(parseQuery("soup #ramen"), { words: ["soup"], prefix: "#ramen" });
  });

  test("a query of nothing but marks finds nothing", () => {
    assert.deepEqual(parseQuery("!!! ???"), { words: [], prefix: null });
  });
});

test("ranking is the same for any order of candidates, ties by id", () => {
  const candidate = fc.record({
    id: fc.uuid(),
    strong: fc.boolean(),
    exact: fc.boolean(),
    at: fc.nat(2_000_000_000),
    engagement: fc.double({ min: 0, max: 9, noNaN: true }),
    language: fc.constantFrom("en", "es-MX", null),
    country: fc.constantFrom("US", null),
  });
  fc.assert(
    fc.property(fc.uniqueArray(candidate, { selector: ({ id }) => id, maxLength: 30 }), (candidates) => {
      const preferences = { now: 1_800_000_000, language: "es", country: "US" };
      assert.deepEqual(rank(candidates.toReversed(), preferences), rank(candidates, preferences));
    }),
  );
});
