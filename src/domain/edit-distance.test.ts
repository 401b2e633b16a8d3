import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { editDistance } from "./edit-distance.ts";

test("an inserted, deleted, replaced or swapped letter is one edit, and more than the maximum is Infinity", () => {
  assert.equal(editDistance("kitchen", "kitchen", 2), 0);
  for (const other of ["kitchens", "kitche", "kitchan", "kicthen"]) assert.equal(editDistance("kitchen", other, 2), 1);
  assert.equal(editDistance("kitchen", "kichten", 2), 2);
  assert.equal(editDistance("kitchen", "chicken", 2), Infinity);
});

test("the distance does not depend on the direction", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(fc.property(word, word, (a, b) => assert.equal(editDistance(a, b, 3), editDistance(b, a, 3))));
});
