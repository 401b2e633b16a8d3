import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { rankTogether } from "./search-ranking.ts";

function result(id: string, score: number) {
  return { item: { id }, score };
}

test("positions rank all lists together by score", () => {
  const [users, tags] = rankTogether([result("u1", 3), result("u2", 1)], [result("t1", 2)]);
  assert.deepEqual(users, [
    { item: { id: "u1" }, position: 0 },
    { item: { id: "u2" }, position: 2 },
  ]);
  assert.deepEqual(tags, [{ item: { id: "t1" }, position: 1 }]);
});

test("equal scores rank by list, then by id", () => {
  const [users, tags] = rankTogether([result("b", 1), result("a", 1)], [result("0", 1)]);
  assert.deepEqual(
    [...users, ...tags].map(({ item, position }) => [item.id, position]),
    [
      ["a", 0],
      ["b", 1],
      ["0", 2],
    ],
  );
});

test("every result has exactly one position", () => {
  const results = fc.array(fc.record({ item: fc.record({ id: fc.string() }), score: fc.integer({ min: 0, max: 5 }) }));
  fc.assert(
    fc.property(results, results, results, (users, tags, places) => {
      const ranked = rankTogether(users, tags, places);
      assert.deepEqual(
        ranked.map((list) => list.length),
        [users.length, tags.length, places.length],
      );
      const positions = ranked.flat().map(({ position }) => position);
      assert.deepEqual(
        positions.toSorted((a, b) => a - b),
        [...positions.keys()],
      );
      for (const list of ranked) {
        assert.ok(list.every(({ position }, index) => index === 0 || position > (list[index - 1]?.position ?? -1)));
      }
    }),
  );
});
