import assert from "node:assert/strict";
import { test } from "node:test";
import type { Collector } from "#api/importer.ts";
import { readPageResponse, videoIdInCommentLink } from "./response.ts";

test("a link to a comment names its video", () => {
  assert.equal(videoIdInCommentLink("/watch?v=harbourW01k&lc=Ugx1"), "harbourW01k");
  assert.equal(videoIdInCommentLink("/watch?app=m&v=harbourW01k&t=4&lc=Ugx1"), "harbourW01k");
  assert.equal(videoIdInCommentLink("/shorts/harbourW01k?lc=Ugx1"), "harbourW01k");
});

test("other links name no video", () => {
  for (const url of ["/watch?v=harbourW01k", "/watch?v=short&lc=1", "/watch?av=harbourW01k&lc=1", "/@name?lc=1", ""])
    assert.equal(videoIdInCommentLink(url), undefined, url);
});

test("a link that is no text names no video", () => {
  assert.doesNotThrow(() => readPageResponse({ contents: { url: { toString: 1 } } }, null, {} as Collector));
});
