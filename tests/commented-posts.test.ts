/** Posts of which only comments are stored: their comments are served, and nothing else is told or counted. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { requestOperation } from "./http-client.ts";
import { assertProblem } from "./problem.ts";
import { query, startTestServer, type TestServer } from "./test-server.ts";
import { ALL_READ, bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { aComment, anAccount, aPost } from "./world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

const COMMENTS = 23;

/** In each platform's form of ids. */
const COMMENTED = {
  shortvideo: "7377777777777777777",
  longvideo: "tarnTalk01A",
  photoshare: "3382845430393690647",
} as const;
/** Only a reply is stored, without its comment. */
const REPLIED = { shortvideo: "7366666666666666666", longvideo: "tarnTalk02A", photoshare: "3382845430393690648" };
const PHOTO_CODE = "C7yR_7wq1oX";
const PLATFORMS = Object.keys(COMMENTED) as (keyof typeof COMMENTED)[];

const COMMENT_OPERATIONS = [
  ["shortvideo/post/comments", { videoId: COMMENTED.shortvideo, count: "20" }, "total", "cursor"],
  ["longvideo/video/comments", { video_id: COMMENTED.longvideo }, "total_number_of_comments", "continuation_token"],
  ...PLATFORMS.map((platform) => {
    const parameters = { platform, id: COMMENTED[platform], limit: "20" };
    return ["post", parameters, "total_comments", "continuation_token"] as const;
  }),
] as const;

function commentsOf(platform: keyof typeof COMMENTED) {
  const id = COMMENTED[platform];
  return [
    ...Array.from({ length: COMMENTS }, (_, index) =>
      aComment(`${id}-c${index}`, id, { authorId: "6800000000000000009", text: "quiet kettles" }),
    ),
    aComment(`${id}-r0`, REPLIED[platform], { parentId: "not stored", text: "quiet kettles" }),
  ];
}

interface Body {
  comments: object[];
  has_more?: number;
  [name: string]: unknown;
}

