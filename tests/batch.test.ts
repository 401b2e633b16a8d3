/** POST /api/batch: look-ups together get what each gets alone, status, scope and cost included. */
import assert from "node:assert/strict";
import { json } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { perfCounters } from "#domain/perf-counters.ts";
import { NOW, post as samplePost } from "#testing/sample-records.ts";
import { assertProblem } from "./problem.ts";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import { type HttpResponse, OPERATIONS, requestOperation, sendRequest } from "./http-client.ts";
import { GOOD_REQUESTS, LONG_VIDEO, WORLD } from "./world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

interface Entry {
  operation: unknown;
  parameters?: unknown;
}

interface BatchResponse {
  responses: { status: number; last_modified: string | null; body: Record<string, unknown> }[];
}

describe("/api/batch", () => {
  let server: TestServer;
  let tokens: TokenIssuer;
  before(async () => {
    server = await startTestServer(WORLD);
    tokens = await openTokenIssuer(server);
  });
  after(async () => {
    await tokens?.close();
    await server?.close();
  });

  const post = (body: string, headers: Record<string, string | null> = {}): Promise<HttpResponse> =>
    sendRequest(server.url, {
      method: "POST",
      path: "/api/batch",
      headers: { "content-type": "application/json", ...headers },
      body,
    });

  async function batch(requests: unknown[], headers: Record<string, string> = {}): Promise<BatchResponse["responses"]> {
    const response = await post(JSON.stringify({ requests }), headers);
    assert.equal(response.status, 200, response.text);
    return (JSON.parse(response.text) as BatchResponse).responses;
  }

  const video = (id: string): Entry => ({ operation: "longvideo/video/details", parameters: { video_id: id } });

  test("every look-up returns in a batch what it returns alone, in the order of the request", async () => {
    const lookups = OPERATIONS.filter(({ endpoint }) => endpoint.cost === "lookup");
    assert.ok(lookups.length >= 9);
    const responses = await batch(
      lookups.map(({ name }) => ({ operation: name, parameters: GOOD_REQUESTS[name] ?? {} })),
    );
    for (const [index, { name }] of lookups.entries()) {
      const alone = await requestOperation(server.url, name, Object.entries(GOOD_REQUESTS[name] ?? {}));
      const response = responses[index];
      assert.equal(response?.status, 200, name);
      assert.equal(response?.last_modified, alone.header("last-modified"), name);
      assert.deepEqual(withoutClock(response?.body), withoutClock(JSON.parse(alone.text)), name);
    }
  });

  test("each has its own status, and the operation may be written as a path", async () => {
    const responses = await batch([
      video(LONG_VIDEO),
      video("nobodysVid1"),
      { operation: "/api/longvideo/video/details", parameters: { video_id: LONG_VIDEO, fields: "title" } },
      { operation: "longvideo/video/details" },
      { operation: "longvideo/search", parameters: { query: "x" } },
      { operation: "longvideo/vidoe/details" },
      { operation: 7 },
      null,
    ]);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 404, 200, 400, 400, 400, 400, 400],
    );
    const [, missing, selected, incomplete, list, misspelt] = responses;
    assert.equal(missing?.body["code"], "post_not_found");
    assert.deepEqual(Object.keys(selected?.body ?? {}), ["title"]);
    assert.match(String(incomplete?.body["detail"]), /^video_id is required/);
    assert.match(String(list?.body["detail"]), /longvideo\/search is no look-up; a batch takes /);
    assert.match(String(misspelt?.body["detail"]), /did you mean longvideo\/video\/details/);
  });

  test("an id that is sent as a number and loses digits is refused, not looked up", async () => {
    const { videoId } = GOOD_REQUESTS["shortvideo/post/detail"] as { videoId: string };
    const detail = (id: string | number) => ({ operation: "shortvideo/post/detail", parameters: { videoId: id } });
    const [asText, asNumber] = await batch([detail(videoId), detail(Number(videoId))]);
    assert.equal(asText?.status, 200);
    assert.deepEqual([asNumber?.status, asNumber?.body["code"]], [400, "invalid_parameter"]);
    assert.match(String(asNumber?.body["detail"]), /^videoId in the .* must be sent as a string: /);
  });

  test("a long response is sent while it is made, and is no other", async () => {
    const postId = "longSpeech1";
    const lines = Array.from({ length: 200 }, (_, at) => ({
      startS: at,
      durationS: 1,
      text: `${"a word ".repeat(20)}${at}`,
    }));
    const track = { postId, language: "en", automatic: false, lines, capturedAt: NOW, source: "test" };
    const store = await server.openStore();
    await store.writer.write([toUnit("longvideo", { posts: [samplePost(postId)], subtitles: [track] })]);
    await store.close();
    const lookup = { operation: "longvideo/video/subtitles", parameters: { video_id: postId } };
    const alone = await server.json(`/api/longvideo/video/subtitles?video_id=${postId}`);
    const body = JSON.stringify({ requests: Array.from({ length: 100 }, () => lookup) });
    const headers = { "content-type": "application/json", ...bearerHeader(TEST_TOKEN) };
    const check = ({ responses }: BatchResponse) =>
      assert.deepEqual([responses.length, responses[0]?.body, responses[99]?.body], [100, alone, alone]);
    const { statements } = perfCounters;
    // Not over a socket: it may buffer the whole response.
    const direct = { method: "POST", url: "/api/batch", headers, body, payloadAsStream: true } as const;
    const sent = await server.running.server.inject(direct);
    const executed = perfCounters.statements - statements;
    assert.ok(executed < 150, `${executed} statements of about 300`);
    check((await json(sent.stream())) as BatchResponse);
    for (const encoding of ["identity", "gzip", "br", "zstd"]) {
      const response = await fetch(`${server.url}/api/batch`, {
        method: "POST",
        headers: { ...headers, "accept-encoding": encoding },
        body,
      });
      assert.equal(response.headers.get("content-encoding"), encoding === "identity" ? null : encoding);
      check((await response.json()) as BatchResponse);
    }
  });

  test("unknown=null holds for all of them", async () => {
    const [alone] = await batch([video(LONG_VIDEO)], { prefer: "unknown=null" });
    const response = await server.json(`/api/longvideo/video/details?video_id=${LONG_VIDEO}`, {
      prefer: "unknown=null",
    });
    assert.deepEqual(alone?.body, response);
  });

  test("a token reads only what its scopes allow, entry by entry", async () => {
    const { token } = await tokens.issue({ scopes: ["read:shortvideo"] });
    const [denied, allowed] = await batch(
      [video(LONG_VIDEO), { operation: "shortvideo/post/detail", parameters: GOOD_REQUESTS["shortvideo/post/detail"] }],
      bearerHeader(token),
    );
    assert.equal(denied?.body["code"], "insufficient_scope");
    assert.equal(allowed?.status, 200);
    assertProblem(await post("{}", { authorization: null }), "missing_token");
  });

  test("each costs a look-up and waits for no other; when the quota ends, the rest are told so", async () => {
    const { token } = await tokens.issue({ limits: { daily: 30, concurrency: 1 } });
    const responses = await batch(
      Array.from({ length: 100 }, () => video(LONG_VIDEO)),
      bearerHeader(token),
    );
    assert.deepEqual(
      responses.map(({ status }) => status),
      [...Array.from({ length: 30 }, () => 200), ...Array.from({ length: 70 }, () => 429)],
    );
    assertProblem(await post("{}", bearerHeader(token)), "rate_limited");
  });

  test("a body that is no batch is refused as a whole", async () => {
    for (const body of [
      "",
      "{",
      "[]",
      "{}",
      '{"requests": []}',
      '{"requests": {}}',
      JSON.stringify({ requests: Array(101).fill(video("x")) }),
    ]) {
      assertProblem(await post(body), "invalid_body", body.slice(0, 40));
    }
  });
});

/** Without the fields that change with every request. */
function withoutClock(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      ["now", "logid", "impr_id", "search_request_id"].includes(name) ? 0 : value,
    ),
  );
}
