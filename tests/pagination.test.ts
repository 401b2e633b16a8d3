/** Pages: together they are the list, in its order, each record once, whatever is written meanwhile. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import { cursorOf } from "../src/platforms/shortvideo/paging.ts";
import { openTestHouse, type TestHouse } from "./house.ts";
import { listNamed, newestFirst, type Ordered, type Page, PAGED_LISTS, readPage, walk } from "./paged-lists.ts";
import { aComment, AMARA, aPost, RAIN_SOUND, T0, TALKED_ABOUT, WORLD } from "./world.ts";

const OPEN = { RATE_LIMIT: "off" };
const idsOf = (pages: Page[]) => pages.flatMap(({ ids }) => ids);

describe("walking pages of a store at rest", () => {
  let house: TestHouse;
  let store: Store;
  before(async () => {
    house = await openTestHouse(WORLD, OPEN);
    store = openSqliteStore(house.dataDir);
  });
  after(async () => {
    await store.close();
    await house.close();
  });

  for (const list of PAGED_LISTS) {
    for (const size of list.size?.values ?? [undefined]) {
      test(`${list.name} gives the whole list in order${size === undefined ? "" : `, ${size} at a time`}`, async () => {
        const pages = await walk(house, list, { size });
        const expected = list.order === null ? null : list.records.toSorted(list.order).map(({ id }) => id);
        if (expected !== null) assert.deepEqual(idsOf(pages), expected);
        else assert.deepEqual(idsOf(pages).toSorted(), list.records.map(({ id }) => id).toSorted());
        if (size !== undefined) for (const { ids } of pages.slice(0, -1)) assert.equal(ids.length, size);
        assert.notEqual(pages.at(-1)?.ids.length, 0, "the last page must not be an empty one that only says so");
      });
    }
  }

  test("search/general is ordered as one read of the store is", async () => {
    const now = Math.floor(Date.now() / 1000);
    const { items } = await store.of("shortvideo").searchPosts({ text: "lantern", offset: 0, limit: 1000, now });
    assert.deepEqual(idsOf(await walk(house, listNamed("search/general"))), items.map(({ id }) => id));
  });

  test("long-video search is ordered as one read of the store is, preferring the caller's language and country", async () => {
    const now = Math.floor(Date.now() / 1000);
    const { items } = await store.of("longvideo").searchPosts({ text: "lantern", offset: 0, limit: 1000, now, language: "hu", country: "HU" });
    const list = listNamed("long-video search");
    const preferring = { ...list, parameters: { ...list.parameters, lang: "hu", country: "hu" } };
    assert.deepEqual(idsOf(await walk(house, preferring)), items.map(({ id }) => id));
  });

  test("the size of a page may change from page to page", async () => {
    const list = listNamed("get-posts");
    const first = await readPage(house, list, { amount: "3" });
    const second = await readPage(house, list, { amount: "50", ...first.next });
    const third = await readPage(house, list, { amount: "100", ...second.next });
    assert.deepEqual([...first.ids, ...second.ids, ...third.ids], list.records.toSorted(newestFirst).map(({ id }) => id));
    assert.equal(third.next, null);
  });

  test("a tagged post's own cursor continues right after that post", async () => {
    const list = listNamed("get-user-tagged-posts");
    const whole = await readPage(house, list, { amount: "100" });
    const entries = whole.body["tagged_posts"] as { cursor: string }[];
    const after = await readPage(house, list, { amount: "100", pagination_token: entries[9]?.cursor ?? "" });
    assert.deepEqual(after.ids, whole.ids.slice(10));
  });

  test("page tokens are empty at the end, and an empty one asks for the first page", async () => {
    for (const list of PAGED_LISTS.filter(({ operation }) => !operation.startsWith("shortvideo/"))) {
      const name = list.operation.startsWith("photoshare/") ? "pagination_token" : "continuation_token";
      const pages = await walk(house, list);
      assert.equal(pages.at(-1)?.body[name], "", list.name);
      const again = await readPage(house, list, { [name]: "" });
      assert.deepEqual(again.ids, pages[0]?.ids, list.name);
    }
  });

  test("the cursor of the last page leads to an empty page, not to the first one", async () => {
    for (const name of ["music/posts", "post/comments, newest first", "post/comments, top first"]) {
      const list = listNamed(name);
      const last = (await walk(house, list, { size: 7 })).at(-1) as Page;
      const beyond = await readPage(house, list, { cursor: String(last.body["cursor"]) });
      assert.deepEqual(beyond.ids, [], name);
      assert.equal(beyond.next, null, name);
      assert.equal(beyond.body["cursor"], last.body["cursor"], name);
    }
  });

  test("a walk of search/general ends with has_more 0 and the cursor behind the last result", async () => {
    const list = listNamed("search/general");
    const last = (await walk(house, list)).at(-1) as Page;
    assert.equal(last.body["has_more"], 0);
    assert.equal(last.body["cursor"], list.records.length);
  });

  test("a walk of search/general may repeat a page with the search_id of any page of it", async () => {
    const list = listNamed("search/general");
    const pages = await walk(house, list);
    const searchId = (pages[1]?.body["log_pb"] as { impr_id: string }).impr_id;
    const again = await readPage(house, list, { cursor: "12", search_id: searchId });
    assert.deepEqual(again.ids, pages[1]?.ids);
  });

  test("replies do not stand among the top-level comments, nor in their number", async () => {
    const short = await readPage(house, listNamed("post/comments, newest first"));
    assert.equal(short.body["total"], 40, "the platform's own number is not known, so the number held stands");
    const long = await readPage(house, listNamed("video/comments, newest first"));
    assert.equal(long.body["total_number_of_comments"], 47);
    assert.equal(long.body["number_of_comments"], long.ids.length);
    const likes = listNamed("video/comments, newest first").records.reduce((sum, record) => sum + (record.likes ?? 0), 0);
    assert.equal(long.body["total_number_of_likes"], likes);
  });

  test("search-hashtag shows the nine of most engagement on the first page only", async () => {
    const list = listNamed("search-hashtag");
    const [first, second] = await walk(house, list);
    const top = (page: Page | undefined) => (page?.body["top_posts"] as { edges: { node: { id: string } }[] }).edges.map(({ node }) => node.id);
    const best = list.records.toSorted((a, b) => (b.likes ?? 0) - (a.likes ?? 0) || (a.id < b.id ? -1 : 1)).slice(0, 9);
    assert.deepEqual(top(first), best.map(({ id }) => id));
    assert.deepEqual(top(second), []);
  });
});

describe("walking pages while an import writes", () => {
  let house: TestHouse;
  let store: Store;
  beforeEach(async () => {
    house = await openTestHouse(WORLD, OPEN);
    store = openSqliteStore(house.dataDir);
  });
  afterEach(async () => {
    await store.close();
    await house.close();
  });

  for (const list of PAGED_LISTS) {
    test(`${list.name} gives each record that was there exactly once, in order, as newer, older and equal ones arrive`, async () => {
      const original = new Map(list.records.map((record) => [record.id, record]));
      const started = idsOf(await walk(house, list, { size: 7 }));
      let arrived = 0;
      const pages = await walk(house, list, {
        size: 7,
        async between({ ids }) {
          const here = [...ids].reverse().map((id) => original.get(id)).find((record) => record !== undefined) as Ordered;
          arrived++;
          const tail = String(arrived).padStart(4, "0");
          for (const newcomer of [
            { id: `9newer${tail}`, at: T0 + 100_000 + arrived, likes: 1_000_000 + arrived },
            { id: `9older${tail}`, at: T0 - 100_000 - arrived, likes: 0 },
            { ...here, id: `0equal${tail}` },
            { ...here, id: `zequal${tail}` },
          ]) {
            const { platform, batch } = list.newcomer(newcomer);
            await store.writer.put(platform, batch);
          }
        },
      });
      assert.ok(arrived > 0, "the list must have more than one page");
      const seen = idsOf(pages);
      assert.deepEqual(seen.filter((id) => original.has(id)), started);
      assert.equal(new Set(seen).size, seen.length, "not even newcomers come twice");
    });
  }

  for (const name of ["search/general", "long-video search"]) {
    test(`${name} gives each record exactly once while an import raises the counters of another`, async () => {
      const list = listNamed(name);
      const started = idsOf(await walk(house, list));
      const risen = started.at(-1) as string;
      const { platform, batch } = list.newcomer({ id: risen, at: T0 + 50, likes: 1e15 });
      const pages = await walk(house, list, { between: () => store.writer.put(platform, batch) });
      assert.deepEqual(idsOf(pages).filter((id) => id !== risen), started.slice(0, -1));
    });
  }

  for (const name of ["post/comments, top first", "video/comments, top first"]) {
    for (const [change, likes] of [["gains", 1_000_000], ["loses", 0]] as const) {
      test(`${name} gives each other comment exactly once while the one that the walk stands at ${change} likes`, async () => {
        const list = listNamed(name);
        const started = idsOf(await walk(house, list, { size: 7 }));
        const touched = new Set<string>();
        const pages = await walk(house, list, {
          size: 7,
          async between({ ids }) {
            if (touched.size > 0) return;
            const id = ids.at(-1) as string;
            const held = list.records.find((record) => record.id === id) as Ordered;
            touched.add(id);
            const { platform, batch } = list.newcomer({ ...held, likes });
            await store.writer.put(platform, batch);
          },
        });
        assert.deepEqual(idsOf(pages).filter((id) => !touched.has(id)), started.filter((id) => !touched.has(id)));
      });
    }
  }

  test("erasing the record that a walk stands at loses none of the others", async () => {
    for (const name of ["music/posts", "get-posts", "get-user-tagged-posts", "search-hashtag"]) {
      const list = listNamed(name);
      const platform = list.operation.split("/")[0] as string;
      const gone = new Set<string>();
      const started = idsOf(await walk(house, list, { size: 5 }));
      const pages = await walk(house, list, {
        size: 5,
        async between({ ids }) {
          if (gone.size > 1) return;
          gone.add(ids.at(-1) as string);
          await store.writer.erase(platform, "post", ids.at(-1) as string);
        },
      });
      const seen = new Set(idsOf(pages));
      assert.deepEqual(started.filter((id) => !seen.has(id)), [], name);
    }
  });
});

describe("walking any small world", () => {
  let house: TestHouse;
  let store: Store;
  before(async () => {
    house = await openTestHouse([{ platform: "photoshare", batch: { accounts: [AMARA] } }], OPEN);
    store = openSqliteStore(house.dataDir);
  });
  after(async () => {
    await store.close();
    await house.close();
  });

  const seconds = fc.option(fc.integer({ min: 1, max: 4 }).map((step) => T0 + step), { freq: 6 });
  const ids = fc.oneof(
    fc.stringMatching(/^[0-9]{1,4}$/),
    fc.stringMatching(/^[A-Za-z0-9_-]{1,3}$/),
    fc.integer({ min: 0, max: 999 }).map((number) => `7300000000000000${number}`),
  );
  const records = fc.uniqueArray(fc.record({ id: ids, at: seconds, likes: fc.option(fc.integer({ min: 0, max: 3 })) }), {
    selector: ({ id }) => id,
    maxLength: 25,
    minLength: 1,
  });
  let run = 0;

  test("the integer cursor of music/posts gives each record once, in order, at any page size", async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 9 }), async (world, size) => {
        const musicId = `sound-${++run}`;
        // Ids are unique in a store: each run has its own prefix, which changes no order within the run.
        const own = world.map((record) => ({ ...record, id: `${run}.${record.id}` }));
        await store.writer.put("shortvideo", { posts: own.map(({ id, at }) => aPost(id, { publishedAt: at, soundId: musicId })) });
        const list = { ...listNamed("music/posts"), parameters: { musicId } };
        assert.deepEqual(idsOf(await walk(house, list, { size })), own.toSorted(newestFirst).map(({ id }) => id));
      }),
      { numRuns: 40 },
    );
  });

  for (const name of ["post/comments, newest first", "post/comments, top first"]) {
    test(`the integer cursor of ${name} gives each record once, in order, at any page size`, async () => {
      const list = listNamed(name);
      await fc.assert(
        fc.asyncProperty(records, fc.integer({ min: 1, max: 9 }), async (world, size) => {
          const videoId = `video-${++run}`;
          const comments = world.map(({ id, at, likes }) => aComment(id, videoId, { publishedAt: at, counters: likes === null ? {} : { likes } }));
          await store.writer.put("shortvideo", { comments });
          const here = { ...list, parameters: { ...list.parameters, videoId } };
          const expected = world.toSorted(list.order ?? newestFirst).map(({ id }) => id);
          assert.deepEqual(idsOf(await walk(house, here, { size })), expected);
        }),
        { numRuns: 40 },
      );
    });
  }

  test("the tokens of get-posts give each record once, in order, at any page size", async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 9 }), async (world, size) => {
        const account = { ...AMARA, id: `account-${++run}`, name: `walker_${run}` };
        const own = world.map((record) => ({ ...record, id: `${run}.${record.id}` }));
        await store.writer.put("photoshare", { accounts: [account], posts: own.map(({ id, at }) => aPost(id, { publishedAt: at, authorId: account.id })) });
        const list = { ...listNamed("get-posts"), parameters: { username_or_url: account.name } };
        assert.deepEqual(idsOf(await walk(house, list, { size })), own.toSorted(newestFirst).map(({ id }) => id));
      }),
      { numRuns: 40 },
    );
  });

  test("a walk ends and gives each record once even where two of one second have the same cursor", async () => {
    const [first, second] = twinsOf(T0);
    const soundPosts = [first, second, `${second}z`].map((id) => aPost(id, { publishedAt: T0, soundId: "twins" }));
    await store.writer.put("shortvideo", { posts: soundPosts });
    const list = { ...listNamed("music/posts"), parameters: { musicId: "twins" } };
    const pages = await walk(house, list, { size: 1, atMost: 10 });
    assert.deepEqual(idsOf(pages), [first, second, `${second}z`]);
  });
});

/** Two ids of one second whose cursors are equal, smaller one first. A few thousand tries find a pair. */
function twinsOf(at: number): [string, string] {
  const known = new Map<number, string>();
  for (let number = 0; ; number++) {
    const id = `73${String(number).padStart(17, "0")}`;
    const cursor = cursorOf({ at, id });
    const twin = known.get(cursor);
    if (twin !== undefined) return [twin, id];
    known.set(cursor, id);
  }
}

describe("numbers beside the lists", () => {
  test("totals are the platform's own where known, else the number held", async () => {
    const house = await openTestHouse(
      [...WORLD, { platform: "shortvideo", batch: { posts: [aPost(TALKED_ABOUT, { soundId: RAIN_SOUND, counters: { comments: 9000 } })] } }],
      OPEN,
    );
    try {
      assert.equal((await readPage(house, listNamed("post/comments, newest first"))).body["total"], 9000);
      const followers = listNamed("get-followers");
      assert.equal((await readPage(house, followers)).body["count"], 44);
      const told = { ...followers, parameters: { ...followers.parameters, username_or_url: "rafael.sundqvist" } };
      assert.equal((await readPage(house, told)).body["count"], 77);
      const hashtag = await readPage(house, listNamed("search-hashtag"));
      assert.equal((hashtag.body["posts"] as { count: number }).count, 58);
    } finally {
      await house.close();
    }
  });
});