describe("posts of which only comments are stored", () => {
  let server: TestServer;
  before(async () => {
    const accounts = [anAccount("6800000000000000009", "wren.aldous")];
    const posts = [aPost("7300000000000000901", { authorId: "6800000000000000009", text: "loud kettles" })];
    server = await startTestServer(
      PLATFORMS.map((platform) => ({ platform, batch: { accounts, posts, comments: commentsOf(platform) } })),
      { RATE_LIMIT: "off" },
    );
  });
  after(() => server.close());

  const request = (operation: string, parameters: Readonly<Record<string, string>>) =>
    requestOperation(server.url, operation, parameters);

  for (const [operation, parameters, total, next] of COMMENT_OPERATIONS)
    test(`${operation} ${JSON.stringify(parameters)} returns all comments, page by page`, async () => {
      const first = await request(operation, parameters);
      assert.equal(first.status, 200, first.text);
      const body = JSON.parse(first.text) as Body;
      assert.deepEqual([body.comments.length, body[total]], [20, COMMENTS]);
      assert.notEqual(first.header("etag"), null);
      assert.notEqual(first.header("last-modified"), null);
      const second = await request(operation, { ...parameters, [next]: String(body[next]) });
      const rest = JSON.parse(second.text) as Body;
      assert.equal(rest.comments.length, COMMENTS - 20);
      assert.ok(rest.has_more === 0 || rest[next] === "");
      const ids = [...body.comments, ...rest.comments].map((comment) => JSON.stringify(comment));
      assert.equal(new Set(ids).size, COMMENTS);
    });

  test("everything else is unknown of it", async () => {
    for (const platform of PLATFORMS) {
      const path = `/api/post?${query({ platform, id: COMMENTED[platform], limit: "1" })}`;
      const unknown = await server.json<{ post: object; author: null }>(path, { prefer: "unknown=null" });
      const { platform: named, id, counters, ...rest } = unknown.post as Record<string, unknown>;
      assert.deepEqual([named, id, counters, unknown.author], [platform, COMMENTED[platform], {}, null]);
      assert.deepEqual(new Set(Object.values(rest)), new Set([null]), platform);
      const { post } = await server.json<{ post: Record<string, unknown> }>(path);
      assert.deepEqual([post["hashtags"], post["media"], post["captured_at"], post["source"]], [[], [], null, ""]);
    }
  });

  test("a photo is found by its code and its URL", async () => {
    for (const id of [PHOTO_CODE, `https://www.instagram.com/p/${PHOTO_CODE}/`]) {
      const { post } = await server.json<{ post: { id: string } }>(
        `/api/post?${query({ platform: "photoshare", id })}`,
      );
      assert.equal(post.id, COMMENTED.photoshare);
    }
  });

  test("a reply without its comment is found by its post, and one comment alone", async () => {
    for (const platform of PLATFORMS) {
      const replies = { platform, id: REPLIED[platform], replies_to: "not stored" };
      const { comments } = await server.json<Body>(`/api/post?${query(replies)}`);
      assert.equal(comments.length, 1);
      const one = { platform, id: COMMENTED[platform], comment: `${COMMENTED[platform]}-c3` };
      assert.equal((await server.json<Body>(`/api/post?${query(one)}`)).comments.length, 1);
    }
    for (const [operation, parameters] of [
      ["shortvideo/post/comments", { videoId: REPLIED.shortvideo }],
      ["longvideo/video/comments", { video_id: REPLIED.longvideo }],
    ] as const)
      assert.deepEqual((JSON.parse((await request(operation, parameters)).text) as Body).comments, []);
  });

  test("its details, history and subtitles are not found", async () => {
    for (const [operation, parameters] of [
      ["shortvideo/post/detail", { videoId: COMMENTED.shortvideo }],
      ["longvideo/video/details", { video_id: COMMENTED.longvideo }],
      ...PLATFORMS.flatMap((platform) => [
        ["history", { platform, kind: "post", id: COMMENTED[platform] }] as const,
        ["subtitles", { platform, id: COMMENTED[platform] }] as const,
      ]),
    ] as const)
      assertProblem(await request(operation, parameters), "post_not_found", operation);
  });

  test("it is counted neither in exports nor in totals nor in search", async () => {
    const desk = await openTokenIssuer(server);
    const { token } = await desk.issue({ scopes: [...ALL_READ, "export", "admin"] });
    await desk.close();
    const operator = bearerHeader(token);
    const exported = await (await server.get("/api/export/posts?format=ndjson", operator)).text();
    assert.deepEqual(
      exported
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { id: string }).id),
      PLATFORMS.map(() => "7300000000000000901"),
    );
    const overview = await server.json<{ records: { kind: string; count: number }[] }>("/admin/overview", operator);
    const posts = overview.records.filter(({ kind }) => kind === "post");
    assert.deepEqual(
      posts.map(({ count }) => count),
      [1, 1, 1],
    );
    interface Found {
      results: { kind: string; id: string }[];
    }
    const { results } = await server.json<Found>("/api/search?q=kettles&kinds=post,comment&limit=50");
    const kinds = Map.groupBy(results, ({ kind }) => kind);
    assert.deepEqual([kinds.get("post")?.length, kinds.get("comment")?.length ?? 0], [3, 47]);
    for (const platform of PLATFORMS) {
      const listed = await server.json<{ total: number }>(
        `/api/posts?${query({ platform, account: "6800000000000000009" })}`,
      );
      assert.equal(listed.total, 1);
    }
  });

  test("erased posts and authors stay unknown, and so do their comments", async () => {
    const store = await server.openStore();
    try {
      for (const platform of PLATFORMS) {
        await store.writer.erase(platform, "post", COMMENTED[platform]);
        await store.writer.write([toUnit(platform, { comments: commentsOf(platform) })]);
      }
      for (const [operation, parameters] of COMMENT_OPERATIONS)
        assertProblem(await request(operation, parameters), "post_not_found", operation);
      // Erases the reply, which was all that was stored of its post.
      for (const platform of PLATFORMS) {
        const parameters = { platform, id: REPLIED[platform] };
        await store.writer.erase(platform, "comment", `${COMMENTED[platform]}-r0`);
        assertProblem(await request("post", parameters), "post_not_found", platform);
      }
    } finally {
      await store.close();
    }
  });
});
