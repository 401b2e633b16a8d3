import assert from "node:assert/strict";
import { test } from "node:test";
import { memoizeBounded } from "./memoize-bounded.ts";

test("a value is created once while it is cached, and the oldest is evicted", () => {
  const made: string[] = [];
  const memo = memoizeBounded(2, (key) => {
    made.push(key);
    return { key };
  });
  assert.equal(memo("one"), memo("one"));
  memo("two");
  memo("three");
  memo("two");
  memo("one");
  assert.deepEqual(made, ["one", "two", "three", "one"]);
});
