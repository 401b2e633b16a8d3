import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { SearchKind } from "#domain/record.ts";
import { DAY_S } from "#domain/time.ts";
import { parseQuery } from "./query.ts";
import type { FoundDocument } from "./engine.ts";
import { type Preferences, rank } from "./ranking.ts";

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

interface Found extends Partial<FoundDocument> {
  isInexact?: true;
}

/** By their words alone: only posts are lifted by their views. */
function wordOrder(found: readonly Found[], text: string, more: Partial<Preferences> = {}): string[] {
  const candidates = found.map(({ isInexact, ...fields }) => ({
    document: { ...BLANK, ...fields },
    hasAllWords: isInexact !== true,
  }));
  const authors = [{ id: "nora", title: "nora soup" }];
  const ranked = rank("account", candidates, parseQuery(text), { now: DAY_S, ...more }, authors);
  return ranked.map(({ document }) => document.id);
}

test("a longer word weighs less than the word itself, and one that only contains it still less", () => {
  const found: Found[] = [
    { id: "amid caption", text: "bigsoup", isInexact: true },
    { id: "caption", text: "soups", isInexact: true },
    { id: "amid title", title: "bigsoup", isInexact: true },
    { id: "tag", tags: "soups", isInexact: true },
    { id: "title", title: "soups", isInexact: true },
    { id: "text that was not read" },
  ];
  assert.deepEqual(wordOrder(found, "soup"), found.map(({ id }) => id).toReversed());
});

test("a word that is a keyword counts by the author's current name or the text, if it is there too", () => {
  const keyword = { title: "other", tags: "| | soup" };
  const found = [
    { id: "1", ...keyword },
    { id: "2", ...keyword, text: "soup" },
    { id: "3", ...keyword, author: "nora" },
  ];
  assert.deepEqual(wordOrder(found, "soup"), ["3", "2", "1"]);
});

test("words next to each other as typed come first, in the title and in the text", () => {
  for (const field of ["title", "text"]) {
    const found = [
      { id: "apart", [field]: "soup hot bowl" },
      { id: "together", [field]: "a hot soup bowl" },
    ];
    assert.deepEqual(wordOrder(found, "hot soup"), ["together", "apart"]);
  }
});

test("all words together weigh as much as one, and so do those that no space separates", () => {
  const equal = [
    { id: "2", title: "soup and noodles", text: "tea" },
    { id: "1", title: "tea", text: "soup and noodles" },
  ];
  assert.deepEqual(wordOrder(equal, "soup,noodles tea "), ["1", "2"]);
  const seen = [
    { id: "title", title: "soup was hot" },
    { id: "seen", title: "hot", tags: "soup", engagement: 2 },
  ];
  assert.deepEqual(wordOrder(seen, "hot soup "), ["seen", "title"]);
});

test("who has the name comes before any attention, and a post with the title before most", () => {
  const found = [
    { id: "seen", title: "soup bowl", engagement: 15 },
    { id: "whole", title: "hot kitchen | soup" },
  ];
  assert.deepEqual(wordOrder(found, "soup"), ["whole", "seen"]);
  assert.deepEqual(ids(found), ["seen", "whole"]);
  assert.deepEqual(
    ids([
      { id: "seen", title: "soup bowl", engagement: 13 },
      { id: "whole", title: "soup" },
    ])[0],
    "whole",
  );
  assert.deepEqual(
    wordOrder(
      [
        { id: "seen", text: "hot soup", engagement: 15 },
        { id: "whole", text: "soup" },
      ],
      "soup",
    ),
    ["whole", "seen"],
  );
  const isWholeName = (kind: SearchKind, title: string, text: string) =>
    rank(kind, [{ document: { ...BLANK, title }, hasAllWords: true }], parseQuery(text), { now: 0 })[0]?.isWholeName;
  assert.equal(isWholeName("account", "soup", "soup"), true);
  assert.equal(isWholeName("post", "soup", "soup"), false);
  assert.equal(isWholeName("account", "", "from:nora"), false);
});

test("newer ones come first, and a date that is unknown or still to come counts for nothing", () => {
  const found = [
    { id: "seen", text: "soup", engagement: 1 },
    { id: "tomorrow", text: "soup", at: 2 * DAY_S },
    { id: "today", text: "soup", at: DAY_S },
    { id: "yesterday", text: "soup", at: 1 },
  ];
  assert.deepEqual(wordOrder(found, "soup "), ["today", "tomorrow", "yesterday", "seen"]);
});

test("the preferred language counts in any variant, and more than the country", () => {
  const found = [
    { id: "1", text: "soup" },
    { id: "2", text: "soup", country: "GB" },
    { id: "3", text: "soup", language: "en-GB" },
    { id: "4", text: "soup", language: "en-US", country: "GB" },
  ];
  assert.deepEqual(wordOrder(found, "soup", { language: "EN", country: "GB" }), ["4", "3", "2", "1"]);
  assert.deepEqual(wordOrder(found, "soup"), ["1", "2", "3", "4"]);
});

test("only posts that have every word as typed are lifted by their views, and none is put back", () => {
  const titles = Array.from({ length: 9 }, (_, index) => ({ id: `t${index}`, title: "soup bowl", views: 1 }));
  const keyword = { tags: "| | soup", views: 9 };
  const first = { id: "first", title: "soup", views: 10 };
  const candidates = [
    { document: { ...BLANK, ...first }, hasAllWords: true },
    ...titles.map((fields) => ({ document: { ...BLANK, ...fields }, hasAllWords: true })),
    { document: { ...BLANK, ...keyword, id: "liked", engagement: 2 }, hasAllWords: true },
    { document: { ...BLANK, ...keyword, id: "text", text: "hot soup", engagement: 1 }, hasAllWords: true },
    { document: { ...BLANK, ...keyword, id: "inexact", views: 99 }, hasAllWords: false },
  ];
  const ranked = rank("post", candidates, parseQuery("soup"), { now: 0 });
  const places = new Map(ranked.map(({ document }, place) => [document.id, place]));
  assert.deepEqual(
    ["first", "liked", "text", "inexact"].map((id) => places.get(id)),
    [0, 4, 7, 12],
  );
  const scores = ranked.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((one, other) => other - one),
  );
});
