import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_MATCH } from "./match.ts";
import { parseConditions } from "./query.ts";
import {
  boundsMatch,
  byForms,
  byName,
  byTitle,
  byWholeTitle,
  byWords,
  NO_FORMS,
  onlyExclusions,
  type ResolvedQuery,
  wordsWithEndings,
} from "./strategies.ts";

function resolved(text: string, more: Partial<ResolvedQuery> = {}): ResolvedQuery {
  return { query: parseConditions(text), required: [], excluded: [], hasAllNames: true, ...more };
}

test("two to four plain words are also searched as one hashtag", () => {
  const four = ["salt", "and", "pepper", "soup"];
  assert.deepEqual(byWords(resolved("salt and pepper soup")), { any: [{ all: four }, "#saltandpeppersoup"] });
  assert.deepEqual(byWords(resolved("hot salt and pepper soup")), { all: ["hot", ...four] });
  assert.deepEqual(byWords(resolved("#hot soup")), { all: ["#hot", "soup"] });
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
