/** What is not held, was erased or never existed: the same 404, so that an answer tells nothing of erasures. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ErrorCode } from "#errors";
import { openTestHouse, type TestHouse } from "./house.ts";
import { assertProblem, type Problem } from "./problem.ts";
import { ask } from "./wire.ts";
import { aComment, anAccount, aPost, CAPTURED_AT, WORLD } from "./world.ts";

describe("records that are not held", () => {
  let house: TestHouse;
  before(async () => {
    house = await openTestHouse(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => house.close());

  const UNKNOWN: [operation: string, parameters: Record<string, string>, code: ErrorCode][] = [
    ["shortvideo/music/posts", { musicId: "7199999999999999999" }, "sound_not_found"],
    ["shortvideo/music/info", { musicId: "7199999999999999999" }, "sound_not_found"],
    ["shortvideo/user/info-with-region", { uniqueId: "nobody.known" }, "account_not_found"],
    ["shortvideo/post/detail", { videoId: "7399999999999999999" }, "post_not_found"],
    ["shortvideo/post/comments", { videoId: "7399999999999999999" }, "post_not_found"],
    [
      "shortvideo/download/video",
      { url: "https://www.tiktok.com/@nobody/video/7399999999999999999" },
      "post_not_found",
    ],
    ["longvideo/video/details", { video_id: "nobodysVideo" }, "post_not_found"],
    ["longvideo/video/comments", { video_id: "nobodysVideo" }, "post_not_found"],
    ["longvideo/video/subtitles", { video_id: "nobodysVideo" }, "post_not_found"],
    ["photoshare/get-user-tagged-posts", { username_or_url: "nobody.known" }, "account_not_found"],
    ["photoshare/get-profile", { username_or_url: "nobody.known" }, "account_not_found"],
    ["photoshare/get-bio-links", { username_or_url: "nobody.known", data: "bio_links" }, "account_not_found"],
    ["photoshare/get-profile-v2", { username_or_url: "nobody.known" }, "account_not_found"],
    ["photoshare/get-followers", { username_or_url: "nobody.known", data: "followers" }, "account_not_found"],
    ["photoshare/get-posts", { username_or_url: "nobody.known" }, "account_not_found"],
    ["photoshare/search-hashtag", { hashtag: "nobodysTag" }, "hashtag_not_found"],
  ];

  for (const [operation, parameters, code] of UNKNOWN) {
    test(`${operation} answers ${code}`, async () => {
      assertProblem(await ask(house.address, operation, parameters), code, operation);
    });
  }

  test("an unknown id stays unknown whatever cursor is sent with it", async () => {
    assertProblem(
      await ask(house.address, "shortvideo/music/posts", { musicId: "7199999999999999999", cursor: "5" }),
      "sound_not_found",
    );
    assertProblem(
      await ask(house.address, "shortvideo/post/comments", { videoId: "7399999999999999999", cursor: "5" }),
      "post_not_found",
    );
  });

  test("searches that find nothing are no errors", async () => {
    for (const [operation, parameters] of [
      ["shortvideo/search/general", { keyword: "zzyzx" }],
      ["longvideo/search", { query: "zzyzx" }],
      ["photoshare/search", { search_query: "zzyzx" }],
    ] as const) {
      assert.equal((await ask(house.address, operation, parameters)).status, 200, operation);
    }
  });

  test("a video without subtitles is no error", async () => {
    const answer = await ask(house.address, "longvideo/video/subtitles", { video_id: "world0000002" });
    assert.deepEqual(JSON.parse(answer.text), { lang: "", is_available: false, subtitles: [] });
  });

  test("erased records and records that never existed have the same 404 body", async () => {
    const gone = "7388888888888888888";
    const questions: [string, Record<string, string>][] = [
      ["shortvideo/user/info-with-region", { uniqueId: "soon.gone" }],
      ["shortvideo/post/detail", { videoId: gone }],
      ["shortvideo/post/comments", { videoId: gone }],
      ["shortvideo/download/video", { url: `https://www.tiktok.com/@soon.gone/video/${gone}` }],
      ["longvideo/video/details", { video_id: gone }],
      ["longvideo/video/comments", { video_id: gone }],
      ["longvideo/video/subtitles", { video_id: gone }],
      ["photoshare/get-profile", { username_or_url: "soon.gone" }],
      ["photoshare/get-profile-v2", { username_or_url: "soon.gone" }],
      ["photoshare/get-posts", { username_or_url: "soon.gone" }],
      ["photoshare/get-followers", { username_or_url: "soon.gone", data: "followers" }],
      ["photoshare/get-user-tagged-posts", { username_or_url: "soon.gone" }],
    ];
    const answers = () =>
      Promise.all(questions.map(([operation, parameters]) => ask(house.address, operation, parameters)));
    const never = (await answers()).map(({ text }) => withoutId(text));
    const store = await house.openStore();
    try {
      const account = anAccount("6888888888888888888", "soon.gone");
      const batch = {
        accounts: [account],
        posts: [aPost(gone, { authorId: account.id, text: "soon gone" })],
        comments: [aComment("7488888888888888888", gone, { authorId: account.id })],
        subtitles: [
          { postId: gone, language: "en", automatic: false, lines: [], capturedAt: CAPTURED_AT, source: "test" },
        ],
      };
      for (const platform of ["shortvideo", "longvideo", "photoshare"]) await store.writer.put(platform, batch);
      for (const { status, text } of await answers()) assert.equal(status, 200, text);
      for (const platform of ["shortvideo", "longvideo", "photoshare"])
        await store.writer.erase(platform, "account", account.id);
      assert.deepEqual(
        (await answers()).map(({ text }) => withoutId(text)),
        never,
      );
      for (const platform of ["shortvideo", "longvideo", "photoshare"]) await store.writer.put(platform, batch);
      assert.deepEqual(
        (await answers()).map(({ text }) => withoutId(text)),
        never,
        "an import must not bring it back",
      );
    } finally {
      await store.close();
    }
  });
});

function withoutId(text: string): unknown {
  return { ...(JSON.parse(text) as Problem), request_id: "" };
}
