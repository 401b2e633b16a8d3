import assert from "node:assert/strict";
import { test } from "node:test";
import { countTerms, NO_MATCH } from "./match.ts";
import { parseConditions } from "./query.ts";
import {
  boundsMatch,
  byForms,
  byName,
  bySome,
  byTitle,
  byWholeTitle,
  byWords,
  listJoins,
  listUnits,
  NO_FORMS,
  onlyExclusions,
  type ResolvedQuery,
  wordsWithEndings,
} from "./strategies.ts";

function resolved(text: string, more: Partial<ResolvedQuery> = {}): ResolvedQuery {
  return { query: parseConditions(text), required: [], excluded: [], hasAllNames: true, ...more };
}

test("two to four neighbouring words of a short query are also searched as one", () => {
  assert.deepEqual(byWords(resolved("hot soup")), {
    all: [{ any: ["hot", "hotsoup"] }, { any: ["soup", "hotsoup"] }],
  });
  assert.deepEqual(listJoins(parseConditions("salt and pepper soup")), [
    ["saltand", "saltandpepper", "saltandpeppersoup"],
    ["saltand", "saltandpepper", "saltandpeppersoup", "andpepper", "andpeppersoup"],
    ["saltandpepper", "saltandpeppersoup", "andpepper", "andpeppersoup", "peppersoup"],
    ["saltandpeppersoup", "andpeppersoup", "peppersoup"],
  ]);
  assert.deepEqual(listJoins(parseConditions("ice-cream van")), [["icecream", "icecreamvan"], ["icecreamvan"]]);
  for (const apart of ["#hot soup", 'hot "pea soup"', "hot OR cold soup", "a b c d e", "soup"])
    assert.deepEqual(listJoins(parseConditions(apart)).flat(), [], apart);
});

test("records with some words have most of the rarest five, two of the rarest four, or one of them", () => {
  const units = (text: string) => listUnits(parseConditions(text));
  assert.deepEqual(
    units('hot "pea soup" ramen OR pho hot ice-cream').map(({ match }) => match),
    ["hot", { phrase: ["pea", "soup"] }, { any: ["ramen", "pho"] }, "ice", "cream"],
  );
  const matchesOf = (text: string) => bySome(resolved(text), units(text)).map(({ match }) => match);
  assert.deepEqual(matchesOf("a b"), [{ all: ["a", "b"] }, { any: ["a", "b"] }]);
  assert.deepEqual(matchesOf("a b c"), [
    { any: [{ all: ["a", { any: ["b", "c"] }] }, { all: ["b", "c"] }] },
    { any: ["a", "b"] },
    { any: ["a", "b", "c"] },
  ]);
  const sixteen = Array.from("abcdefghijklmnop").join(" ");
  assert.deepEqual(
    matchesOf(sixteen).map((match) => countTerms(match)),
    [19, 9, 2, 5],
  );
});

test("a phrase stays one: in a title, and beside other forms of its words", () => {
  const phrase = { phrase: ["hot", "soup"] };
  assert.deepEqual(byTitle(resolved('"hot soup"')), { all: ["t:hot", "t:soup", phrase] });
  const forms = { ...NO_FORMS, endings: new Map([["soup", ["peasoup"]]]) };
  assert.deepEqual(byForms(resolved('"hot soup"'), forms), phrase);
  assert.deepEqual(wordsWithEndings(parseConditions('"peasoup kitchen" suppe kuchen torte braten')), [
    "suppe",
    "kuchen",
    "torte",
  ]);
});

test("a query with exclusions is no title, and a hashtag is no name", () => {
  assert.deepEqual(byWholeTitle(resolved("soup -noodles")), NO_MATCH);
  assert.deepEqual(byName(parseConditions("#soup nora")), { any: ["t:nora"] });
});

test("everything but the excluded is meant only where something is excluded, and nothing else is said", () => {
  assert.deepEqual(onlyExclusions(resolved("-soup")), { any: ["soup"] });
  assert.equal(onlyExclusions(resolved("")), null);
  assert.equal(onlyExclusions(resolved("tea -soup")), null);
  assert.equal(onlyExclusions(resolved("-soup", { required: ["l:en"] })), null);
});

test("a window without an end has no more than fifty years", () => {
  for (const bounds of [{ since: 1 }, { until: 253_402_300_800 }]) {
    const [match] = boundsMatch(bounds) as [{ any: string[] }];
    assert.deepEqual([match.any.length, match.any[0], match.any.at(-1)], [50, "y:2000", "y:2049"]);
  }
});
