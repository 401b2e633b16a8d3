/**
 * Responses come from the cache until something is written. Whatever is requested, and however often, the response must
 * be the one that a service without a cache gives: both stand on the same store.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { demoWorld } from "#import/demo-world.ts";
import { demoTime } from "#testing/demo-store.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";
import { minuteOf } from "#http/response-cache.ts";
import { budget } from "#testing/budget.ts";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { describeRequest, type RandomRequest, RandomRequests } from "./random-requests.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import {
  requestOperation,
  sendRequest,
  OPERATIONS,
  openSocket,
  parseResponses,
  readToEnd,
  type HttpResponse,
} from "./http-client.ts";
import { aPost, WORLD } from "./world.ts";

const QUESTIONS = budget("cacheRequests");
/** Seldom enough for most questions to be hits. */
const QUESTIONS_A_WRITE = Math.min(40, QUESTIONS / 3);
const NOW = Date.now();
const ORIGIN = "https://app.example";
const DETAIL = "/api/shortvideo/post/detail?videoId=7300000000000000001";

/** All of a response but what differs between any two. */
function comparable({ status, headers, text }: HttpResponse): unknown {
  const { date: _date, connection: _connection, "cache-status": _cacheStatus, ...rest } = headers;
  return { status, headers: rest, text: text.replace(/"now":\d{13}/, '"now":0') };
}

