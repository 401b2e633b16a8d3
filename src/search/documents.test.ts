import assert from "node:assert/strict";
import { test } from "node:test";
import { post } from "#testing/sample-records.ts";
import { type Content, documentFrom, documentOf } from "./documents.ts";

const document = (content: Partial<Content>) => documentFrom({ titles: [], attention: 0, ...content });
const termsOf = (content: Partial<Content>) => document(content).filterTerms.split(" ");

test("attention is likes, three times the comments and a twentieth of the views", () => {
  const counters = { likes: 4, comments: 5, views: 1_600 };
  assert.equal(documentOf("post", post("1", { counters })).engagement, Math.log10(1 + 99));
  assert.equal(documentOf("hashtag", { name: "soup", counters: { posts: 9, views: 99 } }).engagement, 1);
  assert.equal(documentOf("hashtag", { name: "soup", counters: { views: 99 } }).engagement, 2);
  assert.equal(document({ attention: -5 }).engagement, 0);
});

test("the static rank grows with attention and date; a post without a date is as one of 2018, others need none", () => {
  const ranks = [
    { attention: 9 },
    { attention: 9, at: null },
    { attention: 9, at: Date.UTC(2018, 0, 1) / 1000 },
    { attention: 1e80 },
  ].map((content) => document(content).staticRank);
  assert.deepEqual(ranks, [16, 112, 112, 1_023]);
});

test("a title, a name or else a caption of up to twelve words is found as a whole", () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);
  assert.ok(termsOf({ titles: [words(12).join(" ")] }).includes(`=${words(12).join("·")}`));
  assert.ok(termsOf({ texts: [words(12).join(" ")] }).includes(`=${words(12).join("·")}`));
  for (const content of [
    { titles: [words(13).join(" ")] },
    { texts: [words(13).join(" ")] },
    { titles: ["#\ufc5e"], texts: [words(13).join(" ")] },
  ])
    assert.ok(!termsOf(content).some((term) => term.startsWith("=")));
  assert.ok(!termsOf({ titles: ["tea"], texts: ["hot soup"] }).includes("=hot·soup"));
});

test("a name is found as written, by its words, and split at its dots", () => {
  assert.equal(document({ titles: ["@nia.photo_art"] }).title, "nia.photo_art | nia photo_art | nia photo art");
});

test("hashtags are found whole and by their words, and in titles without their sign", () => {
  assert.equal(document({ hashtags: ["StreetFood"] }).tags, "#streetfood streetfood street food");
  const inTitle = termsOf({ hashtags: ["StreetFood"] }).filter((term) => term.startsWith("t:"));
  assert.deepEqual(inTitle, ["t:streetfood", "t:street", "t:food"]);
});

test("names of the author and keywords are apart from what the post itself has", () => {
  const { tags } = document({ authorNames: ["SkyPainter", "@nora lind"], keywords: ["PaperKites"] });
  assert.equal(tags, "| skypainter sky painter nora lind | paperkites paper kites");
});

test("a language has its usual code", () => assert.equal(document({ language: "iw" }).language, "he"));
