import assert from "node:assert/strict";
import { test } from "node:test";
import { memoizeBounded } from "./memoize-bounded.ts";

test("a thing is made once while it is remembered, and the oldest makes room", () => {
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
