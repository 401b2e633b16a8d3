/** Limits as a caller meets them: what is left, in headers; what is refused, with how long to wait. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { assertProblem } from "./problem.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import { requestOperation, sendRequest, sendRaw, OPERATIONS } from "./http-client.ts";
import { GOOD_REQUESTS, WORLD } from "./world.ts";

const LOOKUP = "shortvideo/user/info-with-region";
const PATH = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";

/** `"burst";r=1873;t=4, "daily";r=…;t=…` as numbers. */
function left(header: string | null): { burst: number; burstFull: number; daily: number; dailyFull: number } {
  const parts = /^"burst";r=(\d+);t=(\d+), "daily";r=(\d+);t=(\d+)$/.exec(header ?? "");
  assert.ok(parts, `RateLimit: ${header}`);
  const [burst = 0, burstFull = 0, daily = 0, dailyFull = 0] = parts.slice(1).map(Number);
  return { burst, burstFull, daily, dailyFull };
}

describe("limits", () => {
  let server: TestServer;
  let desk: TokenIssuer;
  before(async () => {
    server = await startTestServer(WORLD);
    desk = await openTokenIssuer(server);
  });
  after(async () => {
    await desk.close();
    await server.close();
  });

  const COSTS = { lookup: 1, list: 2, search: 5 };
  for (const { name, endpoint } of OPERATIONS) {
    test(`${name} costs as a ${endpoint.cost} and tells what is left`, async () => {
      const { token } = await desk.issue({});
      const response = await requestOperation(server.url, name, GOOD_REQUESTS[name] ?? {}, bearerHeader(token));
      assert.equal(response.status, 200);
      assert.equal(response.header("ratelimit-policy"), '"burst";q=2000;w=10, "daily";q=1000000;w=86400');
      const { burst, burstFull, daily, dailyFull } = left(response.header("ratelimit"));
      const cost = COSTS[endpoint.cost];
      // The bucket refills while the response is made: 200 units a second.
      assert.ok(burst >= 2000 - cost && burst <= 2000, `burst: ${burst}`);
      assert.ok(burstFull <= 1, "a few units of 2,000 are back within a second");
      assert.equal(daily, 1_000_000 - cost);
      assert.ok(dailyFull > 0 && dailyFull <= 86_400);
    });
  }

  test("operations cost what their kind says: look-ups 1, lists 2, searches 5", () => {
    const costs = Object.fromEntries(OPERATIONS.map(({ name, endpoint }) => [name, endpoint.cost]));
    for (const name of ["shortvideo/post/detail", "longvideo/video/subtitles", "photoshare/get-profile"])
      assert.equal(costs[name], "lookup", name);
    for (const name of ["shortvideo/music/posts", "longvideo/video/comments", "photoshare/get-followers"])
      assert.equal(costs[name], "list", name);
    for (const name of ["shortvideo/search/general", "longvideo/search", "photoshare/search"])
      assert.equal(costs[name], "search", name);
  });

  test("a token's own limits come before the service's, and each token has its own", async () => {
    const { token } = await desk.issue({ limits: { burst: 40, daily: 300, concurrency: 2 } });
    const response = await requestOperation(server.url, LOOKUP, GOOD_REQUESTS[LOOKUP] ?? {}, bearerHeader(token));
    assert.equal(response.header("ratelimit-policy"), '"burst";q=40;w=10, "daily";q=300;w=86400');
    assert.equal(left(response.header("ratelimit")).daily, 299);
    const other = await requestOperation(server.url, LOOKUP, GOOD_REQUESTS[LOOKUP] ?? {});
    assert.equal(other.header("ratelimit-policy"), '"burst";q=2000;w=10, "daily";q=1000000;w=86400');
  });

  test("a spent burst is refused with 429, Retry-After and the one body, and costs no other token anything", async () => {
    const { token } = await desk.issue({ limits: { burst: 1 } });
    assert.equal(
      (await requestOperation(server.url, LOOKUP, GOOD_REQUESTS[LOOKUP] ?? {}, bearerHeader(token))).status,
      200,
    );
    const refused = await requestOperation(server.url, LOOKUP, GOOD_REQUESTS[LOOKUP] ?? {}, bearerHeader(token));
    const body = assertProblem(refused, "rate_limited");
    const wait = Number(refused.header("retry-after"));
    assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 10, `Retry-After: ${wait}`);
    assert.ok(body.detail.includes(`${wait} s`), body.detail);
    assert.equal(refused.header("ratelimit-policy"), '"burst";q=1;w=10, "daily";q=1000000;w=86400');
    assert.equal(left(refused.header("ratelimit")).burst, 0);
    assert.equal((await requestOperation(server.url, LOOKUP, GOOD_REQUESTS[LOOKUP] ?? {})).status, 200);
  });

  test("a spent day is refused until midnight UTC; what was refused is not counted", async () => {
    const { token } = await desk.issue({ limits: { daily: 3 } });
    const headers = bearerHeader(token);
    const detail = () => requestOperation(server.url, LOOKUP, GOOD_REQUESTS[LOOKUP] ?? {}, headers);
    assert.equal(left((await detail()).header("ratelimit")).daily, 2);
    assert.equal(
      (
        await requestOperation(
          server.url,
          "shortvideo/music/posts",
          GOOD_REQUESTS["shortvideo/music/posts"] ?? {},
          headers,
        )
      ).status,
      200,
    );
    const refused = await detail();
    assertProblem(refused, "rate_limited");
    const { daily, dailyFull } = left(refused.header("ratelimit"));
    assert.equal(daily, 0);
    assert.ok(Math.abs(Number(refused.header("retry-after")) - dailyFull) <= 1);
  });

  test("a limit below the cost of a search still lets one through", async () => {
    const { token } = await desk.issue({ limits: { burst: 2, daily: 3 } });
    const name = "shortvideo/search/general";
    assert.equal(
      (await requestOperation(server.url, name, GOOD_REQUESTS[name] ?? {}, bearerHeader(token))).status,
      200,
    );
    assertProblem(
      await requestOperation(server.url, name, GOOD_REQUESTS[name] ?? {}, bearerHeader(token)),
      "rate_limited",
    );
  });

  test("an answer of 304 costs nothing of the day", async () => {
    const { token } = await desk.issue({});
    const first = await sendRequest(server.url, { path: PATH, headers: bearerHeader(token) });
    const again = await sendRequest(server.url, {
      path: PATH,
      headers: { ...bearerHeader(token), "if-none-match": first.header("etag") },
    });
    assert.equal(again.status, 304);
    assert.equal(left(first.header("ratelimit")).daily, 999_999);
    assert.equal(left(again.header("ratelimit")).daily, 999_999);
    const third = await sendRequest(server.url, { path: PATH, headers: bearerHeader(token) });
    assert.equal(left(third.header("ratelimit")).daily, 999_998);
  });

  test("requests that fail after the token is known cost and tell what is left", async () => {
    const { token } = await desk.issue({});
    const response = await requestOperation(server.url, LOOKUP, {}, bearerHeader(token));
    assertProblem(response, "missing_parameter");
    assert.equal(left(response.header("ratelimit")).daily, 999_999);
  });

  test("requests without a valid token, and probes, tell nothing of limits", async () => {
    for (const [path, authorization] of [
      [PATH, null],
      [PATH, "Bearer nonsense"],
      ["/healthz", null],
      ["/openapi.json", null],
    ] as const) {
      const response = await sendRequest(server.url, { path, headers: { authorization } });
      assert.equal(response.header("ratelimit"), null, path);
      assert.equal(response.header("ratelimit-policy"), null, path);
    }
  });

  test("more concurrent requests than a token may have are refused, until one ends", async () => {
    const { token } = await desk.issue({ limits: { concurrency: 1 } });
    const request = (connection: string) =>
      `GET /api/shortvideo/music/posts?musicId=7100000000000000001 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nAccept-Encoding: gzip\r\nPrefer: unknown=null\r\nConnection: ${connection}\r\n\r\n`;
    // Sent in one piece, both are being answered before either is done; plain ones would wait for each other.
    const [first, second] = await sendRaw(server.url, request("keep-alive") + request("close"));
    assert.equal(first?.status, 200);
    assert.ok(second);
    assertProblem(second, "too_many_concurrent");
    assert.equal(second.header("retry-after"), "1");
    const name = "shortvideo/music/posts";
    for (let round = 0; round < 3; round++)
      assert.equal(
        (await requestOperation(server.url, name, GOOD_REQUESTS[name] ?? {}, bearerHeader(token))).status,
        200,
      );
  });

  test("failures end their request for the concurrency limit", async () => {
    const { token } = await desk.issue({ limits: { concurrency: 1 } });
    for (let round = 0; round < 3; round++) {
      assertProblem(await requestOperation(server.url, LOOKUP, {}, bearerHeader(token)), "missing_parameter");
      assertProblem(
        await requestOperation(server.url, LOOKUP, { uniqueId: "nobody.known" }, bearerHeader(token)),
        "account_not_found",
      );
      assert.equal((await sendRequest(server.url, { path: PATH, headers: bearerHeader(token) })).status, 200);
      const unreadable = { ...bearerHeader(token), accept: "text/html" };
      assertProblem(await sendRequest(server.url, { path: PATH, headers: unreadable }), "not_acceptable");
    }
  });
});

