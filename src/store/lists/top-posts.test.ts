import assert from "node:assert/strict";
import { test } from "node:test";
import { topPostIds } from "./top-posts.ts";

test("posts with the same engagement are in the order of their ids, in every store", () => {
  const candidates = ["c", "a", "d", "b"].map((id) => ({ id, engagement: id === "d" ? 2 : 1 }));
  assert.deepEqual(topPostIds(candidates, 3), ["d", "a", "b"]);
});
