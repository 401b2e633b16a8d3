/** The demo world of a first start: large enough to show everything, consistent, and the same at any start but for its times. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { DAY_MS, HOUR_MS, toIsoDate } from "#domain/time.ts";
import { demoWorld } from "#import/demo-world.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { growthOf } from "#store/trends/growth.ts";
import type { Batch } from "#store/write/port.ts";
import { limitRuns } from "#testing/budget.ts";
import { demoWorld as generatedWorld } from "../scripts/demo/world.ts";

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
      atLeast(world.posts.length, 550, "posts");
      atLeast(world.comments.length, 3_000, "comments");
      atLeast(world.hashtags.length, 300, "hashtags");
      const perPost = countBy(world.comments, ({ postId }) => postId);
      atLeast([...perPost.values()].filter((count) => count >= 100).length, 3, "posts with a hundred comments");
      atLeast(world.posts.length - perPost.size, 20, "posts without comments");
      const replies = world.comments.filter(({ parentId }) => parentId !== null).length;
      assert.ok(replies > 300 && replies < world.comments.length / 3, "some comments are replies");
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
      atLeast(since(7 * 86_400), 80, "posts of the last week");
      // The featured post of two platforms is as old as its fixed id says.
      atLeast(since(401 * 86_400), world.posts.length - 1, "posts of the last 400 days");
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
      atLeast(ofPosts.length, world.posts.length * 0.9, "posts with a history");
      for (const { id, points } of world.history) {
        const record = current.get(id);
        assert.ok(record !== undefined && points.length >= 1 && points.length <= 42);
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

    test("grows day by day: no day of the last week has most of the week's growth", () => {
      const gained = new Map<number, number>();
      const records = new Map(world.posts.map((record) => [record.id, record]));
      for (const { kind, id, points } of world.history) {
        const post = records.get(id);
        if (kind !== "post" || post === undefined) continue;
        for (const { day, values } of growthOf("longvideo", post.publishedAt, [...points, post]).measured)
          gained.set(day, (gained.get(day) ?? 0) + values[0]);
      }
      const today = Math.max(...gained.keys());
      const week = Array.from({ length: 7 }, (_, ago) => gained.get(today - ago) ?? 0);
      const total = week.reduce((sum, value) => sum + value, 0);
      for (const [ago, value] of week.entries())
        assert.ok(value < total * 0.4, `${value} of ${total} gained ${ago} days ago`);
    });

    test("never counts fewer comments than there are", () => {
      const stored = countBy(world.comments, ({ postId }) => postId);
      for (const { id, counters } of world.posts)
        atLeast(counters.comments ?? 0, stored.get(id) ?? 0, `comments of ${id}`);
    });

    test("is written in five languages", () => {
      const languages = countBy(world.posts, ({ language }) => language);
      for (const language of ["en", "es", "ar", "ja", "hi"]) atLeast(languages.get(language) ?? 0, 40, language);
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
  atLeast(new Set(world.subtitles.map(({ postId }) => postId)).size, 110, "videos with subtitles");
  assert.ok(world.posts.every(({ id }) => /^[\w-]{11}$/.test(id)));
  assert.ok(world.posts.some(({ durationS }) => durationS === null));
  assert.deepEqual(
    [...new Set(world.charts.map(({ country }) => country))].toSorted(),
    [...new Set(world.posts.map(({ country }) => country ?? ""))].toSorted(),
    "a chart for every country of the demo data",
  );
  assert.equal(world.charts.length, 10 * 4 * 5);
  assert.deepEqual(
    [...new Set(world.charts.map(({ day }) => day))],
    ["2026-05-01", "2026-05-02", "2026-05-03", "2026-05-04", "2026-05-05"],
  );
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
  atLeast(world.accounts.length, 500, "accounts with mere followers");
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

test("the same hour gives the same data; another one shifts its times and keeps its texts", () => {
  assert.deepEqual(gather(NOW + 60_000), WORLDS);
  const later = gather(NOW + 90 * 86_400_000);
  for (const [platform, world] of WORLDS) {
    const moved = later.get(platform);
    assert.deepEqual(
      moved?.posts.map(({ text }) => text),
      world.posts.map(({ text }) => text),
    );
    assert.equal((moved?.posts[1]?.publishedAt ?? 0) - (world.posts[1]?.publishedAt ?? 0), 90 * 86_400);
  }
});

/** Since the release, to when ids with a time still have as many digits. */
const STARTS = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2042, 0, 1) });

