/** HTTP as caches, browsers and traces expect it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestServer, query, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { assertProblem } from "./problem.ts";
import { requestOperation, sendRequest, sendRaw, namesIn, OPERATIONS, type HttpResponse } from "./http-client.ts";
import { aPost, CAPTURED_AT, GOOD_REQUESTS, RAIN_SOUND, WORLD } from "./world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

const PROFILE = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
const POSTS = `/api/shortvideo/music/posts?musicId=${RAIN_SOUND}`;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const GETS = OPERATIONS.filter(({ endpoint }) => endpoint.method === "GET");
const POST_OPERATIONS = OPERATIONS.filter(({ endpoint }) => endpoint.method === "POST");

function pathOf(name: string): string {
  return `/api/${name}?${query(GOOD_REQUESTS[name] ?? {})}`;
}

describe("http", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  const get = (path: string, headers: Record<string, string | null> = {}) => sendRequest(server.url, { path, headers });

  for (const { name } of GETS) {
    test(`HEAD ${name} has the headers of GET and no body`, async () => {
      const path = pathOf(name);
      const full = await get(path, { "x-request-id": "same" });
      const head = await sendRequest(server.url, { method: "HEAD", path, headers: { "x-request-id": "same" } });
      assert.equal(head.status, 200);
      assert.equal(head.body.length, 0);
      assert.deepEqual(steadyHeaders(head), steadyHeaders(full));
    });

    test(`${name} keeps its ETag from call to call and answers 304 to it`, async () => {
      const path = pathOf(name);
      const [first, second] = [await get(path), await get(path)];
      const etag = first.header("etag") ?? "";
      assert.match(etag, /^W\/"[\w-]{20,}"$/);
      assert.equal(second.header("etag"), etag);
      assert.notEqual(second.header("x-request-id"), first.header("x-request-id"));
      const unchanged = await get(path, { "if-none-match": etag });
      assert.equal(unchanged.status, 304);
      assert.equal(unchanged.body.length, 0);
      for (const header of ["etag", "cache-control", "vary", "last-modified", "api-version"])
        assert.equal(unchanged.header(header), first.header(header), header);
      assert.equal(unchanged.header("content-type"), null);
    });

    test(`${name} may be kept for 30 s by its caller alone`, async () => {
      const response = await get(pathOf(name));
      assert.equal(response.header("cache-control"), "private, max-age=30");
      assert.deepEqual(namesIn(response.header("vary")), [
        "accept",
        "accept-encoding",
        "authorization",
        "cookie",
        "prefer",
      ]);
      assert.equal(response.header("content-type"), "application/json; charset=utf-8");
      assert.equal(response.header("x-content-type-options"), "nosniff");
    });
  }

  for (const { name } of POST_OPERATIONS) {
    test(`${name} is read with POST, so it is not to be kept`, async () => {
      const response = await requestOperation(server.url, name, GOOD_REQUESTS[name] ?? {}, { "if-none-match": "*" });
      assert.equal(response.status, 200);
      assert.equal(response.header("cache-control"), "no-store");
      assert.equal(response.header("etag"), null);
    });
  }

  test("OPTIONS answers 204 with the methods of the path, without a token", async () => {
    for (const { path, endpoint } of OPERATIONS) {
      const response = await sendRequest(server.url, { method: "OPTIONS", path, headers: { authorization: null } });
      assert.equal(response.status, 204, path);
      assert.equal(response.header("allow"), endpoint.method === "GET" ? "GET, HEAD, OPTIONS" : "OPTIONS, POST", path);
      assert.equal(response.body.length, 0);
    }
    const [whole] = await sendRaw(server.url, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert.equal(whole?.status, 204);
    assert.equal(whole?.header("allow"), "GET, HEAD, OPTIONS, POST");
  });

  test("If-None-Match is compared weakly, in lists, and * matches whatever there is", async () => {
    const etag = (await get(PROFILE)).header("etag") ?? "";
    const strong = etag.replace(/^W\//, "");
    for (const given of [etag, strong, `"other", ${etag}`, `${etag},"other"`, `W/"a" , W/"b",${strong}`, "*", " * "])
      assert.equal((await get(PROFILE, { "if-none-match": given })).status, 304, given);
    for (const given of ['"other"', 'W/"other"', strong.replaceAll('"', ""), '""', "nonsense", `${etag}x`])
      assert.equal((await get(PROFILE, { "if-none-match": given })).status, 200, given);
  });

  test("an ETag belongs to what was asked: fields, unknowns and parameters make others", async () => {
    const tags = new Set<string | null>();
    for (const [path, headers] of [
      [PROFILE, {}],
      [`${PROFILE}&fields=userInfo`, {}],
      [PROFILE, { prefer: "unknown=null" }],
      ["/api/shortvideo/user/info-with-region?uniqueId=tomas_okafor", {}],
    ] as const) {
      tags.add((await get(path, headers)).header("etag"));
    }
    assert.equal(tags.size, 4);
  });

  test("a preference is found in lists, in quotes, with parameters and in any case, and no other is taken for it", async () => {
    const applied = async (prefer: string) => (await get(PROFILE, { prefer })).header("preference-applied");
    for (const prefer of [
      "unknown=null",
      'unknown="null"',
      "Unknown = NULL",
      "respond-async, unknown=null",
      "unknown=null,wait=10",
      "unknown=null; reason=export",
    ])
      assert.equal(await applied(prefer), "unknown=null", prefer);
    for (const prefer of ["unknown", "unknown=zero", "unknown=nullable", "wait=10; unknown=null", "x-unknown=null"])
      assert.equal(await applied(prefer), null, prefer);
  });

  test("an import changes the ETag of the answers it touches, and no other's; Last-Modified is the newest capture", async () => {
    const own = await startTestServer(WORLD, { RATE_LIMIT: "off" });
    const store = await own.openStore();
    try {
      const read = (path: string, headers = {}) => sendRequest(own.url, { path, headers });
      const [posts, profile] = [await read(POSTS), await read(PROFILE)];
      assert.equal(posts.header("last-modified"), new Date(CAPTURED_AT).toUTCString());
      await store.writer.write([
        toUnit("shortvideo", {
          posts: [
            aPost("7300000000000009999", {
              soundId: RAIN_SOUND,
              publishedAt: 1_800_000_000,
              capturedAt: CAPTURED_AT + 60_000,
            }),
          ],
        }),
      ]);
      const changed = await read(POSTS, { "if-none-match": posts.header("etag") });
      assert.equal(changed.status, 200);
      assert.notEqual(changed.header("etag"), posts.header("etag"));
      assert.equal(changed.header("last-modified"), new Date(CAPTURED_AT + 60_000).toUTCString());
      assert.equal((await read(PROFILE, { "if-none-match": profile.header("etag") })).status, 304);
    } finally {
      await store.close();
      await own.close();
    }
  });

  test("a request id is echoed where it is fit, and made where it is not", async () => {
    for (const given of ["abc", "a.b:c-d_e", "x".repeat(128)]) {
      const response = await get(PROFILE, { "x-request-id": given });
      assert.equal(response.header("x-request-id"), given);
    }
    for (const given of ["", "two words", "x".repeat(129), "<script>", "a,b", "é"])
      assert.match((await get(PROFILE, { "x-request-id": given })).header("x-request-id") ?? "", UUID, given);
    const [first, second] = [await get(PROFILE), await get(PROFILE)];
    assert.match(first.header("x-request-id") ?? "", UUID);
    assert.notEqual(first.header("x-request-id"), second.header("x-request-id"));
    const refused = await get("/api/shortvideo/music/posts", { "x-request-id": "mine" });
    assert.equal(assertProblem(refused, "missing_parameter").request_id, "mine");
  });

  test("a trace is continued under its id with a span of our own; a malformed one is ignored", async () => {
    const trace = "0af7651916cd43dd8448eb211c80319c";
    const parent = "b7ad6b7169203331";
    const continued = (await get(PROFILE, { traceparent: `00-${trace}-${parent}-01` })).header("traceparent") ?? "";
    assert.match(continued, new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    assert.ok(!continued.includes(parent));
    for (const given of [
      "nonsense",
      `00-${"0".repeat(32)}-${parent}-01`,
      `00-${trace}-${"0".repeat(16)}-01`,
      `00-${trace.toUpperCase()}-${parent}-01`,
      `ff-${trace}-${parent}-01`,
    ]) {
      const response = await get(PROFILE, { traceparent: given });
      assert.equal(response.status, 200);
      assert.equal(response.header("traceparent"), null, given);
    }
  });

  test("Api-Version stands in every answer", async () => {
    for (const [method, path] of [
      ["GET", PROFILE],
      ["GET", "/healthz"],
      ["GET", "/nowhere"],
      ["GET", "/%zz"],
      ["OPTIONS", "/api/photoshare/search"],
      ["DELETE", "/api/photoshare/search"],
      ["GET", "/openapi.json"],
      ["GET", "/docs/"],
    ] as const) {
      assert.equal(
        (await sendRequest(server.url, { method, path })).header("api-version"),
        "2026-11-15",
        `${method} ${path}`,
      );
    }
  });
});

test("the token is never repeated in an answer", async () => {
  const server = await startTestServer(WORLD);
  try {
    for (const path of [
      PROFILE,
      "/nowhere",
      "/api/shortvideo/music/posts",
      `/api/shortvideo/search/general?keyword=x&token=${TEST_TOKEN}`,
    ]) {
      const { text, headers } = await sendRequest(server.url, { path });
      assert.ok(!(text + JSON.stringify(headers)).includes(TEST_TOKEN), path);
    }
  } finally {
    await server.close();
  }
});

/** What two answers to the same question share: all but the clock. */
function steadyHeaders({ headers }: HttpResponse): Record<string, unknown> {
  const { date: _date, "cache-status": _cacheStatus, ...steady } = headers;
  return steady;
}
