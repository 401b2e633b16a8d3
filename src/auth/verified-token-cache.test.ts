import assert from "node:assert/strict";
import { test } from "node:test";
import { VerifiedTokenCache } from "./verified-token-cache.ts";

function texts(capacity = 3) {
  return new VerifiedTokenCache<string>({ lifetimeMs: 1_000, capacity });
}

test("no more texts are kept than there is room for: the oldest proofs go first", () => {
  const proven = texts();
  for (const name of ["a", "b", "c", "d"]) proven.put(`text ${name}`, name, name, 0, 0);
  assert.equal(proven.size, 3);
  assert.equal(proven.get("text a", 1), undefined);
  assert.deepEqual(
    ["b", "c", "d"].map((name) => proven.get(`text ${name}`, 1)),
    ["b", "c", "d"],
  );
});

test("a text goes with its second: when it is asked for, or with the next proof", () => {
  const proven = texts();
  proven.put("text a", "a", "a", 0, 0);
  proven.put("text b", "b", "b", 500, 500);
  assert.equal(proven.get("text a", 1_000), undefined);
  assert.equal(proven.size, 1);
  proven.put("text c", "c", "c", 1_500, 1_500);
  assert.equal(proven.size, 1);
});

test("a token has one text: another one takes its place", () => {
  const proven = texts();
  proven.put("old text", "a", "old", 0, 0);
  proven.put("new text", "a", "new", 0, 0);
  assert.equal(proven.get("old text", 0), undefined);
  assert.equal(proven.get("new text", 0), "new");
  proven.forget("a");
  assert.equal(proven.size, 0);
});

test("a proof that is repeated counts from what it rests on", () => {
  const proven = texts();
  proven.put("text a", "a", "a", 0, 0);
  proven.put("text a", "a", "a", 0, 900);
  assert.equal(proven.get("text a", 1_000), undefined);
  proven.put("text a", "a", "a", 1_000, 1_000);
  assert.equal(proven.get("text a", 1_999), "a");
});

test("all can be forgotten at once", () => {
  const proven = texts();
  proven.put("text a", "a", "a", 0, 0);
  proven.forgetAll();
  assert.equal(proven.get("text a", 0), undefined);
  proven.put("text a", "a", "a", 0, 0);
  assert.equal(proven.get("text a", 0), "a");
});