describe("the response cache", { timeout: 300_000 }, () => {
  const questions = new RandomRequests(7);
  const demo = [...demoWorld(demoTime())];
  let server: TestServer;
  let uncached: TestServer;
  let store: Store;
  let desk: TokenIssuer;

  before(async () => {
    for (const { platform, batch } of demo) questions.learnBatch(platform, batch);
    const env = { RATE_LIMIT: "off", METRICS: "public", CORS_ORIGINS: ORIGIN };
    server = await startTestServer("demo", { ...env, CACHE_MB: "4" });
    uncached = await startTestServer([], { ...env, ...server.env, CACHE_MB: "0" });
    store = await server.openStore();
    desk = await openTokenIssuer(server);
  });
  after(async () => {
    await desk.close();
    await store.close();
    await uncached.close();
    await server.close();
  });

  const get = (path: string, headers: Record<string, string | null> = {}) => sendRequest(server.url, { path, headers });

  const isShared = () => server.env["STORE_URL"] !== undefined;

  /** At once on a file; on a store that other nodes write to, within a second. */
  async function seen(path: string, isNew: (body: string) => boolean): Promise<void> {
    const deadline = performance.now() + (isShared() ? 2_000 : 0);
    for (;;) {
      const { text } = await get(path);
      if (isNew(text)) return;
      assert.ok(performance.now() < deadline, text.slice(0, 500));
    }
  }

  async function counts(): Promise<{ hit: number; miss: number }> {
    const text = await (await server.get("/metrics")).text();
    const of = (outcome: string) =>
      Number(new RegExp(`triptych_responses_total\\{cache="${outcome}"\\} (\\d+)`).exec(text)?.[1]);
    return { hit: of("hit"), miss: of("miss") };
  }

  /**
   * Sends the same twice, and again if the second was no hit for a reason: a minute has ended, until which some responses are
   * valid, or something was written. The service itself writes trends, some seconds after posts were.
   */
  async function sendTwice(
    request: () => Promise<HttpResponse>,
  ): Promise<{ first: HttpResponse; second: HttpResponse; sent: number }> {
    for (let sent = 2; ; sent += 2) {
      const [minute, version] = [minuteOf(Date.now()), store.dataVersion()];
      const [first, second] = [await request(), await request()];
      if (second.header("cache-status") === "triptych; hit") return { first, second, sent };
      // Of a write to PostgreSQL this connection may learn later than the service.
      if (isShared()) await setTimeout(500);
      const isUnchanged = minuteOf(Date.now()) === minute && store.dataVersion() === version;
      assert.ok(!isUnchanged, `a hit was expected: ${second.header("cache-status")}`);
    }
  }

  async function compare(question: RandomRequest, number: number): Promise<HttpResponse> {
    const { operation, parameters } = question;
    const headers = { ...question.headers, "x-request-id": `question-${number}` };
    const expect = () => requestOperation(uncached.url, operation, parameters, headers);
    let expected = await expect();
    for (const time of ["first", "second", "third"]) {
      const received = await requestOperation(server.url, operation, parameters, headers);
      // A minute, an hour or a month may have ended between the two.
      if (!isDeepStrictEqual(comparable(received), comparable(expected))) expected = await expect();
      assert.deepEqual(
        comparable(received),
        comparable(expected),
        `${time} of question ${number}: ${describeRequest(question)}`,
      );
    }
    return expected;
  }

  test(`answers ${QUESTIONS} random questions as a service without it does, while the store is written to`, async () => {
    const start = await counts();
    let writes = 0;
    for (let number = 0; number < QUESTIONS; number++) {
      if (number % QUESTIONS_A_WRITE === QUESTIONS_A_WRITE - 1) {
        writes++;
        const platform = questions.pick(PLATFORMS).name;
        const id = questions.from(platform, "post");
        const text = `changed ${number}`;
        const soundId = questions.from(platform, "sound");
        await store.writer.write([
          toUnit(platform, { posts: [aPost(id, { text, soundId, capturedAt: NOW + number })] }),
        ]);
        await store.writer.refreshTrends();
      }
      const question = questions.next();
      const { status, text } = await compare(question, number);
      if (status === 200) questions.learnResponse(question, text);
    }
    const end = await counts();
    assert.equal(writes, QUESTIONS / QUESTIONS_A_WRITE);
    assert.ok(end.hit - start.hit > QUESTIONS / 4, `${end.hit - start.hit} hits`);
  });

  test("a body that came before as another type is not answered from the cache", async () => {
    const { example } = OPERATIONS.find(({ name }) => name === "photoshare/get-bio-links")?.endpoint ?? {};
    const body = new URLSearchParams(example as Record<string, string>).toString();
    const send = (type: string) =>
      sendRequest(server.url, {
        method: "POST",
        path: "/api/photoshare/get-bio-links",
        headers: { "content-type": type },
        body,
      });
    const statuses = [];
    for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
      statuses.push((await send(type)).status);
    assert.deepEqual(statuses, [200, 400]);
  });

  for (const { name, endpoint } of OPERATIONS) {
    test(`${name} is a miss and then a hit, also for a page of another origin, a trace, a preference, and fields`, async () => {
      const variants: [Record<string, string>, Record<string, string>][] = [
        [{}, {}],
        [{ origin: ORIGIN }, {}],
        [{ traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" }, {}],
        [{ prefer: "unknown=null" }, {}],
        [{ "accept-encoding": "gzip" }, {}],
        [{}, { fields: "" }],
      ];
      const earlier = await counts();
      let sent = 0;
      for (const [headers, more] of variants) {
        const request = () => requestOperation(server.url, name, { ...endpoint.example, ...more, note: name }, headers);
        const pair = await sendTwice(request);
        sent += pair.sent;
        assert.equal(pair.first.status, 200, pair.first.text.slice(0, 300));
      }
      const later = await counts();
      const counted = later.hit + later.miss - earlier.hit - earlier.miss;
      assert.equal(counted, sent, "every response is counted");
    });
  }

  test("what was written is seen by the next request, however often the old response was sent", async () => {
    const path = "/api/shortvideo/post/detail?videoId=990000000000000001";
    for (let round = 0; round < 20; round++) {
      const text = `round ${round} 🥟`;
      await store.writer.write([
        toUnit("shortvideo", {
          posts: [aPost("990000000000000001", { text, capturedAt: NOW + round })],
        }),
      ]);
      for (let time = 0; time < 3; time++) {
        await seen(path, (body) => body.includes(text));
      }
    }
    await store.writer.erase("shortvideo", "post", "990000000000000001");
    await store.writer.refreshTrends();
    await seen(path, (body) => body.includes("post_not_found"));
  });

  test("a hit is only for tokens that may read it, under the request's own id, and can be 304", async () => {
    const path = "/api/shortvideo/trending/videos?period=7";
    let number = 0;
    const { second: hit } = await sendTwice(() => get(path, { "x-request-id": `mine-${++number}` }));
    assert.equal((JSON.parse(hit.text) as { request_id: string }).request_id, `mine-${number}`);
    assert.equal((await get(path, { authorization: "Bearer somebody-else-entirely" })).status, 401);
    const other = await desk.issue({ scopes: ["read:longvideo"] });
    assert.equal((await get(path, bearerHeader(other.token))).status, 403);
    const unchanged = await get(path, { "if-none-match": hit.header("etag") });
    assert.deepEqual([unchanged.status, unchanged.text, unchanged.header("content-type")], [304, "", null]);
  });

  test("a search of all platforms is cached for each set of scopes", async () => {
    const path = "/api/search?q=coffee";
    const [all, some] = [await desk.issue({}), await desk.issue({ scopes: ["read:photoshare"] })];
    const platforms = async (token: string) => {
      const { facets } = JSON.parse((await get(path, bearerHeader(token))).text) as {
        facets: { platform: { value: string }[] };
      };
      return facets.platform.map(({ value }) => value);
    };
    const everywhere = await platforms(all.token);
    assert.ok(everywhere.length > 1, everywhere.join(" "));
    assert.deepEqual(await platforms(some.token), ["photoshare"]);
    assert.deepEqual(await platforms(all.token), everywhere);
  });

  test("a revoked token is refused although its response is cached", async () => {
    const { token, record } = await desk.issue({});
    await sendTwice(() => get(DETAIL, bearerHeader(token)));
    await desk.registry.revoke(record.keyId);
    const began = performance.now();
    while ((await get(DETAIL, bearerHeader(token))).status !== 401) {
      assert.ok(performance.now() - began < 2_000, "revocation takes at most a second");
    }
  });

  for (const encoding of ["zstd", "br", "gzip"]) {
    test(`a response is cached as it was compressed with ${encoding}`, async () => {
      const path = `/api/shortvideo/music/posts?musicId=7100000000000000001&count=10&note=${encoding}`;
      const plain = await get(path);
      const { first, second: again } = await sendTwice(() => get(path, { "accept-encoding": encoding }));
      assert.deepEqual([again.header("content-encoding"), again.header("etag")], [encoding, plain.header("etag")]);
      assert.ok(again.body.equals(first.body));
    });
  }

  test("a response that is valid for one request only is not cached, compressed or not", async () => {
    const published = Math.floor(Date.now() / 1_000) - 600;
    const posts = Array.from({ length: 10 }, (_, number) =>
      aPost(`justNow${String(number).padStart(4, "0")}`, {
        title: `Quillwork ${number}`,
        publishedAt: published,
        capturedAt: NOW,
      }),
    );
    await store.writer.write([toUnit("longvideo", { posts })]);
    const path = "/api/longvideo/search?query=quillwork&order_by=last_hour";
    await seen(path, (body) => body.includes("justNow0009"));
    for (const encoding of [null, "gzip", "gzip"]) {
      const response = await get(path, { "accept-encoding": encoding });
      assert.deepEqual(
        [response.header("content-encoding"), response.header("cache-status")],
        [encoding, "triptych; fwd=miss"],
      );
    }
  });

  test("requests sent in one go are answered in their order, each with its own body, to one who is slow to read", async () => {
    const posts = demo.flatMap(({ platform, batch }) => (platform === "shortvideo" ? (batch.posts ?? []) : []));
    const ids = posts.slice(0, 200).map(({ id }) => id);
    const socket = await openSocket(server.url);
    // A database answers them one by one, and the last ones after their time.
    const many = isShared() ? 100 : budget("pipelinedRequests");
    const wanted = Array.from({ length: many }, (_, number) => ids[number % ids.length] as string);
    const last = wanted.length - 1;
    wanted.forEach((id, number) => {
      const close = number === last ? "Connection: close\r\n" : "";
      socket.write(
        `GET /api/shortvideo/post/detail?videoId=${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_TOKEN}\r\n${close}\r\n`,
      );
    });
    const received = parseResponses(await readToEnd(socket)).map(
      ({ text }) => (JSON.parse(text) as { itemInfo: { itemStruct: { id: string } } }).itemInfo.itemStruct.id,
    );
    assert.deepEqual(received, wanted);
  });
});

test("a service that stops closes connections on which nothing is requested", { timeout: 30_000 }, async () => {
  const server = await startTestServer(WORLD);
  const idle = await openSocket(server.url);
  idle.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(idle, "data");
  const silent = await openSocket(server.url);
  const ended = Promise.all([readToEnd(idle), readToEnd(silent)]);
  await server.close();
  await ended;
});
