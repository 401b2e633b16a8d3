import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { propertyBudget } from "#testing/budget.ts";
import { batchesOf } from "#testing/random-batches.ts";
import { post, SECOND } from "#testing/sample-records.ts";
import { type Content, contentOf, documentFrom } from "./documents.ts";
import * as terms from "./filter-terms.ts";
import { type Match, NO_MATCH } from "./match.ts";
import { matches } from "./matches.ts";
import type { ResolvedMatch } from "./searcher.ts";

const NO_NGRAMS = { match: NO_MATCH, phrases: [] };

/** As an index of whole documents answers. */
function matchesWhole({ match, ngrams, allBut, bounds }: ResolvedMatch, content: Content): boolean {
  const { at, views, likes, title, tags, text, filterTerms } = documentFrom(content);
  const { since = 0, until = Infinity, minViews = -1, minLikes = -1 } = bounds;
  const tokens = `${title} ${tags} ${text} ${filterTerms}`.split(" ");
  const fits = (part: Match): boolean => {
    if (typeof part === "string") return tokens.includes(part);
    if ("phrase" in part)
      return [title, tags, text].some((field) => ` ${field} `.includes(` ${part.phrase.join(" ")} `));
    if ("all" in part) return part.all.length > 0 && part.all.every(fits);
    return "any" in part ? part.any.some(fits) : fits(part.match) && !fits(part.not);
  };
  const isWithin = at >= since && at < until && views >= minViews && likes >= minLikes;
  return isWithin && (allBut === null ? fits(match) || fits(ngrams.match) : !fits(allBut));
}

const token = fc.oneof(
  fc.constantFrom("tea", "house", "#tea", "#rauber", "@ada", "hi", terms.inTitle("tea"), terms.ngram("茶の")),
  fc.constantFrom("1", "2").map(terms.author),
  fc.constantFrom(SECOND, SECOND - 86_400).chain((at) => fc.constantFrom(...terms.dates(at))),
  fc.constantFrom(terms.sound("7"), ...terms.languages("pt-BR"), terms.likes(0), terms.views(12_345), terms.views(1)),
);
const { match: someMatch } = fc.letrec<{ match: Match }>((tie) => ({
  match: fc.oneof(
    { maxDepth: 3 },
    token,
    fc.constant({ phrase: ["tea", "house"] }),
    fc.record({ all: fc.array(tie("match"), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie("match"), { maxLength: 3 }) }),
    fc.record({ match: tie("match"), not: tie("match") }),
  ),
}));
const someQuery = fc.record({
  match: someMatch,
  ngrams: fc.record({ match: fc.oneof(fc.constant(NO_MATCH), someMatch), phrases: fc.constant([]) }),
  allBut: fc.option(someMatch),
  bounds: fc.record(
    { since: fc.constant(SECOND), until: fc.constant(SECOND), minViews: fc.constant(12_345), minLikes: fc.constant(1) },
    { requiredKeys: [] },
  ),
});

describe("whether a record matches", () => {
  test("is told as from its whole document", () => {
    const queries = fc.array(someQuery, { minLength: 20, maxLength: 20 });
    let matched = 0;
    fc.assert(
      fc.property(batchesOf(["1", "2"]), queries, ({ posts = [], comments = [] }, tried) => {
        const described = { title: "Tea house", soundId: "7", language: "pt_BR", coauthorIds: ["2"] };
        const contents = [
          ...posts.flatMap((one) => [contentOf("post", one), contentOf("post", { ...one, ...described })]),
          ...comments.map((one) => contentOf("comment", one)),
        ];
        for (const content of contents) {
          for (const query of tried) {
            const isMatch = matchesWhole(query, content);
            if (isMatch) matched++;
            assert.equal(matches(query, content), isMatch);
          }
        }
      }),
      propertyBudget(100),
    );
    assert.ok(matched > 0);
  });

  const from2 = terms.author("2");
  const queries: [name: string, query: Partial<ResolvedMatch>][] = [
    ["dates", { match: "tea", bounds: { since: SECOND + 1 } }],
    ["counts", { match: "tea", bounds: { minViews: 5 } }],
    ["an author beside words", { match: { all: ["tea", { phrase: ["tea", "house"] }, from2] } }],
    ["an author beside n-grams", { ngrams: { match: { all: [terms.ngram("茶の"), from2] }, phrases: [] } }],
    ["an excluded author", { allBut: { any: ["tea", terms.author("1")] } }],
  ];
  for (const [name, query] of queries) {
    test(`is told by ${name} without reading words`, () => {
      const content = contentOf("post", post("p1", { text: "tea" }));
      Object.defineProperty(content, "titles", { get: () => assert.fail("words were read") });
      assert.equal(matches({ match: NO_MATCH, ngrams: NO_NGRAMS, allBut: null, bounds: {}, ...query }, content), false);
    });
  }

  const content = { titles: ["egg noodles"], texts: ["soup with egg"], attention: 0, at: 100, views: 20, likes: 3 };
  const fits = (query: Partial<ResolvedMatch>) =>
    matches({ match: "egg", ngrams: NO_NGRAMS, allBut: null, bounds: {}, ...query }, content);

  test("limits include what is equal, but for the end of a time", () => {
    for (const bounds of [{ since: 100 }, { until: 101 }, { minViews: 20 }, { minLikes: 3 }])
      assert.equal(fits({ bounds }), true, JSON.stringify(bounds));
    for (const bounds of [{ since: 101 }, { until: 100 }, { minViews: 21 }, { minLikes: 4 }])
      assert.equal(fits({ bounds }), false, JSON.stringify(bounds));
  });

  test("a phrase lies within one field, in whole words, and what is excluded alone is excluded", () => {
    assert.deepEqual(
      [["egg", "noodles"], ["noodles", "soup"], ["eg"]].map((phrase) => fits({ match: { phrase } })),
      [true, false, false],
    );
    const excluded = { match: "egg", not: terms.likes(3) };
    assert.deepEqual(
      [fits({ allBut: "tea" }), fits({ allBut: "soup" }), fits({ match: excluded })],
      [true, false, false],
    );
  });
});

test("a phrase that n-grams found must be there letter by letter", () => {
  const ngrams = { match: { all: ["국립", "도서관"].map(terms.ngram) }, phrases: [["국립도서관"]] };
  const fits = (text: string) =>
    matches({ match: NO_MATCH, ngrams, allBut: null, bounds: {} }, contentOf("post", post("1", { text })));
  assert.deepEqual([fits("국립 도서관에서"), fits("도서관에서 만난 국립")], [true, false]);
});
