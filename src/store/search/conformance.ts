/** Conformance of search. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { account, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";
import type { Batch } from "#store/write/port.ts";

/** `current` returns the fresh store of the running test. */
export function searchSuite(current: () => Store): void {
  const reader = () => current().reader(PLATFORM);
  const names = (text: string) => reader().searchNames({ text, accounts: 5, hashtags: 5, places: 5, keywords: 5 });
  const write = (batch: Batch) => current().writer.write([toUnit(PLATFORM, batch)]);

  test("search matches words, the prefix of the last word and hashtags, in any script", async () => {
    await write({
      posts: [
        post("en", { text: "Midnight dumplings in the old harbour" }),
        post("es", { text: "Café de barrio, mañana temprano" }),
        post("ja", { text: "東京の夜市で餃子を食べた" }),
        post("ar", { text: "طعامُ الشارع في القاهرة" }),
        post("hi", { text: "पुरानी दिल्ली की चाट" }),
        post("tag", { text: "no words", hashtags: ["StreetFood", "餃子"] }),
        post("emoji", { text: "just 🥟" }),
      ],
    });
    const find = async (text: string) =>
      (await reader().searchPosts({ text, offset: 0, limit: 10, now: SECOND })).items.map(({ id }) => id).toSorted();
    assert.deepEqual(await find("HARBOUR midnight"), ["en"]);
    assert.deepEqual(await find("dump"), ["en"]);
    assert.deepEqual(await find("manana cafe"), ["es"]);
    assert.deepEqual(await find("餃子"), ["ja", "tag"]);
    assert.deepEqual(await find("طعام"), ["ar"]);
    assert.deepEqual(await find("दिल्ली"), ["hi"]);
    assert.deepEqual(await find("#streetfood"), ["tag"]);
    assert.deepEqual(await find("🥟"), ["emoji"]);
    assert.deepEqual(await find("harbour nowhere"), []);
  });

  test("a word as typed comes before longer words, however liked those are, and words in their order before others", async () => {
    await write({
      posts: [
        post("1", { text: "ferry" }),
        post("2", { text: "ferryboat", counters: { likes: 10_000 } }),
        post("3", { text: "the soup is hot" }),
        post("4", { text: "the hot soup" }),
      ],
    });
    const find = async (text: string) =>
      (await reader().searchPosts({ text, offset: 0, limit: 10, now: SECOND })).items.map(({ id }) => id);
    assert.deepEqual(await find("ferry"), ["1", "2"]);
    assert.deepEqual(await find("hot soup "), ["4", "3"]);
  });

  test("a mention or hashtag is found as typed, with or without its sign", async () => {
    const handles = ["nia.corallo__", "_izzy_lind_", "_izzylind_", "izzy_lind", "corallo__", "mia.photo_art"];
    await write({
      posts: [...handles.map((name) => post(`@${name}`, { text: `With @${name}` })), post("#", { text: "Out #tide_" })],
    });
    const find = async (text: string) =>
      (await reader().searchPosts({ text, offset: 0, limit: 10, now: SECOND })).items.map(({ id }) => id);
    for (const name of handles) {
      assert.ok((await find(name)).includes(`@${name}`), name);
      assert.deepEqual(await find(`@${name}`), [`@${name}`]);
    }
    assert.deepEqual(await find("tide_"), ["#"]);
  });

  test("no text is syntax to the search engine", async () => {
    await write({ accounts: [account("1")], posts: [post("p1", { text: "plain" })] });
    for (const text of [
      '"',
      "plain AND",
      "NEAR(a b)",
      "weak:plain",
      "plain*",
      "^plain",
      "-plain",
      "(",
      "{strong}: x",
      "' OR 1=1 --",
      "\u0000",
      "#",
      "@",
      'from:"plain',
      'from:pl"ain',
      '-from:"plain',
      'sound:"plain',
      "😀".repeat(99),
    ]) {
      await reader().searchPosts({ text, offset: 0, limit: 1, now: 0 });
    }
    assert.equal((await reader().searchPosts({ text: 'weak:"plain"', offset: 0, limit: 1, now: 0 })).items.length, 0);
  });

  test("a run of letters of any length is stored, found, and erased", async () => {
    const long = Array.from(randomBytes(9_000), (byte) => String.fromCharCode(0x61 + (byte % 26))).join("");
    const tag = long.slice(0, 4_000);
    await write({
      accounts: [account("2", { displayName: `#${long}` })],
      posts: [
        post("keyword", { keywords: [long] }),
        post("title", { title: `#${tag}` }),
        post("mention", { title: `@${tag}`, text: `with @${tag}` }),
        post("author", { authorNames: [long] }),
      ],
    });
    await write({ posts: [post("later", { text: "tea" })] });
    const find = async (text: string) =>
      (await reader().searchPosts({ text, offset: 0, limit: 10, now: SECOND })).items.map(({ id }) => id).toSorted();
    assert.deepEqual(await find(long), ["author", "keyword", "mention", "title"]);
    assert.deepEqual(await find(`#${tag}`), ["title"]);
    for (const id of ["keyword", "title", "mention", "author"]) await current().writer.erase(PLATFORM, "post", id);
    assert.deepEqual(await find(long), []);
    assert.deepEqual(await find("tea"), ["later"]);
  });

  test("a search's later pages see the store as its first page did", async () => {
    await write({
      posts: Array.from({ length: 7 }, (_, index) => post(`p${index}`, { text: "tea" })),
    });
    const first = await reader().searchPosts({ text: "tea", offset: 0, limit: 3, now: SECOND });
    await write({ posts: [post("late", { text: "tea", counters: { likes: 99_999 } })] });
    const rest = await reader().searchPosts({
      text: "tea",
      offset: 3,
      limit: 9,
      now: SECOND,
      state: first.state,
    });
    const ids = [...first.items, ...rest.items].map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), ["p0", "p1", "p2", "p3", "p4", "p5", "p6"]);
    assert.equal(rest.next, undefined);
  });

  test("accounts, hashtags and places are found by name, the exact name first", async () => {
    await write({
      accounts: [
        account("1", { name: "street.art", counters: { followers: 1_000_000 } }),
        account("2", { name: "street", counters: { followers: 3 } }),
      ],
      hashtags: [
        {
          id: "streetfood",
          platformId: null,
          name: "StreetFood",
          counters: { posts: 4 },
          native: {},
          capturedAt: NOW,
          source: "test",
        },
      ],
      places: [
        {
          id: "x",
          name: "Street Market",
          latitude: null,
          longitude: null,
          address: null,
          city: "Lisboa",
          counters: {},
          native: {},
          capturedAt: NOW,
          source: "test",
        },
      ],
    });
    assert.deepEqual(
      (await names("street")).accounts.map(({ item }) => item.id),
      ["2", "1"],
    );
    assert.deepEqual(
      (await names("streetf")).hashtags.map(({ item }) => item.name),
      ["StreetFood"],
    );
    assert.deepEqual(
      (await names("lisboa")).places.map(({ item }) => item.id),
      ["x"],
    );
  });

  test("suggested keywords are the hashtags used with the query, most used first", async () => {
    await write({
      posts: [
        post("a", { text: "soup", hashtags: ["ramen", "noodles"] }),
        post("b", { text: "soup", hashtags: ["ramen", "soup"] }),
      ],
    });
    assert.deepEqual((await names("soup")).keywords, ["ramen", "noodles"]);
  });
}
