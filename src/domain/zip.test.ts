import assert from "node:assert/strict";
import { test } from "node:test";
import { present } from "./present.ts";
import { zip } from "./zip.ts";

test("two lists are paired by place, with items that are undefined", () => {
  assert.deepEqual(zip([1, 2], ["one", undefined]), [
    [1, "one"],
    [2, undefined],
  ]);
  assert.deepEqual(zip([], []), []);
});

test("lists of different lengths are refused", () => {
  assert.throws(() => zip([1, 2], ["one"]), /2 items cannot be paired with 1/);
});

test("a missing value is an error, an empty one is not", () => {
  assert.equal(present(new Map([["empty", ""]]).get("empty")), "");
  assert.throws(() => present([][0]), /missing/);
});
