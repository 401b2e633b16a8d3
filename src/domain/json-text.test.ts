import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJsonText, toJsonText } from "./json-text.ts";

test("a text remembers the type of its value, and other texts have none", () => {
  const text = toJsonText({ views: 3 });
  const views: number = parseJsonText(text).views;
  assert.equal(views, 3);
  const plain: string = text;
  // @ts-expect-error -- unknown
  const unchecked: { views: number } = parseJsonText(plain);
  assert.deepEqual(unchecked, { views: 3 });
});
