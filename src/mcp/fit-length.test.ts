import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fitLength } from "./fit-length.ts";

test("what fits is left as it is", () => {
  const value = { list: [1, 2, 3] };
  assert.deepEqual(fitLength(value, 100), { value, omitted: [] });
});

test("the longest list loses its last items, and the answer says how many", () => {
  const value = { few: [1, 2], posts: Array.from({ length: 40 }, (_, id) => ({ id, text: "x".repeat(50) })) };
  const fitted = fitLength(value, 1_000);
  const { posts, few } = fitted.value as typeof value;
  assert.ok(JSON.stringify(fitted.value).length <= 1_000);
  assert.ok(posts.length >= 10, `${posts.length} posts`);
  assert.deepEqual(few, [1, 2]);
  assert.deepEqual(posts, value.posts.slice(0, posts.length));
  assert.deepEqual(fitted.omitted, [`${40 - posts.length} of 40 items of posts`]);
  assert.equal(value.posts.length, 40);
});

test("long texts are shortened where no list is left to cut", () => {
  const { value, omitted } = fitLength({ text: "é".repeat(5_000) }, 400);
  assert.match((value as { text: string }).text, /^é{300}…$/);
  assert.deepEqual(omitted, ["the ends of long texts"]);
});

test("any value fits any length from that of null", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 4, max: 300 }), (value, maxLength) => {
      const fitted = fitLength(value, maxLength);
      assert.ok(JSON.stringify(fitted.value).length <= maxLength);
      assert.equal(fitted.omitted.length > 0, JSON.stringify(value).length > maxLength);
    }),
  );
});