test("the file has what scripts/demo generates, at any start and any URL", () => {
  fc.assert(
    fc.property(STARTS, fc.constantFrom("http://127.0.0.1:8080", "https://demo.example/captures"), (now, base) => {
      const generated = [...generatedWorld(now, base)];
      const read = [...demoWorld(now, base)];
      assert.equal(read.length, generated.length);
      for (const [index, batch] of generated.entries())
        // A difference of texts of a megabyte would take minutes to print.
        assert.ok(
          JSON.stringify(read[index]) === JSON.stringify(batch),
          `batch ${index}, of ${batch.platform}, differs: run npm run generate`,
        );
    }),
    limitRuns(3),
  );
});

test("another start keeps counters, texts and the distance of captures, and its charts end on its day", () => {
  const hourOf = (now: number) => now - (now % HOUR_MS);
  const unmoved = (worlds: Map<string, World>, now: number) =>
    [...worlds].map(([platform, world]) => ({
      platform,
      accounts: world.accounts.map(({ name, bio, counters }) => ({ name, bio, counters })),
      posts: world.posts.map(({ title, text, hashtags, counters }) => ({ title, text, hashtags, counters })),
      comments: world.comments.map(({ text, counters }) => ({ text, counters })),
      subtitles: world.subtitles.map(({ language, lines }) => ({ language, lines })),
      history: world.history.map(({ points }) =>
        points.map(({ capturedAt, counters }) => ({ ago: hourOf(now) - capturedAt, counters })),
      ),
      charts: world.charts.map(({ country, section, day, postIds }) => ({
        country,
        section,
        ranks: postIds.map((id) => world.posts.findIndex((post) => post.id === id)),
        daysAgo: (Date.parse(toIsoDate(hourOf(now))) - Date.parse(day)) / DAY_MS,
      })),
    }));
  const expected = JSON.stringify(unmoved(WORLDS, NOW));
  fc.assert(
    fc.property(STARTS, (now) => {
      const worlds = gather(now);
      assert.ok(JSON.stringify(unmoved(worlds, now)) === expected, "more than times differs");
      for (const world of worlds.values()) {
        for (const { capturedAt } of [...world.accounts, ...world.posts, ...world.follows, ...world.subtitles])
          assert.equal(capturedAt, hourOf(now));
        const published = new Map([...world.posts, ...world.comments].map((one) => [one.id, one.publishedAt ?? 0]));
        for (const { postId, parentId, publishedAt } of world.comments)
          assert.ok(
            (publishedAt ?? 0) >= (published.get(parentId ?? postId) ?? Number.POSITIVE_INFINITY) &&
              (publishedAt ?? 0) * 1_000 <= now,
          );
        assert.ok(world.posts.every(({ publishedAt }) => (publishedAt ?? 0) * 1_000 <= now));
      }
    }),
    limitRuns(3),
  );
});

test("the time in an id is that of its record", () => {
  const short = worldOf("shortvideo");
  for (const { id, publishedAt } of [...short.posts, ...short.comments])
    assert.equal(Number(BigInt(id) >> 32n), publishedAt, id);
  for (const { id, createdAt } of short.accounts) assert.equal(Number(BigInt(id) >> 32n), createdAt, id);
  for (const { id, publishedAt } of worldOf("photoshare").posts) {
    const milliseconds = Number(BigInt(id) >> 23n) + 1_314_000_000_000;
    assert.equal(Math.floor(milliseconds / 1_000), publishedAt, id);
  }
});

