/** Pages: together they are the list, in its order, each record once, whatever is written meanwhile. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Store } from "#store/store.ts";
import { budget } from "#testing/budget.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import {
  idsOf,
  listNamed,
  newestFirst,
  type Page,
  PAGED_LISTS,
  NUMBERED_OPERATIONS,
  PAGED_OPERATIONS,
  readPage,
  walk,
} from "./paged-lists.ts";
import { BEHAVIOUR } from "./spec-tables.ts";
import { runCommand } from "./run-command.ts";
import { aPost, RAIN_SOUND, TALKED_ABOUT, WORLD } from "./world.ts";

const OPEN = { RATE_LIMIT: "off" };

describe("walking pages of a store at rest", () => {
  let server: TestServer;
  let store: Store;
  before(async () => {
    server = await startTestServer(WORLD, OPEN);
    store = await server.openStore();
  });
  after(async () => {
    await store.close();
    await server.close();
  });

  for (const list of PAGED_LISTS) {
    for (const size of list.size?.values ?? [undefined]) {
      test(`${list.name} gives the whole list in order${size === undefined ? "" : `, ${size} at a time`}`, async () => {
        const pages = await walk(server, list, { size });
        const expected = list.order === null ? null : list.records.toSorted(list.order).map(({ id }) => id);
        if (expected !== null) assert.deepEqual(idsOf(pages), expected);
        else assert.deepEqual(idsOf(pages).toSorted(), list.records.map(({ id }) => id).toSorted());
        if (size !== undefined) for (const { ids } of pages.slice(0, -1)) assert.equal(ids.length, size);
        assert.notEqual(pages.at(-1)?.ids.length, 0, "the last page must not be an empty one that only says so");
      });
    }
  }

  for (const list of PAGED_OPERATIONS) {
    test(`${list.name} can be walked to its end, and gives each record once, whatever the size of a page`, async () => {
      const [small, large] = list.size?.values ?? [];
      const pages = await walk(server, list, { size: small });
      assert.ok(pages.length > 1, "one page is no walk: the world must hold more");
      const ids = idsOf(pages);
      assert.ok(ids.every((id) => typeof id === "string" && id !== ""));
      assert.equal(new Set(ids).size, ids.length);
      if (large !== undefined) assert.deepEqual(idsOf(await walk(server, list, { size: large })), ids);
    });
  }

  test("the tables say how to walk what has pages, and nothing else", () => {
    const described = Object.keys(BEHAVIOUR).filter((name) => BEHAVIOUR[name]?.pages !== undefined);
    const paged = [...PAGED_OPERATIONS, ...NUMBERED_OPERATIONS].map(({ name }) => name);
    assert.deepEqual(described.toSorted(), paged.toSorted());
  });

  test("search/general is ordered as one read of the store is", async () => {
    const now = Math.floor(Date.now() / 1000);
    const { items } = await store.reader("shortvideo").searchPosts({ text: "lantern", offset: 0, limit: 1000, now });
    assert.deepEqual(
      idsOf(await walk(server, listNamed("search/general"))),
      items.map(({ id }) => id),
    );
  });

  test("long-video search is ordered as one read of the store is, preferring the caller's language and country", async () => {
    const now = Math.floor(Date.now() / 1000);
    const { items } = await store
      .reader("longvideo")
      .searchPosts({ text: "lantern", offset: 0, limit: 1000, now, language: "hu", country: "HU" });
    const list = listNamed("long-video search");
    const preferring = { ...list, parameters: { ...list.parameters, lang: "hu", country: "hu" } };
    assert.deepEqual(
      idsOf(await walk(server, preferring)),
      items.map(({ id }) => id),
    );
  });

  test("the size of a page may change from page to page", async () => {
    const list = listNamed("get-posts");
    const first = await readPage(server, list, { amount: "3" });
    const second = await readPage(server, list, { amount: "50", ...first.next });
    const third = await readPage(server, list, { amount: "100", ...second.next });
    assert.deepEqual(
      [...first.ids, ...second.ids, ...third.ids],
      list.records.toSorted(newestFirst).map(({ id }) => id),
    );
    assert.equal(third.next, null);
  });

  test("a tagged post's own cursor continues right after that post", async () => {
    const list = listNamed("get-user-tagged-posts");
    const whole = await readPage(server, list, { amount: "100" });
    const entries = whole.body["tagged_posts"] as { cursor: string }[];
    const rest = await readPage(server, list, { amount: "100", pagination_token: entries[9]?.cursor ?? "" });
    assert.deepEqual(rest.ids, whole.ids.slice(10));
  });

  test("page tokens are empty at the end, and an empty one asks for the first page", async () => {
    for (const list of PAGED_LISTS.filter(({ operation }) => !operation.startsWith("shortvideo/"))) {
      const name = list.operation.startsWith("photoshare/") ? "pagination_token" : "continuation_token";
      const pages = await walk(server, list);
      assert.equal(pages.at(-1)?.body[name], "", list.name);
      const again = await readPage(server, list, { [name]: "" });
      assert.deepEqual(again.ids, pages[0]?.ids, list.name);
    }
  });

  test("the cursor of the last page leads to an empty page, not to the first one", async () => {
    for (const name of ["music/posts", "post/comments, newest first", "post/comments, top first"]) {
      const list = listNamed(name);
      const last = (await walk(server, list, { size: 7 })).at(-1) as Page;
      const beyond = await readPage(server, list, { cursor: String(last.body["cursor"]) });
      assert.deepEqual(beyond.ids, [], name);
      assert.equal(beyond.next, null, name);
      assert.equal(beyond.body["cursor"], last.body["cursor"], name);
    }
  });

  test("a walk of search/general ends with has_more 0 and the cursor behind the last result", async () => {
    const list = listNamed("search/general");
    const last = (await walk(server, list)).at(-1) as Page;
    assert.equal(last.body["has_more"], 0);
    assert.equal(last.body["cursor"], list.records.length);
  });

  test("a walk of search/general may repeat a page with the search_id of any page of it", async () => {
    const list = listNamed("search/general");
    const pages = await walk(server, list);
    const { impr_id } = (pages[1] as Page).body["log_pb"] as { impr_id: string };
    const again = await readPage(server, list, { cursor: "12", search_id: impr_id });
    assert.deepEqual(again.ids, pages[1]?.ids);
  });

  test("replies do not stand among the top-level comments, nor in their number", async () => {
    const short = await readPage(server, listNamed("post/comments, newest first"));
    assert.equal(short.body["total"], 40, "the platform's own number is not known, so the number held stands");
    const long = await readPage(server, listNamed("video/comments, newest first"));
    assert.equal(long.body["total_number_of_comments"], 47);
    assert.equal(long.body["number_of_comments"], long.ids.length);
    const likes = listNamed("video/comments, newest first").records.reduce(
      (sum, record) => sum + (record.likes ?? 0),
      0,
    );
    assert.equal(long.body["total_number_of_likes"], likes);
  });

  test("search-hashtag shows the nine of most engagement on the first page only", async () => {
    const list = listNamed("search-hashtag");
    const [first, second] = await walk(server, list);
    const best = list.records.toSorted((a, b) => (b.likes ?? 0) - (a.likes ?? 0) || (a.id < b.id ? -1 : 1)).slice(0, 9);
    assert.deepEqual(
      topPosts(first),
      best.map(({ id }) => id),
    );
    assert.deepEqual(topPosts(second), []);
  });
});

test("a search returns its best thousand, also if longer words join once the exact matches run out", async () => {
  const posts = Array.from({ length: 990 }, (_, index) => aPost(`old${index}`, { text: "lamp", publishedAt: index }));
  const longer = Array.from({ length: 100 }, (_, index) =>
    aPost(`new${index}`, { text: "lampion", counters: { views: 9e8, likes: 9e7 } }),
  );
  const batch = { posts: [...posts, ...longer] };
  const searches = (
    [
      ["shortvideo", "search/general", "keyword"],
      ["longvideo", "long-video search", "query"],
    ] as const
  ).slice(0, budget("wholeSearches"));
  const server = await startTestServer(
    searches.map(([platform]) => ({ platform, batch })),
    OPEN,
  );
  try {
    for (const [, name, parameter] of searches) {
      const ids = idsOf(await walk(server, { ...listNamed(name), parameters: { [parameter]: "lamp" } }));
      assert.deepEqual([ids.length, new Set(ids).size], [1_000, 1_000], name);
    }
  } finally {
    await server.close();
  }
});

describe("numbers beside the lists", () => {
  test("totals are the platform's own where known, else the number held", async () => {
    const server = await startTestServer(
      [
        ...WORLD,
        {
          platform: "shortvideo",
          batch: { posts: [aPost(TALKED_ABOUT, { soundId: RAIN_SOUND, counters: { comments: 9000 } })] },
        },
      ],
      OPEN,
    );
    try {
      assert.equal((await readPage(server, listNamed("post/comments, newest first"))).body["total"], 9000);
      const followers = listNamed("get-followers");
      assert.equal((await readPage(server, followers)).body["count"], 44);
      const told = { ...followers, parameters: { ...followers.parameters, username_or_url: "rafael.sundqvist" } };
      assert.equal((await readPage(server, told)).body["count"], 77);
      const hashtag = await readPage(server, listNamed("search-hashtag"));
      assert.equal((hashtag.body["posts"] as { count: number }).count, 58);
    } finally {
      await server.close();
    }
  });
});

function topPosts(page: Page | undefined): string[] {
  const { edges } = (page as Page).body["top_posts"] as { edges: { node: { id: string } }[] };
  return edges.map(({ node }) => node.id);
}

describe("walking rankings, whose pages have numbers", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer("demo", OPEN);
  });
  after(() => server.close());

  for (const list of NUMBERED_OPERATIONS) {
    test(`${list.name} can be walked to its end, also by the command line`, async () => {
      const ids = idsOf(await walk(server, list, { size: 50 }));
      assert.ok(ids.length > 50, "one page is no walk");
      assert.equal(new Set(ids).size, ids.length);
      assert.deepEqual(idsOf(await walk(server, list, { size: 30 })), ids);
      const args = ["get", list.operation, "limit=50", "--paginate", "--json", "--fields", "data"];
      const { code, stdout, stderr } = await runCommand(args, { DATA_DIR: server.dataDir, ...server.env });
      assert.equal(code, 0, stderr);
      assert.equal(stdout.trimEnd().split("\n").length, ids.length);
    });
  }
});
