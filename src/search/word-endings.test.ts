import assert from "node:assert/strict";
import { test } from "node:test";
import { endingKey, isEnding, minLengthWith } from "./word-endings.ts";

test("words of seven letters are looked up by their end, hashtags and mentions are not", () => {
  assert.equal(endingKey("eintopf"), "fpotnie");
  for (const word of ["topfen", "#eintopf", "@eintopf", "eintopf7"]) assert.equal(endingKey(word), null, word);
});

test("a short ending needs three more letters before it, a longer one needs one", () => {
  assert.deepEqual(["topf", "suppe", "kuchen"].map(minLengthWith), [7, 8, 7]);
  assert.deepEqual(["top", "topf", "a".repeat(24), "a".repeat(25)].map(isEnding), [false, true, true, false]);
});
