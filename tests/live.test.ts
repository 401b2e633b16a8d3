/** Reading through to a live source, from the HTTP request to the official API, which a local server replays. */
import assert from "node:assert/strict";
import { Agent, get as httpGet } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { DAY_MS } from "#domain/time.ts";
import { ConfigError, readConfig } from "#config";
import { selectSources } from "#serve/live/select-sources.ts";
import { comment, post } from "#testing/sample-records.ts";
import { until } from "#testing/until.ts";
import { Upstream } from "#testing/upstream.ts";
import { CHANNEL_ID, respondAsYoutube, YOUTUBE_HOST } from "#testing/youtube-api.ts";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { toUnit } from "#store/write/batch-changes.ts";

const KEY = "invented-key-0123456789";
const OLD = Date.now() - 40 * DAY_MS;

const storedVideo = (id: string) => post(id, { title: "As it was", capturedAt: OLD, source: "yt-dlp" });

describe("a service with a live source", () => {
  let upstream: Upstream;
  let server: TestServer;

  before(async () => {
    upstream = await Upstream.start([YOUTUBE_HOST], respondAsYoutube);
    server = await startTestServer(
      [
        {
          platform: "longvideo",
          batch: { posts: [storedVideo("tarnStale01"), storedVideo("tarnStale02"), storedVideo("tarnStale03")] },
        },
      ],
      {
        LIVE_SOURCES: "youtube-data-api",
        YOUTUBE_API_KEY: KEY,
        RATE_LIMIT: "off",
        METRICS: "public",
      },
      (config) => {
        config.live.dial = upstream.dial;
        config.live.deadlineMs = 60_000;
        config.live.callTimeoutMs = 60_000;
      },
    );
  });
  after(async () => {
    await server.close();
    await upstream.close();
  });

  const details = (id: string, headers?: Record<string, string>) =>
    server.get(`/api/longvideo/video/details?video_id=${id}`, headers);

  test("a missing video is fetched, stored with its source and served; the next request comes from the store", async () => {
    upstream.reset();
    const response = await details("tarnFirst01");
    const body = (await response.json()) as Record<string, unknown>;
    assert.equal(response.status, 200, JSON.stringify(body));
    assert.deepEqual(
      [body["video_id"], body["author"], body["number_of_views"], body["video_length"]],
      ["tarnFirst01", "Tarn Side Weavers", 1_200, "245"],
    );
    assert.match(
      response.headers.get("cache-status") ?? "",
      /^store; fwd=miss; stored; detail="youtube-data-api", triptych; fwd=miss$/,
    );
    assert.ok(Number(response.headers.get("age")) <= 60);
    const again = await details("tarnFirst01");
    assert.equal(again.status, 200);
    assert.match(again.headers.get("cache-status") ?? "", /^store; hit; ttl=\d+, triptych; fwd=miss/);
    assert.match(
      (await details("tarnFirst01")).headers.get("cache-status") ?? "",
      /^store; hit; ttl=\d+, triptych; hit$/,
    );
    assert.equal(upstream.calls.length, 1);
    const [call] = upstream.calls;
    assert.equal(call?.headers["x-goog-api-key"], KEY);
    assert.ok(!String(call?.query).includes(KEY), "the key is not in the URL");
    const store = await server.openStore();
    assert.equal((await store.reader("longvideo").getPost("tarnFirst01"))?.source, "youtube-data-api");
    await store.close();
  });

  test("the store does not say what was looked up", async () => {
    await details("tarnSecret1");
    await server.get("/api/posts?platform=longvideo&account=@tarn.nobody");
    const db = new DatabaseSync(join(server.dataDir, "triptych.sqlite"), { readOnly: true });
    const requests = db.prepare("SELECT request FROM source_fetches").all();
    db.close();
    assert.ok(requests.length >= 2);
    for (const { request } of requests) assert.match(String(request), /^[\w-]{43}$/);
  });

  test("without the scope live, or with only-if-cached, the store alone answers", async () => {
    upstream.reset();
    const tokens = await openTokenIssuer(server);
    const { token } = await tokens.issue({});
    for (const headers of [bearerHeader(token), { "cache-control": "no-cache, only-if-cached" }]) {
      const response = await details("tarnOther01", headers);
      assert.equal(response.status, 404);
      assert.equal(((await response.json()) as { detail: string }).detail, "video tarnOther01 not found");
      const stale = await details("tarnStale02", headers);
      assert.deepEqual([stale.status, stale.headers.get("age")], [200, null]);
    }
    assert.equal(upstream.calls.length, 0);
    await tokens.close();
  });

  test("an empty list that the store alone answered is not kept from the source", async () => {
    const tokens = await openTokenIssuer(server);
    const { token } = await tokens.issue({});
    for (const [id, headers] of [
      ["tarnSilent1", bearerHeader(token)],
      ["tarnSilent2", { "cache-control": "only-if-cached" }],
    ] as const) {
      const store = await server.openStore();
      await store.writer.write([
        toUnit("longvideo", {
          posts: [post(id, { title: "Fresh", capturedAt: Date.now(), source: "yt-dlp" })],
        }),
      ]);
      await store.close();
      const list = async (more?: Record<string, string>) => {
        const response = await server.get(`/api/longvideo/video/comments?video_id=${id}`, more);
        const { comments } = (await response.json()) as { comments: object[] };
        return [response.status, comments.length];
      };
      assert.deepEqual(await list(headers), [200, 0]);
      assert.deepEqual(await list(), [200, 2]);
    }
    await tokens.close();
  });

  test("what the source does not have is a 404 that says so, and is not requested again for a while", async () => {
    upstream.reset();
    for (let request = 0; request < 2; request++) {
      const response = await details("nowhere0001");
      assert.equal(response.status, 404);
      const { code, detail } = (await response.json()) as { code: string; detail: string };
      assert.deepEqual(
        [code, detail],
        ["post_not_found", "video nowhere0001 not found; youtube-data-api does not have it"],
      );
    }
    assert.equal(upstream.calls.length, 1);
  });

  test("a stale video is served at once and refreshed behind", async () => {
    upstream.reset();
    const response = await details("tarnStale01");
    const body = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([response.status, body["title"]], [200, "As it was"]);
    assert.match(
      response.headers.get("cache-status") ?? "",
      /^store; hit; ttl=-\d+; detail="refreshing from youtube-data-api", triptych/,
    );
    assert.ok(Number(response.headers.get("age")) >= (40 * DAY_MS) / 1_000);
    await until(async () => {
      const { title } = await server.json<{ title: string }>("/api/longvideo/video/details?video_id=tarnStale01");
      return title.startsWith("Weaving");
    });
    assert.equal(upstream.calls.length, 1);
  });

  test("old comments on a video that is fresh are refreshed behind", async () => {
    upstream.reset();
    const posts = [post("tarnOldTalk", { title: "Fresh", capturedAt: Date.now(), source: "yt-dlp" })];
    const comments = [comment("oldComment1", { postId: "tarnOldTalk", capturedAt: OLD, source: "yt-dlp" })];
    const store = await server.openStore();
    await store.writer.write([toUnit("longvideo", { posts, comments })]);
    await store.close();
    const list = async (path: string) => {
      const response = await server.get(path);
      const { comments: served } = (await response.json()) as { comments: object[] };
      return [served.length, response.headers.get("cache-status") ?? ""] as const;
    };
    const path = "/api/longvideo/video/comments?video_id=tarnOldTalk";
    const [count, status] = await list(path);
    assert.equal(count, 1);
    assert.match(status, /^store; hit; ttl=-\d+; detail="refreshing from youtube-data-api"/);
    await until(async () => (await list(path))[0] === 3);
    const [all, fresh] = await list("/api/post?platform=longvideo&id=tarnOldTalk");
    assert.equal(all, 3);
    assert.match(fresh, /^store; hit; ttl=\d+, /);
    assert.equal(upstream.calls.filter((call) => call.path.endsWith("/commentThreads")).length, 1);
  });

  test("replies that a thread does not contain are requested when somebody asks for them", async () => {
    upstream.reset();
    const path = "/api/post?platform=longvideo&id=tarnReplies";
    const listed = await server.json<{ comments: { id: string; counters: { replies: number } }[] }>(path);
    const parent = listed.comments.find(({ counters }) => counters.replies > 0);
    const texts = async (headers?: Record<string, string>) => {
      const { comments } = await server.json<{ comments: { text: string }[] }>(
        `${path}&replies_to=${parent?.id}`,
        headers,
      );
      return comments.map(({ text }) => text);
    };
    assert.equal((await texts({ "cache-control": "only-if-cached" })).length, 5);
    upstream.reset();
    assert.deepEqual(
      await texts(),
      [1, 2, 3, 4, 5, 6, 7].map((number) => `Reply ${number}`),
    );
    assert.equal((await texts()).length, 7);
    assert.deepEqual(
      upstream.calls.map((call) => [call.path.split("/").at(-1), call.query.get("parentId")]),
      [
        ["videos", null],
        ["comments", parent?.id],
      ],
    );
  });

  test("an erased video stays erased", async () => {
    upstream.reset();
    const store = await server.openStore();
    await store.writer.erase("longvideo", "post", "tarnErased1");
    await store.close();
    const response = await details("tarnErased1");
    assert.equal(response.status, 404);
    assert.match(
      ((await response.json()) as { detail: string }).detail,
      /^video tarnErased1 not found; youtube-data-api/,
    );
  });

  test("comments, search, trending and the posts of a channel are filled too", async () => {
    const comments = await server.json<{ number_of_comments: number }>(
      "/api/longvideo/video/comments?video_id=tarnTalked1",
    );
    assert.equal(comments.number_of_comments, 2);
    const found = await server.json<{ videos: { title: string }[] }>("/api/longvideo/search?query=zigzag");
    assert.deepEqual(
      found.videos.map(({ title }) => title),
      ["Weaving by the tarn zigzag"],
    );
    const trending = await server.get("/api/longvideo/trending?country=NO&section=Music");
    const { videos } = (await trending.json()) as { videos: { video_id: string }[] };
    assert.match(trending.headers.get("chart-day") ?? "", /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(
      videos.map(({ video_id }) => video_id),
      ["tarnChart01", "tarnChart02", "tarnChart03"],
    );
    const posts = await server.json<{ account: { name: string }; posts: { id: string }[] }>(
      "/api/posts?platform=longvideo&account=@tarnsideweavers",
    );
    assert.equal(posts.account.name, "tarnsideweavers");
    assert.ok(posts.posts.some(({ id }) => id === "tarnUpload1"));
    const byId = await server.get(`/api/posts?platform=longvideo&account=${CHANNEL_ID}`);
    assert.equal(byId.status, 200);
  });

  test("a ranking of all countries does not keep the chart of a country from the source", async () => {
    const store = await server.openStore();
    const fresh = { publishedAt: Math.floor(Date.now() / 1_000) - 86_400, counters: { views: 700 } };
    await store.writer.write([
      toUnit("longvideo", {
        posts: [post("tarnGrowing", { ...fresh, title: "Growing", capturedAt: Date.now(), source: "yt-dlp" })],
      }),
    ]);
    await store.writer.refreshTrends();
    await store.close();
    const charted = async (headers?: Record<string, string>) => {
      const { videos } = await server.json<{ videos: { video_id: string }[] }>(
        "/api/longvideo/trending?country=FI",
        headers,
      );
      return videos.map(({ video_id }) => video_id);
    };
    assert.equal((await charted({ "cache-control": "only-if-cached" }))[0], "tarnGrowing");
    assert.deepEqual(await charted(), ["tarnChart01", "tarnChart02", "tarnChart03"]);
  });

  test("a batch is filled, and its stale records refreshed, as well", async () => {
    upstream.reset();
    const response = await fetch(`${server.url}/api/batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${TEST_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({
        requests: ["tarnBatch01", "tarnStale03"].map((id) => ({
          operation: "longvideo/video/details",
          parameters: { video_id: id },
        })),
      }),
    });
    const { responses } = (await response.json()) as { responses: { status: number; body: { title: string } }[] };
    assert.deepEqual(
      responses.map(({ status, body }) => `${status} ${body.title}`),
      ["200 Weaving by the tarn tarnBatch01", "200 As it was"],
    );
    await until(async () => upstream.calls.some(({ query }) => query.get("id")?.includes("tarnStale03") === true));
  });

  test("1,000 equal requests for a missing video make one call", async () => {
    const first = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    upstream.reset(async (call) => {
      first.resolve();
      await release.promise;
      return respondAsYoutube(call);
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 200 });
    const statuses = Array.from(
      { length: 1_000 },
      () =>
        new Promise<number>((resolve, reject) => {
          const url = `${server.url}/api/longvideo/video/details?video_id=tarnEqual01`;
          httpGet(url, { agent, headers: { authorization: `Bearer ${TEST_TOKEN}` } }, (response) => {
            response.resume().on("end", () => resolve(response.statusCode ?? 0));
          }).on("error", reject);
        }),
    );
    await first.promise;
    release.resolve();
    assert.deepEqual([...new Set(await Promise.all(statuses))], [200]);
    agent.destroy();
    assert.equal(upstream.calls.length, 1);
    upstream.reset(respondAsYoutube);
  });

  test("look-ups that wait together share a call of up to 50", async () => {
    const release = Promise.withResolvers<void>();
    upstream.reset(async (call) => {
      await release.promise;
      return respondAsYoutube(call);
    });
    const db = new DatabaseSync(join(server.dataDir, "triptych.sqlite"), { readOnly: true });
    const countFetches = () => Number(db.prepare("SELECT count(*) AS n FROM source_fetches").get()?.["n"]);
    const earlier = countFetches();
    const ids = Array.from({ length: 100 }, (_, index) => `tarnMany${String(index).padStart(3, "0")}`);
    const sent = ids.map((id) => details(id));
    // No call is answered before all wait, however late some come in.
    await until(async () => countFetches() >= earlier + ids.length);
    db.close();
    release.resolve();
    const responses = await Promise.all(sent);
    assert.ok(responses.every(({ status }) => status === 200));
    // At most 16 at a time, and then those that had to wait.
    assert.ok(upstream.calls.length <= 20, `${upstream.calls.length} calls`);
    assert.ok(upstream.calls.every(({ query }) => (query.get("id") ?? "").split(",").length <= 50));
    upstream.reset(respondAsYoutube);
  });

  test("metrics show calls and quota", async () => {
    const text = await until(async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      return /^triptych_source_quota_used\{source="youtube-data-api",budget="units"\} [1-9]/m.test(metrics) && metrics;
    });
    assert.match(text, /^triptych_source_calls_total\{source="youtube-data-api",result="answered"\} [1-9]/m);
    assert.match(text, /^triptych_source_quota_limit\{source="youtube-data-api",budget="searches"\} 100$/m);
    assert.match(text, /^triptych_source_paused\{source="youtube-data-api"\} 0$/m);
  });
});

test("the look-ups of a batch share calls, are counted in their order and take one slot of the token's concurrency", async () => {
  const upstream = await Upstream.start([YOUTUBE_HOST], respondAsYoutube);
  const server = await startTestServer(
    [],
    {
      LIVE_SOURCES: "youtube-data-api",
      YOUTUBE_API_KEY: KEY,
      RATE_BURST: "1000",
      RATE_DAILY: "95",
      RATE_CONCURRENCY: "1",
    },
    (config) => {
      config.live.dial = upstream.dial;
      config.live.deadlineMs = 60_000;
    },
  );
  const ids = Array.from({ length: 100 }, (_, index) => `tarnPack${String(index).padStart(3, "0")}`);
  ids[70] = "nowhere0070";
  const response = await fetch(`${server.url}/api/batch`, {
    method: "POST",
    headers: { authorization: `Bearer ${TEST_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({
      requests: ids.map((id) => ({ operation: "longvideo/video/details", parameters: { video_id: id } })),
    }),
  });
  const { responses } = (await response.json()) as { responses: { status: number; body: { video_id?: string } }[] };
  assert.deepEqual(
    responses.map(({ status, body }) => body.video_id ?? status),
    ids.map((id, index) => (index === 70 ? 404 : index < 95 ? id : 429)),
  );
  // Two, or some more where they reach the thread of the sources in several ticks.
  assert.ok(upstream.calls.length <= 20, `${upstream.calls.length} calls`);
  await server.close();
  await upstream.close();
});

test("without LIVE_SOURCES nothing of it is there, even with a key", async () => {
  const server = await startTestServer([], { YOUTUBE_API_KEY: KEY, METRICS: "public" });
  const response = await server.get("/api/longvideo/video/details?video_id=tarnFirst01");
  assert.equal(((await response.json()) as { detail: string }).detail, "video tarnFirst01 not found");
  assert.equal(response.headers.get("cache-status"), null);
  assert.doesNotMatch(await (await fetch(`${server.url}/metrics`)).text(), /triptych_source/);
  await server.close();
});

test("a setting that names no source, no budget or lacks a key says what would be right", () => {
  const select = (env: Record<string, string>) => () => selectSources(readConfig(env));
  const message = (pattern: RegExp) => (error: unknown) => error instanceof ConfigError && pattern.test(error.message);
  assert.throws(
    select({ LIVE_SOURCES: "youtube" }),
    message(/there is no source youtube; the sources are tiktok-research, /),
  );
  assert.throws(
    select({ LIVE_SOURCES: "youtube-data-api" }),
    message(/youtube-data-api needs YOUTUBE_API_KEY; see docs/),
  );
  assert.throws(
    select({ LIVE_QUOTAS: "youtube-data-api.unit=5" }),
    message(/there is no budget youtube-data-api\.unit;/),
  );
  assert.throws(select({ LIVE_QUOTAS: "lots" }), message(/^LIVE_QUOTAS must be comma-separated limits/));
  assert.deepEqual(
    select({ LIVE_SOURCES: "all", YOUTUBE_API_KEY: KEY })().some(({ name }) => name === "youtube-data-api"),
    true,
  );
});