describe("limits that the operator sets", () => {
  test("RATE_BURST, RATE_DAILY and RATE_CONCURRENCY hold for every token", async () => {
    const server = await startTestServer(WORLD, { RATE_BURST: "1", RATE_DAILY: "9", RATE_CONCURRENCY: "3" });
    try {
      const first = await sendRequest(server.url, { path: PATH });
      assert.equal(first.status, 200);
      assert.equal(first.header("ratelimit-policy"), '"burst";q=1;w=10, "daily";q=9;w=86400');
      const { burst, burstFull, daily } = left(first.header("ratelimit"));
      assert.deepEqual({ burst, daily }, { burst: 0, daily: 8 });
      assert.ok(burstFull >= 1 && burstFull <= 10, `full in ${burstFull} s`);
      const refused = await sendRequest(server.url, { path: PATH, headers: bearerHeader(TEST_TOKEN) });
      assertProblem(refused, "rate_limited");
      assert.match(refused.header("retry-after") ?? "", /^(?:10|[1-9])$/);
    } finally {
      await server.close();
    }
  });

  test("RATE_LIMIT=off lifts them and leaves the headers out", async () => {
    const server = await startTestServer(WORLD, {
      RATE_LIMIT: "off",
      RATE_BURST: "1",
      RATE_DAILY: "1",
      RATE_CONCURRENCY: "1",
    });
    try {
      for (let round = 0; round < 5; round++) {
        const response = await sendRequest(server.url, { path: PATH });
        assert.equal(response.status, 200);
        assert.equal(response.header("ratelimit"), null);
        assert.equal(response.header("ratelimit-policy"), null);
      }
    } finally {
      await server.close();
    }
  });
});

