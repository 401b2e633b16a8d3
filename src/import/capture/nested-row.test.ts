import assert from "node:assert/strict";
import { test } from "node:test";
import { nestRow } from "./nested-row.ts";

test("a row becomes the object it was flattened from, without the empty cells", () => {
  const row = {
    "owner/id": "1",
    "tags/0": "a",
    "tags/1": "",
    "tags/2": "c",
    owner: "x",
    "a/__proto__/b": "no",
    "author.name": "mira",
    mentions: '["one", "two"]',
    music: '{"id": 7411000000000000503}',
    caption: "[not JSON]",
    plain: "",
  };
  const nested = nestRow(row);
  assert.deepEqual(nested["owner"], { id: "1" });
  assert.deepEqual(nested["tags"], ["a", "c"]);
  assert.deepEqual(nested["author"], { name: "mira" });
  assert.deepEqual(nested["mentions"], ["one", "two"]);
  assert.deepEqual(nested["music"], { id: "7411000000000000503" });
  assert.equal(nested["caption"], "[not JSON]");
  assert.equal("plain" in nested, false);
  assert.equal(({} as Record<string, unknown>)["b"], undefined);
});

test("`NA` is missing where a number has it, and otherwise a word: a caption, or Namibia", () => {
  const words = { text: "NA", region_code: "NA", view_count: "3" };
  assert.deepEqual({ ...nestRow(words) }, words);
  assert.deepEqual({ ...nestRow({ ...words, view_count: "NA", id: "7" }) }, { id: "7" });
});

test("ids beyond 2^53 stay exact in a list that is one cell", () => {
  const nested = nestRow({ liked: "[7411000000000000501, 12]", top_videos: '[{"id": 7411000000000000503}]' });
  assert.deepEqual(nested["liked"], ["7411000000000000501", 12]);
  assert.deepEqual(nested["top_videos"], [{ id: "7411000000000000503" }]);
});

test("a cell nested deeper than any export stays text", () => {
  const cell = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  assert.equal(nestRow({ cell })["cell"], cell);
});

test("a column of a million levels costs no more than its length", { timeout: 30_000 }, () => {
  assert.deepEqual(Object.keys(nestRow({ ["a/".repeat(1_000_000)]: "x" })), ["a"]);
});
