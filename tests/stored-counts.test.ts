/** Lists tell two numbers: how much is stored, and how much the platform counts. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import { requestOperation } from "./http-client.ts";
import { query, startTestServer, type TestServer } from "./test-server.ts";
import { aComment, aFollow, anAccount, aPost, aSound, CAPTURED_AT } from "./world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

const AUTHOR = "6800000000000000011";
const POST = "7300000000000000911";
const UNCOUNTED = "7300000000000000912";
const SOUND = "7100000000000000911";
const PLACE = "880911";
const PLATFORMS = ["shortvideo", "longvideo", "photoshare"] as const;

const captured = { capturedAt: CAPTURED_AT, source: "test", native: {} };
const hashtag: Hashtag = {
  ...captured,
  id: "tidepools",
  name: "tidepools",
  platformId: null,
  counters: { posts: 5_100 },
};
const place: Place = {
  ...captured,
  id: PLACE,
  name: "Tern Quay",
  latitude: null,
  longitude: null,
  address: null,
  city: null,
  counters: { posts: 640 },
};

const traits = { authorId: AUTHOR, hashtags: ["tidepools"], soundId: SOUND, placeId: PLACE };
const batch = {
  accounts: [
    anAccount(AUTHOR, "odile.brandt", { counters: { posts: 400, followers: 900, following: 12 } }),
    anAccount("6800000000000000012", "plain.perrin"),
  ],
  posts: [aPost(POST, { ...traits, counters: { comments: 73_500 } }), aPost(UNCOUNTED, traits)],
  comments: [
    aComment("c1", POST),
    aComment("c2", POST),
    aComment("r1", POST, { parentId: "c1" }),
    aComment("c3", UNCOUNTED),
    aComment("r3", UNCOUNTED, { parentId: "c3" }),
  ],
  sounds: [aSound(SOUND, { title: "Rain", counters: { posts: 81_000 } })],
  hashtags: [hashtag],
  places: [place],
  follows: [aFollow(AUTHOR, "6800000000000000012", null), aFollow(AUTHOR, "6800000000000000013", null)],
};

describe("stored and total", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(
      PLATFORMS.map((platform) => ({ platform, batch })),
      { RATE_LIMIT: "off" },
    );
  });
  after(() => server.close());

  for (const platform of PLATFORMS)
    test(`the lists of ${platform} across platforms have both numbers in every page`, async () => {
      for (const [path, parameters, numbers] of [
        ["post", { id: POST }, [3, 73_500]],
        ["post", { id: POST, limit: "1" }, [3, 73_500]],
        ["post", { id: POST, comment: "c1" }, [3, 73_500]],
        ["post", { id: UNCOUNTED }, [2, null]],
        ["posts", { account: AUTHOR }, [2, 400]],
        ["posts", { account: AUTHOR, limit: "1" }, [2, 400]],
        ["posts", { account: "plain.perrin" }, [0, null]],
        ["posts/with", { trait: "sound", id: SOUND }, [2, 81_000]],
        ["posts/with", { trait: "hashtag", id: "tidepools" }, [2, 5_100]],
        ["posts/with", { trait: "place", id: PLACE }, [2, 640]],
        ["posts/with", { trait: "tagged", id: AUTHOR }, [0, null]],
        ["follows", { account: AUTHOR, limit: "1" }, [2, 900]],
        ["follows", { account: AUTHOR, direction: "following" }, [0, 12]],
        ["follows", { account: "plain.perrin", direction: "following" }, [1, null]],
      ] as const) {
        const body = await server.json<{ stored: number; platform_total: number | null }>(
          `/api/${path}?${query({ platform, ...parameters })}`,
        );
        assert.deepEqual([body.stored, body.platform_total], numbers, `${path} ${JSON.stringify(parameters)}`);
      }
    });

  test("the contract's fields keep their meaning: the platform's own count where known", async () => {
    for (const [operation, parameters, total, expected] of [
      ["shortvideo/post/comments", { videoId: POST, count: "1" }, "total", 73_500],
      ["longvideo/video/comments", { video_id: POST }, "total_number_of_comments", 73_500],
      ["photoshare/search-hashtag", { hashtag: "tidepools" }, "count", 5_100],
      ["photoshare/get-followers", { username_or_url: "odile.brandt", data: "followers" }, "count", 900],
    ] as const) {
      const { text } = await requestOperation(server.url, operation, parameters);
      const body = JSON.parse(text) as Record<string, unknown> & { posts?: Record<string, unknown> };
      assert.equal((body.posts ?? body)[total], expected, operation);
    }
  });

  test("a comment that is imported is counted at once", async () => {
    const store = await server.openStore();
    const read = async () => (await server.json<{ stored: number }>(`/api/post?platform=photoshare&id=${POST}`)).stored;
    try {
      assert.equal(await read(), 3);
      await store.writer.write([toUnit("photoshare", { comments: [aComment("r2", POST, { parentId: "c1" })] })]);
      assert.equal(await read(), 4);
    } finally {
      await store.close();
    }
  });
});