test("no two posts of an account begin with the same five words, in title or text", () => {
  for (const [platform, { posts }] of WORLDS) {
    const begun = new Set<string>();
    for (const { authorId, title, text, language } of posts) {
      for (const written of [title, text]) {
        if (written === null) continue;
        // Japanese is written without spaces.
        const beginning = language === "ja" ? written.slice(0, 12) : written.split(/\s+/).slice(0, 5).join(" ");
        const key = `${authorId} ${beginning}`;
        assert.ok(!begun.has(key), `${platform}: ${key}`);
        begun.add(key);
      }
    }
  }
});

test("videos are as long as their titles say", () => {
  const { posts } = worldOf("longvideo");
  const lengths = (title: RegExp) =>
    posts
      .filter((post) => title.test(post.title ?? "") && post.durationS !== null)
      .map(({ durationS }) => durationS ?? 0);
  for (const [title, least, most] of [
    [/twelve hours|Doce horas|اثنتا عشرة ساعة|十二時間/, 42_000, 43_200],
    [/six minutes|ست دقائق|छह मिनट/, 340, 380],
    [/two-minute|dos minutos|الدقيقتين|二分で/, 110, 140],
    [/trailer|tráiler|ट्रेलर/, 60, 150],
  ] as const) {
    const found = lengths(title);
    atLeast(found.length, 2, String(title));
    assert.ok(
      found.every((seconds) => seconds >= least && seconds <= most),
      `${title}: ${found.join(", ")}`,
    );
  }
  for (const { native, durationS, title } of posts)
    if (
      durationS !== null &&
      (native as { type?: string }).type === "NORMAL" &&
      !/trailer|tráiler|ट्रेलर|two-minute|dos minutos|الدقيقتين|二分で|live|en vivo|عزف|弾き語り|लाइव|lyric|letra|كلمات|リリック|बोल/.test(
        title ?? "",
      )
    )
      atLeast(durationS, 180, title ?? "");
});

test("the showcases have numbers of their own, and all of them grow", () => {
  const names = { shortvideo: "nora.lindqvist", longvideo: "marketlane", photoshare: "luna.marchetti" };
  const numbers: unknown[] = [];
  for (const [platform, name] of Object.entries(names)) {
    const world = worldOf(platform);
    const account = world.accounts.find((one) => one.name === name);
    const [post] = world.posts;
    assert.ok(account !== undefined && post?.authorId === account.id);
    numbers.push(post.counters.likes, account.counters.followers);
    for (const [record, counter] of [
      [account, "followers"],
      [post, "likes"],
    ] as const) {
      const points = world.history.find(({ id }) => id === record.id)?.points ?? [];
      const values = [...points.map(({ counters }) => counters[counter] ?? 0), record.counters[counter] ?? 0];
      atLeast(values.length, 7, `${platform}: ${counter}`);
      assert.deepEqual(
        values,
        [...new Set(values)].toSorted((a, b) => a - b),
        `${platform}: ${counter} grow from capture to capture`,
      );
    }
  }
  assert.equal(new Set(numbers).size, numbers.length);
});

test("pictures are drawn by the service itself; all other hosts are reserved names", () => {
  let pictures = 0;
  for (const world of WORLDS.values()) {
    for (const [url] of JSON.stringify([world.accounts, world.posts, world.sounds, world.comments]).matchAll(
      /https?:[^"\\\s]+/g,
    )) {
      const isPicture = /^http:\/\/127\.0\.0\.1:8080\/media\/[\w-]+\/[\w-]+\/\d+x\d+\.svg(?:\?text=[\w%.-]+)?$/.test(
        url,
      );
      if (isPicture) pictures++;
      else assert.match(new URL(url).hostname, /\.example$/, url);
      if (/\.(?:jpe?g|png|webp)/.test(url)) assert.fail(`no such picture: ${url}`);
    }
  }
  atLeast(pictures, 10_000, "pictures");
  const elsewhere = [...demoWorld(NOW, "https://demo.example")];
  assert.match(JSON.stringify(elsewhere[0]?.batch.accounts?.[0]), /https:\/\/demo\.example\/media\/avatar\//);
});