describe("requests without a valid token", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_FAILED_TOKENS: "5", TRUSTED_PROXIES: "127.0.0.1" });
  });
  after(() => server.close());

  const from = (address: string, authorization: string | null, path = PATH) =>
    sendRequest(server.url, { path, headers: { authorization, "x-forwarded-for": address } });

  test("are limited per address, and told when to come back; a valid token is not refused for them", async () => {
    const paths = [
      PATH,
      "/api/batch",
      "/feeds/x/search.atom?q=x",
      "/ingest/x/api/check-query/?key=x",
      "/api/export/posts",
    ];
    for (const [index, path] of paths.entries()) {
      const method = path === "/api/batch" ? "POST" : "GET";
      const headers = { authorization: index % 2 === 0 ? null : "Bearer wrong", "x-forwarded-for": "192.0.2.1" };
      const { status } = await sendRequest(server.url, { method, path, headers });
      assert.ok(status === 401 || status === 403, `${path}: ${status}`);
    }
    for (const authorization of [null, "Bearer wrong", "nonsense"]) {
      const refused = await from("192.0.2.1", authorization);
      assert.match(
        assertProblem(refused, "rate_limited").detail,
        /^too many requests without a valid token; retry in \d+ s$/,
      );
      assert.ok(Number(refused.header("retry-after")) > 0 && Number(refused.header("retry-after")) <= 60);
    }
    assert.equal((await from("192.0.2.1", `Bearer ${TEST_TOKEN}`)).status, 200);
    assertProblem(await from("192.0.2.2", null), "missing_token");
  });
});

test("X-Forwarded-For of anybody but a trusted proxy is ignored", async () => {
  const server = await startTestServer(WORLD, { RATE_FAILED_TOKENS: "3" });
  try {
    const statuses: number[] = [];
    for (let index = 0; index < 5; index++) {
      const headers = { authorization: null, "x-forwarded-for": `192.0.2.${index}` };
      statuses.push((await sendRequest(server.url, { path: PATH, headers })).status);
    }
    assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
  } finally {
    await server.close();
  }
});
