/** What is not held, was erased or never existed: the same 404, so that an answer tells nothing of erasures. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ErrorCode } from "#errors";
import { OPERATIONS, PLATFORMS } from "#platforms/registry.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { assertProblem, type Problem } from "./problem.ts";
import { BEHAVIOUR } from "./spec-tables.ts";
import { requestOperation } from "./http-client.ts";
import {
  aComment,
  anAccount,
  aPost,
  CAPTURED_AT,
  GOOD_REQUESTS,
  LONG_VIDEO,
  NAMED,
  PHOTO,
  TALKED_ABOUT,
  WORLD,
} from "./world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

const POST = new RegExp(`${TALKED_ABOUT}|${LONG_VIDEO}|${PHOTO}`);

describe("records that are not held", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  for (const { name, group } of OPERATIONS) {
    const good = GOOD_REQUESTS[name] ?? {};
    const naming = { ...NAMED[group.name], ...BEHAVIOUR[name]?.request };
    const unknown = Object.entries(good).map(([parameter, value]) => [
      parameter,
      parameter in naming ? value.replace(/...$/, "999") : value,
    ]);
    const code = BEHAVIOUR[name]?.notFound;
    test(`${name} answers ${code ?? "200"} for what it does not hold`, async () => {
      const response = await requestOperation(server.url, name, Object.fromEntries(unknown) as Record<string, string>);
      if (code === undefined) assert.equal(response.status, 200, response.text);
      else assertProblem(response, code as ErrorCode, name);
    });
  }

  test("an unknown id stays unknown whatever cursor is sent with it", async () => {
    assertProblem(
      await requestOperation(server.url, "shortvideo/music/posts", { musicId: "7199999999999999999", cursor: "5" }),
      "sound_not_found",
    );
    assertProblem(
      await requestOperation(server.url, "shortvideo/post/comments", { videoId: "7399999999999999999", cursor: "5" }),
      "post_not_found",
    );
  });

  test("a video without subtitles is no error", async () => {
    const response = await requestOperation(server.url, "longvideo/video/subtitles", { video_id: "world0000002" });
    assert.deepEqual(JSON.parse(response.text), { lang: "", is_available: false, subtitles: [] });
  });

  test("erased records and records that never existed have the same 404 body", async () => {
    const gone = "7388888888888888888";
    // What can be erased: posts and accounts, with all that hangs on them.
    const questions = OPERATIONS.filter(({ name }) => /^(?:post|account)_/.test(BEHAVIOUR[name]?.notFound ?? "")).map(
      ({ name }) => {
        const entries = Object.entries(GOOD_REQUESTS[name] ?? {}).map(([parameter, value]) => [
          parameter,
          value.replace(/ines\.varga|amara\.petrovic|rafael\.sundqvist/, "soon.gone").replace(POST, gone),
        ]);
        return [name, Object.fromEntries(entries) as Record<string, string>] as const;
      },
    );
    assert.ok(questions.length >= 12);
    const responses = () =>
      Promise.all(questions.map(([operation, parameters]) => requestOperation(server.url, operation, parameters)));
    const never = (await responses()).map(({ text }) => withoutId(text));
    const store = await server.openStore();
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
      for (const { name } of PLATFORMS) await store.writer.write([toUnit(name, batch)]);
      for (const { status, text } of await responses()) assert.equal(status, 200, text);
      for (const { name } of PLATFORMS) await store.writer.erase(name, "account", account.id);
      assert.deepEqual(
        (await responses()).map(({ text }) => withoutId(text)),
        never,
      );
      for (const { name } of PLATFORMS) await store.writer.write([toUnit(name, batch)]);
      assert.deepEqual(
        (await responses()).map(({ text }) => withoutId(text)),
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
