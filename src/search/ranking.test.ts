import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseQuery } from "./query.ts";
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
      const ranked = rank(found, query, preferences);
      assert.deepEqual(rank(found.toReversed(), query, preferences), ranked);
      for (let index = 1; index < ranked.length; index++) {
        const [before, after] = [ranked[index - 1], ranked[index]];
        assert.ok((before?.score ?? 0) >= (after?.score ?? 0));
        if (before?.score === after?.score) assert.ok((before?.document.id ?? "") < (after?.document.id ?? ""));
      }
    }),
  );
});
