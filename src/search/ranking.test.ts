import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseQuery } from "./query.ts";
import type { FoundDocument } from "./engine.ts";
import { rank } from "./ranking.ts";

test("the order is the same for any order of candidates, ties by id", () => {
  const words = fc.constantFrom("", "soup", "hot soup", "soup of the day", "noodles");
  const candidate = fc.record({
    hasAllWords: fc.boolean(),
    document: fc.record({
      doc: fc.nat(),
      id: fc.uuid(),
      at: fc.nat(2_000_000_000),
      engagement: fc.constantFrom(0, 1, 2.5),
      views: fc.constantFrom(-1, 10, 1_000),
      author: fc.constant(null),
      language: fc.constantFrom("en", "es-MX", null),
      country: fc.constantFrom("US", null),
      title: words,
      tags: words,
      text: words,
    }),
  });
  const candidates = fc.uniqueArray(candidate, { selector: ({ document }) => document.id, maxLength: 30 });
  fc.assert(
    fc.property(candidates, (found) => {
      const preferences = { now: 1_800_000_000, language: "es", country: "US" };
      const query = parseQuery("hot soup");
      const ranked = rank("comment", found, query, preferences);
      assert.deepEqual(rank("comment", found.toReversed(), query, preferences), ranked);
      for (let index = 1; index < ranked.length; index++) {
        const [before, after] = [ranked[index - 1], ranked[index]];
        assert.ok((before?.score ?? 0) >= (after?.score ?? 0));
        if (before?.score === after?.score) assert.ok((before?.document.id ?? "") < (after?.document.id ?? ""));
      }
    }),
  );
});

const BLANK: FoundDocument = {
  doc: 1,
  id: "",
  at: 0,
  engagement: 0,
  views: -1,
  author: null,
  language: null,
  country: null,
  title: "",
  tags: "",
  text: "",
};

function ids(found: Partial<FoundDocument>[], text = "soup"): string[] {
  const candidates = found.map((fields) => ({ document: { ...BLANK, ...fields }, hasAllWords: true }));
  return rank("post", candidates, parseQuery(text), { now: 0 }).map(({ document }) => document.id);
}

test("a word weighs by where it is: title, hashtag, author, caption, description, keyword", () => {
  const found = [
    { id: "keyword", tags: "| | soup" },
    { id: "description", title: "other", text: "hot soup" },
    { id: "caption", text: "hot soup" },
    { id: "author", tags: "other | soup" },
    { id: "hashtag", tags: "#soup soup | other" },
    { id: "title", title: "hot soup" },
  ];
  assert.deepEqual(ids(found), ["title", "hashtag", "author", "caption", "description", "keyword"]);
});

test("a hundred times the attention outweighs a hashtag", () => {
  const hashtags = Array.from({ length: 50 }, (_, index) => ({ id: `tag${index}`, tags: "soup", engagement: 3 }));
  assert.equal(ids([...hashtags, { id: "seen", text: "soup", engagement: 5 }])[0], "seen");
});

test("the three most viewed matches come second, fifth and eighth at the latest, wherever the word is", () => {
  const titles = Array.from({ length: 30 }, (_, index) => ({ id: `t${index}`, title: "soup bowl", views: index }));
  const seen = [7, 8, 9].map((views) => ({ id: `seen${views}`, tags: "| | soup", views: views * 1_000 }));
  const order = ids([...titles, ...seen]);
  assert.deepEqual([order[1], order[4], order[7]], ["seen9", "seen8", "seen7"]);
  assert.equal(order.length, 33);
});
