import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlatformName, SearchKind } from "#domain/record.ts";
import { mergeSources } from "./merge-sources.ts";
import type { Ranked } from "./ranking.ts";

function source(platform: PlatformName, kind: SearchKind, scores: number[], options: { isWholeName?: boolean } = {}) {
  const page = scores.map((score, index): Ranked => {
    const text = { title: "", tags: "", text: "", author: null, language: null, country: null };
    const document = { doc: index, id: `${platform}-${kind}-${index}`, at: 0, engagement: 0, views: 0, ...text };
    return { document, score, isWholeName: options.isWholeName ?? false };
  });
  return { platform, kind, results: { page, stateBefore: { newest: 0, returned: [] as number[] } } };
}

const kindsOf = (merged: ReturnType<typeof mergeSources>) => merged.map(({ source: { platform } }) => platform);

test("no source fills the page alone, unless the others are much worse", () => {
  const many = Array.from({ length: 40 }, () => 7);
  const page = kindsOf(mergeSources([source("a", "post", many), source("b", "post", [6.5, 6.5, 6.5])], 10));
  assert.equal(page.filter((platform) => platform === "b").length, 3);
  assert.equal(page[0], "a");
  assert.ok(!kindsOf(mergeSources([source("a", "post", many), source("b", "post", [2])], 10)).includes("b"));
});

test("the best account, hashtag or sound of each source whose name is the query comes first", () => {
  const sources = [
    source("a", "post", [12, 11]),
    source("a", "account", [6, 5.5], { isWholeName: true }),
    source("b", "hashtag", [5], { isWholeName: true }),
  ];
  const order = mergeSources(sources, 10).map(({ ranked }) => ranked.document.id);
  assert.deepEqual(order, ["a-account-0", "b-hashtag-0", "a-post-0", "a-post-1", "a-account-1"]);
});

test("pages of any size give one order", () => {
  const sources = [
    source("a", "post", [9, 8, 7, 6, 5, 4]),
    source("b", "post", [8.5, 8, 2, 1]),
    source("b", "comment", [8, 3]),
  ];
  const all = mergeSources(sources, 100).map(({ ranked }) => ranked.document.id);
  const paged: string[] = [];
  const returned = new Map(sources.map((one) => [one, 0]));
  while (paged.length < all.length) {
    const rest = sources.map((one) => {
      const count = returned.get(one) ?? 0;
      const results = {
        page: one.results.page.slice(count),
        stateBefore: { newest: 0, returned: Array.from({ length: count }, (_, index) => index) },
      };
      return { ...one, results, origin: one };
    });
    for (const { source: one, ranked } of mergeSources(rest, 2)) {
      paged.push(ranked.document.id);
      returned.set(one.origin, (returned.get(one.origin) ?? 0) + 1);
    }
  }
  assert.deepEqual(paged, all);
});
