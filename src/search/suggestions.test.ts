import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundDocument } from "./engine.ts";
import { suggestKeywords } from "./suggestions.ts";

function suggest(text: string, documents: Partial<FoundDocument>[], limit = 10): string[] {
  const blank = { title: "", tags: "", text: "" };
  const ranked = documents.map((fields) => ({ document: { ...blank, ...fields } as FoundDocument }));
  return suggestKeywords(
    text,
    ranked.map(({ document }) => ({ document, score: 0, isWholeName: false })),
    limit,
  );
}

test("hashtags other than the query are suggested, the most used first", () => {
  const found = [{ tags: "#soup soup #broth #ramen #hotsoup" }, { tags: "#ramen | #nora" }];
  assert.deepEqual(suggest("hot soup", found), ["ramen", "broth", "nora"]);
  assert.deepEqual(suggest("hot soup", found, 1), ["ramen"]);
  assert.deepEqual(suggest("soup", [{ tags: "#λογοσ" }]), ["λογος"]);
  assert.deepEqual(suggest("from:nora", [{ tags: "#ramen", text: "soup" }, { text: "soup" }]), ["ramen"]);
});

test("a word of four letters that follows the query is suggested if several posts have it", () => {
  const found = [
    { text: "soup soup bowl", title: "soup with the soup kitchen" },
    { text: "my soup bowl and soup soup", title: "soup with the soup kitten soup kitten" },
  ];
  assert.deepEqual(suggest("soup", found), ["soup bowl", "soup with"]);
});
