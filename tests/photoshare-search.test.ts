/** Photo sharing's search shows four lists that share one order. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestServer, type TestServer } from "./test-server.ts";
import { anAccount } from "./world.ts";

interface Found {
  position: number;
}

interface Results {
  users: Found[];
  hashtags: Found[];
  places: Found[];
  see_more: { list: (Found & { keyword: { name: string } })[] };
}

let server: TestServer;
before(async () => {
  server = await startTestServer("demo");
});
after(() => server.close());

test("every position of an answer is taken once, and keywords come after what was found", async () => {
  const { users, hashtags, places, see_more } = await server.postJson<Results>("/api/photoshare/search", {
    search_query: "street",
  });
  const found = [...users, ...hashtags, ...places].map(({ position }) => position);
  const keywords = see_more.list.map(({ position }) => position);
  assert.ok(users.length > 0 && hashtags.length > 0 && keywords.length > 0);
  assert.deepEqual(
    [...found, ...keywords].toSorted((a, b) => a - b),
    Array.from({ length: found.length + keywords.length }, (_, position) => position),
  );
  assert.ok(Math.min(...keywords) > Math.max(...found));
});

test("keywords are what people write beside the query: hashtags, and the words that follow it", async () => {
  const { see_more } = await server.postJson<Results>("/api/photoshare/search", { search_query: "street" });
  const names = see_more.list.map(({ keyword }) => keyword.name);
  assert.ok(names.includes("street food"), names.join(", "));
  assert.ok(names.includes("nightmarket"), names.join(", "));
  assert.ok(!names.includes("street"));
});

test("an account is found by its handle as typed, whatever separates its words", async () => {
  const accounts = [
    anAccount("91", "mia.photo_art", { displayName: "Mia K", counters: { followers: 3 } }),
    anAccount("92", "mia.photo_artist", { displayName: "Art of Mia", counters: { followers: 90_000 } }),
  ];
  const own = await startTestServer([{ platform: "photoshare", batch: { accounts } }]);
  try {
    for (const search_query of ["mia.photo_art", "@mia.photo_art", "Mia.Photo_Art", "mia photo art", "mia.photo_"]) {
      const { users } = await own.postJson<{ users: { user: { username: string } }[] }>("/api/photoshare/search", {
        search_query,
      });
      const names = users.map(({ user }) => user.username);
      assert.ok(names.includes("mia.photo_art"), `${search_query}: ${names.join(", ")}`);
      if (search_query !== "mia.photo_") assert.equal(names[0], "mia.photo_art", search_query);
    }
  } finally {
    await own.close();
  }
});

test("a hashtag has its own id, name as written, picture, flags and count", async () => {
  const flagged = ["allow_following", "is_following", "is_top_media_only"];
  const flags = (set: string) => Object.fromEntries(flagged.map((name) => [name, name === set]));
  const hashtags = flagged.map((set, index) => ({
    id: `soupe${index}`,
    name: `Soupé${index}`,
    platformId: `1784${index}`,
    counters: { posts: 31, views: 32 },
    native: { ...flags(set), profile_pic_url: `https://media.example/${index}.jpg` },
    capturedAt: Date.UTC(2026, 2, 1),
    source: "test",
  }));
  const own = await startTestServer([{ platform: "photoshare", batch: { hashtags } }]);
  try {
    for (const [index, set] of flagged.entries()) {
      assert.deepEqual(await own.json(`/api/photoshare/search-hashtag?hashtag=SOUPE${index}`), {
        id: `1784${index}`,
        name: `Soupé${index}`,
        ...flags(set),
        profile_pic_url: `https://media.example/${index}.jpg`,
        posts: { count: 31, edges: [] },
        top_posts: { edges: [] },
        content_advisory_posts: { count: 0, edges: [] },
        pagination_token: "",
      });
    }
  } finally {
    await own.close();
  }
});
