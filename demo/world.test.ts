import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PLATFORMS } from "#platforms/registry.ts";
import type { Batch } from "#store/writer.ts";
import { demoWorld } from "./world.ts";

const NOW = Date.UTC(2026, 4, 5, 10, 33, 12);
const NOW_S = Math.floor(NOW / 1_000);

type World = { [Kind in keyof Required<Batch>]: NonNullable<Batch[Kind]> };

function gather(now: number): Map<string, World> {
  const worlds = new Map<string, World>();
  for (const { platform, batch } of demoWorld(now)) {
    const world = worlds.get(platform) ?? {
      accounts: [],
      posts: [],
      comments: [],
      sounds: [],
      hashtags: [],
      places: [],
      subtitles: [],
      follows: [],
      charts: [],
      chartEntries: [],
      history: [],
    };
    for (const [kind, records] of Object.entries(batch)) (world[kind as keyof World] as unknown[]).push(...records);
    worlds.set(platform, world);
  }
  return worlds;
}

const WORLDS = gather(NOW);

function worldOf(platform: string): World {
  const world = WORLDS.get(platform);
  assert.ok(world, `${platform} has a world`);
  return world;
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function topLevelComments(world: World, postId: string): number {
  return world.comments.filter((comment) => comment.postId === postId && comment.parentId === null).length;
}

function atLeast(actual: number, least: number, what: string): void {
  assert.ok(actual >= least, `${what}: ${actual}, at least ${least} wanted`);
}

for (const { name: platform } of PLATFORMS) {
  describe(`the demo data of ${platform}`, () => {
    const world = worldOf(platform);

    test("is large enough to page through", () => {
      atLeast(world.accounts.length, 70, "accounts");
      atLeast(world.posts.length, 600, "posts");
      atLeast(world.comments.length, 5_000, "comments");
      atLeast(world.hashtags.length, 300, "hashtags");
      const perPost = countBy(world.comments, ({ postId }) => postId);
      atLeast([...perPost.values()].filter((count) => count >= 100).length, 5, "posts with a hundred comments");
      atLeast(world.posts.length - perPost.size, 20, "posts without comments");
      const replies = world.comments.filter(({ parentId }) => parentId !== null).length;
      assert.ok(replies > 500 && replies < world.comments.length / 3, "some comments are replies");
    });

    test("gives every record an id of its own", () => {
      for (const records of [world.accounts, world.posts, world.comments, world.sounds, world.hashtags, world.places]) {
        assert.equal(new Set(records.map(({ id }) => id)).size, records.length);
      }
      assert.equal(new Set(world.accounts.map(({ name }) => name)).size, world.accounts.length);
      assert.equal(
        new Set(world.follows.map(({ accountId, followerId }) => `${accountId} ${followerId}`)).size,
        world.follows.length,
      );
      assert.equal(
        new Set(world.subtitles.map(({ postId, language }) => `${postId} ${language}`)).size,
        world.subtitles.length,
      );
    });

    test("refers only to records that exist", () => {
      const accounts = new Set(world.accounts.map(({ id }) => id));
      const posts = new Set(world.posts.map(({ id }) => id));
      const sounds = new Set(world.sounds.map(({ id }) => id));
      const places = new Set(world.places.map(({ id }) => id));
      const parents = new Map(world.comments.map((comment) => [comment.id, comment]));
      for (const post of world.posts) {
        assert.ok(post.authorId !== null && accounts.has(post.authorId));
        assert.ok(post.soundId === null || sounds.has(post.soundId));
        assert.ok(post.placeId === null || places.has(post.placeId));
        assert.ok(post.taggedIds.every((id) => accounts.has(id)));
      }
      for (const comment of world.comments) {
        assert.ok(posts.has(comment.postId) && comment.authorId !== null && accounts.has(comment.authorId));
        if (comment.parentId !== null) assert.equal(parents.get(comment.parentId)?.postId, comment.postId);
      }
      assert.ok(world.sounds.every(({ artistId }) => artistId === null || accounts.has(artistId)));
      assert.ok(
        world.follows.every(({ accountId, followerId }) => accounts.has(accountId) && accounts.has(followerId)),
      );
      assert.ok(
        world.charts.every(
          ({ postIds }) => postIds.every((id) => posts.has(id)) && new Set(postIds).size === postIds.length,
        ),
      );
      assert.ok(world.subtitles.every(({ postId }) => posts.has(postId)));
      assert.ok(world.history.every(({ kind, id }) => (kind === "post" ? posts : accounts).has(id)));
    });

    test("is in the past, denser recently, and replies follow their parents", () => {
      const published = new Map(world.posts.map(({ id, publishedAt }) => [id, publishedAt ?? 0]));
      const since = (seconds: number) =>
        world.posts.filter(({ publishedAt }) => (publishedAt ?? 0) >= NOW_S - seconds).length;
      atLeast(since(3_600), 4, "posts of the last hour");
      atLeast(since(86_400), 30, "posts of the last day");
      atLeast(since(7 * 86_400), 100, "posts of the last week");
      assert.equal(since(401 * 86_400), world.posts.length);
      assert.ok([...published.values()].every((at) => at <= NOW_S));
      assert.ok(world.follows.every(({ since: began }) => began === null || began <= NOW_S));
      const spoken = new Map(world.comments.map(({ id, publishedAt }) => [id, publishedAt ?? 0]));
      for (const { postId, parentId, publishedAt } of world.comments) {
        const earliest = parentId === null ? published.get(postId) : spoken.get(parentId);
        assert.ok(
          publishedAt !== null && publishedAt <= NOW_S && publishedAt >= (earliest ?? Number.POSITIVE_INFINITY),
        );
      }
    });

    test("counts upwards from capture to capture", () => {
      const current = new Map([...world.posts, ...world.accounts].map((record) => [record.id, record]));
      const ofPosts = world.history.filter(({ kind }) => kind === "post");
      atLeast(ofPosts.length, world.posts.length * 0.4, "posts with a history");
      for (const { id, points } of world.history) {
        const record = current.get(id);
        assert.ok(record !== undefined && points.length >= 2 && points.length <= 6);
        const all = [...points, { capturedAt: record.capturedAt, counters: record.counters }];
        for (const [index, point] of all.entries()) {
          const before = all[index - 1];
          if (before === undefined) continue;
          assert.ok(point.capturedAt > before.capturedAt);
          for (const name of ["views", "likes", "comments", "followers"] as const) {
            assert.ok((point.counters[name] ?? 0) >= (before.counters[name] ?? 0), `${name} of ${id}`);
          }
        }
      }
      for (const { counters } of world.posts) {
        const { views = Number.POSITIVE_INFINITY, likes, comments = 0 } = counters;
        assert.ok(likes === undefined || (views >= likes && likes >= comments));
      }
    });

    test("never counts fewer comments than there are", () => {
      const stored = countBy(world.comments, ({ postId }) => postId);
      for (const { id, counters } of world.posts)
        atLeast(counters.comments ?? 0, stored.get(id) ?? 0, `comments of ${id}`);
    });

    test("is written in five languages", () => {
      const languages = countBy(world.posts, ({ language }) => language);
      for (const language of ["en", "es", "ar", "ja", "hi"]) atLeast(languages.get(language) ?? 0, 50, language);
      for (const { text, title } of world.posts) assert.doesNotMatch(`${text} ${title}`, /[{}]|undefined/);
      for (const { text } of world.comments) assert.doesNotMatch(text ?? "", /[{}]|undefined/);
    });
  });
}

test("short videos: the featured account, post and sound exist, and some counters are unknown", () => {
  const world = worldOf("shortvideo");
  const nora = world.accounts.find(({ name }) => name === "nora.lindqvist");
  const known = world.posts.find(({ id }) => id === "7300000000000000001");
  assert.equal(known?.authorId, nora?.id);
  atLeast(topLevelComments(world, "7300000000000000001"), 150, "comments of the featured post");
  const uses = countBy(world.posts, ({ soundId }) => soundId);
  atLeast(world.sounds.length, 90, "sounds");
  atLeast(uses.get("7100000000000000001") ?? 0, 150, "posts with the featured sound");
  assert.equal(Math.max(...uses.values()), uses.get("7100000000000000001"));
  assert.ok(world.posts.every(({ id }) => /^\d{19}$/.test(id)));
  assert.ok(world.posts.some(({ counters }) => counters.saves === undefined));
});

test("long videos: the featured video, subtitles and charts exist", () => {
  const world = worldOf("longvideo");
  const known = world.posts.find(({ id }) => id === "demoVideo01");
  assert.match(known?.title ?? "", /Street food/);
  atLeast(topLevelComments(world, "demoVideo01"), 120, "comments of the featured video");
  const tracks = world.subtitles.filter(({ postId }) => postId === "demoVideo01");
  assert.deepEqual(
    tracks.map(({ language, automatic }) => [language, automatic]),
    [
      ["en", false],
      ["es", true],
      ["ja", true],
    ],
  );
  atLeast(new Set(world.subtitles.map(({ postId }) => postId)).size, 120, "videos with subtitles");
  assert.ok(world.posts.every(({ id }) => /^[\w-]{11}$/.test(id)));
  assert.ok(world.posts.some(({ durationS }) => durationS === null));
  assert.equal(world.charts.length, 6 * 4 * 3);
  assert.deepEqual([...new Set(world.charts.map(({ day }) => day))], ["2026-05-03", "2026-05-04", "2026-05-05"]);
  for (const { postIds } of world.charts) assert.ok(postIds.length >= 20 && postIds.length <= 50);
});

test("photos: the featured account is followed, tagged and active, places and hashtags are used", () => {
  const world = worldOf("photoshare");
  const luna = world.accounts.find(({ name }) => name === "luna.marchetti");
  assert.ok(luna);
  const followers = countBy(world.follows, ({ accountId }) => accountId);
  const tags = countBy(
    world.posts.flatMap(({ taggedIds }) => taggedIds),
    (id) => id,
  );
  atLeast(followers.get(luna.id) ?? 0, 420, "followers of luna");
  atLeast(luna.counters.followers ?? 0, followers.get(luna.id) ?? 0, "her own count of followers");
  atLeast(world.posts.filter(({ authorId }) => authorId === luna.id).length, 60, "posts by luna");
  atLeast(tags.get(luna.id) ?? 0, 45, "posts tagging luna");
  atLeast([...tags.values()].filter((count) => count >= 40).length, 12, "accounts tagged often");
  atLeast(world.posts.filter(({ hashtags }) => hashtags.includes("streetfood")).length, 80, "posts with streetfood");
  atLeast(world.places.length, 40, "places");
  atLeast(world.posts.filter(({ placeId }) => placeId !== null).length, world.posts.length / 3, "posts with a place");
  atLeast(world.accounts.length, 700, "accounts with mere followers");
  for (const [id, count] of followers) assert.ok(id === luna.id || (count >= 20 && count <= 200));
  assert.match(luna.bio ?? "", /@mail\.example[\s\S]*\+1 555-01\d\d/);
});

test("the code of a photo is its id in base64url", () => {
  for (const { id, native } of worldOf("photoshare").posts.slice(0, 200)) {
    const { code = "" } = native as { code?: string };
    const bytes = Buffer.from(BigInt(id).toString(16).padStart(18, "0"), "hex");
    assert.equal(bytes.toString("base64url").replace(/^A+/, ""), code);
  }
});

test("the same hour gives the same data; another one shifts its times and keeps its ids", () => {
  assert.deepEqual(gather(NOW + 60_000), WORLDS);
  const later = gather(NOW + 90 * 86_400_000);
  for (const [platform, world] of WORLDS) {
    const moved = later.get(platform);
    assert.deepEqual(
      moved?.posts.map(({ id, text }) => [id, text]),
      world.posts.map(({ id, text }) => [id, text]),
    );
    assert.equal((moved?.posts[0]?.publishedAt ?? 0) - (world.posts[0]?.publishedAt ?? 0), 90 * 86_400);
  }
});

test("uses only reserved host names", () => {
  for (const world of WORLDS.values()) {
    for (const [host] of JSON.stringify([world.accounts, world.posts, world.sounds]).matchAll(
      /(?<=https?:\/\/)[^/"\\?\s]+/g,
    )) {
      assert.match(host, /\.example$/);
    }
  }
});
