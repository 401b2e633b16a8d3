import assert from "node:assert/strict";
import { test } from "node:test";
import { fnv1a } from "./fnv1a.ts";

test("the published values of FNV-1a in 32 bits", () => {
  assert.equal(fnv1a(""), 0x811c9dc5);
  assert.equal(fnv1a("a"), 0xe40c292c);
  assert.equal(fnv1a("foobar"), 0xbf9cf968);
});
