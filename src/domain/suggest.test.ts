import assert from "node:assert/strict";
import { test } from "node:test";
import { suggest } from "./suggest.ts";

const NAMES = ["shortvideo/search", "longvideo/search", "longvideo/video/details", "import", "export", "erase"];

test("the names nearest to a mistyped one are suggested, the nearest first", () => {
  assert.deepEqual(suggest("xport", NAMES), ["export", "import"]);
  assert.deepEqual(suggest("LONGVIDEO/SERACH", NAMES, 1), ["longvideo/search"]);
  assert.deepEqual(suggest("ease", NAMES), ["erase"]);
  assert.deepEqual(suggest("quotas", NAMES), []);
});

test("a name without its platform, or a part of three letters, suggests the whole", () => {
  assert.deepEqual(suggest("searhc", NAMES), ["longvideo/search", "shortvideo/search"]);
  assert.deepEqual(suggest("search", [...NAMES, "searches"]), ["longvideo/search", "shortvideo/search", "searches"]);
  assert.deepEqual(suggest("serach", ["an/search", "search"]), ["search", "an/search"]);
  assert.deepEqual(suggest("details", NAMES), ["longvideo/video/details"]);
  assert.deepEqual(suggest("or", ["an-or-in-it"]), []);
});

test("of a long word more letters may be wrong, but not many", () => {
  assert.deepEqual(suggest("abcdefghij", ["xxxxefghij"]), ["xxxxefghij"]);
  assert.deepEqual(suggest("abcdefghijklmnop", ["xxxxxfghijklmnop"]), []);
  assert.deepEqual(suggest("jbso", ["jobs"]), ["jobs"]);
});
