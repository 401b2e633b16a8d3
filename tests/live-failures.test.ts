/** A live source that misbehaves: each time a clear answer, no wrong record and no lost count. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { DAY_MS } from "#domain/time.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { createRenderingEncoder } from "#store/write/row-encoder.ts";
import type { Store } from "#store/store.ts";
import { importDocument } from "#import/import-document.ts";
import { type ImportPlatform, loadImportPlatforms } from "#import/read-document.ts";
import { LiveEngine } from "#live/live-engine.ts";
import type { AskOutcome } from "#live/live-port.ts";
import { PROJECTIONS } from "#platforms/records.ts";
import { OPERATIONS, PLATFORMS, SOURCES } from "#platforms/registry.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { account, comment, post } from "#testing/sample-records.ts";
import { type Respond, Upstream } from "#testing/upstream.ts";
import { googleError, respondAsYoutube, videoResource, YOUTUBE_HOST } from "#testing/youtube-api.ts";
import { startTestServer, temporaryFolder } from "./test-server.ts";

const KEY = "invented-key-0123456789";
const SLOW_MS = 60_000;

let upstream: Upstream;
let store: Store;
let platform: ImportPlatform;
const folder = temporaryFolder();

before(async () => {
  upstream = await Upstream.start([YOUTUBE_HOST, "www.youtube.com"], respondAsYoutube);
  const loaded = await loadImportPlatforms(PLATFORMS);
  platform = loaded.find(({ name }) => name === "longvideo") as ImportPlatform;
  store = openSqliteStore(folder.path, "small", Date.now, PROJECTIONS);
});
after(async () => {
  await store.close();
  await upstream.close();
  folder.remove();
});

/** With a key of its own, and so with a quota of its own. */
let engines = 0;
function openEngine(options: { callTimeoutMs?: number; maxAgeMs?: number; limits?: Record<string, number> } = {}) {
  const errors: unknown[] = [];
  const key = `${KEY}${engines++}`;
  const encoder = createRenderingEncoder(PROJECTIONS);
  const engine = new LiveEngine({
    sources: SOURCES.filter(({ name }) => name === "youtube-data-api"),
    operations: OPERATIONS,
    credentials: { YOUTUBE_API_KEY: key },
    limits: options.limits ?? {},
    maxAgeMs: options.maxAgeMs ?? DAY_MS,
    defaults: { country: "US", language: "en" },
    ledger: store.sources,
    importAnswer: ({ source, value, url, capturedAt }) =>
      importDocument(store, {
        document: { kind: "json", value, index: 0, capturedAt, origin: { url } },
        platform,
        source: source.name,
        subject: null,
        encoder,
      }),
    onError: (error) => errors.push(error),
    dial: () => upstream.dial,
    callTimeoutMs: options.callTimeoutMs ?? SLOW_MS,
  });
  const ask = (id: string, withinMs = SLOW_MS): Promise<AskOutcome> =>
    engine.ask({ operation: "longvideo/video/details", input: { video_id: id }, mode: "fill", withinMs });
  const used = async () => {
    const [status] = await engine.status();
    return Object.fromEntries((status?.budgets ?? []).map(({ name, used: units }) => [name, units]));
  };
  return { engine, ask, used, errors };
}

async function isStored(id: string): Promise<boolean> {
  return (await store.reader("longvideo").getPost(id)) !== null;
}

function reasonOf(outcome: AskOutcome): string {
  return outcome.state === "unavailable" ? outcome.reason : outcome.state;
}

interface Case {
  name: string;
  respond: Respond;
  reason: RegExp;
  callTimeoutMs?: number;
}

const CASES: Case[] = [
  { name: "hangs", respond: () => "hang", reason: /^did not answer within 0\.3 s$/, callTimeoutMs: 300 },
  {
    name: "drips a byte at a time",
    respond: () => "drip",
    reason: /^did not answer within 0\.3 s$/,
    callTimeoutMs: 300,
  },
  { name: "sends a gigabyte", respond: () => "flood", reason: /^sent more than 4 MiB$/ },
  { name: "sends no JSON", respond: () => ({ body: "<html>" }), reason: /^sent an answer that is not JSON$/ },
  { name: "sends half of the JSON", respond: () => ({ body: '{"kind":"youtube#vid' }), reason: /not JSON$/ },
  {
    name: "sends another kind of list",
    respond: () => ({ body: { kind: "youtube#channelListResponse", items: [] } }),
    reason: /not what was requested: no list of video resources$/,
  },
  {
    name: "sends items that are no objects",
    respond: () => ({ body: { kind: "youtube#videoListResponse", items: ["x", 1, null] } }),
    reason: /no list of video resources$/,
  },
  {
    name: "sends a list that is a text",
    respond: () => ({ body: { kind: "youtube#videoListResponse", items: "lots" } }),
    reason: /no list of video resources$/,
  },
  {
    name: "sends a video that nobody requested",
    respond: () => ({ body: { kind: "youtube#videoListResponse", items: [videoResource("tarnLied001")] } }),
    reason: /a video resource that was not requested$/,
  },
  {
    name: "nests deeper than any document",
    respond: () => ({ body: `${"[".repeat(100_000)}${"]".repeat(100_000)}` }),
    reason: /not JSON$/,
  },
  {
    name: "redirects to a private address",
    respond: () => ({ status: 307, headers: { location: "http://169.254.169.254/latest/meta-data" } }),
    reason: /^redirected the request elsewhere$/,
  },
  {
    name: "says that the quota is exceeded",
    respond: () => ({ status: 403, body: googleError(403, "quotaExceeded") }),
    reason: /^has no quota left: all 10,000 units a day are used up until midnight in America\/Los_Angeles$/,
  },
  {
    name: "does not accept an expired key",
    respond: () => ({ status: 400, body: googleError(400, "badRequest", [{ reason: "API_KEY_INVALID" }]) }),
    reason: /^does not accept the credentials of YOUTUBE_API_KEY: the key is invalid or expired$/,
  },
  {
    name: "has the API turned off",
    respond: () => ({ status: 403, body: googleError(403, "accessNotConfigured") }),
    reason: /^does not accept the credentials of YOUTUBE_API_KEY: accessNotConfigured$/,
  },
  {
    name: "refuses with a reason that repeats the key",
    respond: () => ({ status: 403, body: googleError(403, `forbidden for ${KEY}`) }),
    reason: /^refused the request: status 403$/,
  },
  {
    name: "asks to wait for an hour",
    respond: () => ({ status: 429, headers: { "retry-after": "3600" } }),
    reason: /^asks to slow down$/,
  },
  { name: "asks to slow down without a time", respond: () => ({ status: 429 }), reason: /^asks to slow down$/ },
  { name: "fails with 500", respond: () => ({ status: 500 }), reason: /^answered with status 500$/ },
  {
    name: "fails with 503 and no sense",
    respond: () => ({ status: 503, headers: { "retry-after": "soon" } }),
    reason: /503$/,
  },
  { name: "closes the connection", respond: () => "reset", reason: /^could not be reached \(ECONNRESET\)$/ },
];

describe("a source that misbehaves", { concurrency: false }, () => {
  for (const [index, { name, respond, reason, callTimeoutMs }] of CASES.entries()) {
    test(`it ${name}`, async () => {
      upstream.reset(respond);
      const { engine, ask, used, errors } = openEngine(callTimeoutMs === undefined ? {} : { callTimeoutMs });
      const id = `tarnCase${String(index).padStart(3, "0")}`;
      const outcome = await ask(id);
      assert.equal(outcome.state, "unavailable", JSON.stringify(outcome));
      assert.match(reasonOf(outcome), reason);
      assert.deepEqual(errors, []);
      assert.equal(await isStored(id), false);
      assert.equal(await isStored("tarnLied001"), false);
      const { units } = await used();
      // A source that says its quota is exceeded is believed.
      assert.equal(units, name.includes("quota") ? 10_000 : upstream.calls.length);
      assert.ok(upstream.calls.length <= 2, "at most one retry is in reserve");
      engine.close();
    });
  }

  test("fields of wrong types are unknown, not wrong", async () => {
    const broken = {
      ...videoResource("tarnTypes01"),
      snippet: { title: 7, publishedAt: [], tags: "x", thumbnails: "none", channelId: {} },
      statistics: { viewCount: "lots", likeCount: -3, commentCount: { much: true } },
      contentDetails: { duration: 12 },
    };
    upstream.reset(() => ({ body: { kind: "youtube#videoListResponse", items: [broken] } }));
    const { engine, ask } = openEngine();
    assert.equal((await ask("tarnTypes01")).state, "filled");
    const stored = await store.reader("longvideo").getPost("tarnTypes01");
    assert.deepEqual([stored?.counters, stored?.publishedAt], [{}, null]);
    engine.close();
  });

  test("after five failures it is left alone for a while, and so is the ledger", async ({ mock }) => {
    upstream.reset(() => ({ status: 500 }));
    const { engine, ask, used } = openEngine();
    const reasons = [];
    for (let call = 0; call < 12; call++)
      reasons.push(reasonOf(await ask(`tarnBreak${String(call).padStart(2, "0")}`)));
    assert.match(reasons.at(-1) ?? "", /^is paused: it answered with status 500$/);
    assert.ok(upstream.calls.length <= 7, `${upstream.calls.length} calls`);
    assert.equal((await used())["units"], upstream.calls.length);
    const [status] = await engine.status();
    assert.deepEqual([status?.state, status?.detail], ["paused", "answered with status 500"]);
    const writes = [mock.method(store.sources, "startFetches"), mock.method(store.sources, "endFetches")];
    assert.match(reasonOf(await ask("tarnBreak99")), /^is paused/);
    assert.deepEqual(
      writes.map((method) => method.mock.callCount()),
      [0, 0],
    );
    engine.close();
  });

  test("a retry that is allowed succeeds, and is counted", async () => {
    upstream.reset((call) => (upstream.calls.length === 1 ? { status: 503 } : respondAsYoutube(call)));
    const { engine, ask, used } = openEngine();
    assert.equal((await ask("tarnRetry01")).state, "filled");
    assert.deepEqual([upstream.calls.length, (await used())["units"]], [2, 2]);
    engine.close();
  });

  test("a budget that is used up is refused before the source is called", async () => {
    upstream.reset(respondAsYoutube);
    const { engine, ask, used } = openEngine({ limits: { "youtube-data-api.units": 2 } });
    const states = [];
    for (let call = 0; call < 4; call++) states.push((await ask(`tarnLimit${String(call).padStart(2, "0")}`)).state);
    assert.deepEqual(states, ["filled", "filled", "unavailable", "unavailable"]);
    assert.deepEqual([upstream.calls.length, (await used())["units"]], [2, 2]);
    engine.close();
  });

  test("records are requested again before their terms require their deletion, 50 to a call", async () => {
    upstream.reset(respondAsYoutube);
    const now = Date.now();
    const capturedAt = now - 26 * DAY_MS;
    const aged = Array.from({ length: 60 }, (_, index) => `tarnAged${String(index).padStart(3, "0")}`);
    await store.writer.write([
      toUnit("longvideo", {
        posts: [
          ...aged.map((id) => post(id, { source: "youtube-data-api", capturedAt })),
          post("tarnAgedOther", { source: "yt-dlp", capturedAt }),
          post("tarnAgedFresh", { source: "youtube-data-api", capturedAt: now }),
        ],
      }),
    ]);
    const { engine, used } = openEngine();
    assert.equal(await engine.refreshAged(now), 60);
    assert.deepEqual([upstream.calls.length, (await used())["units"]], [2, 2]);
    const refreshed = await store.reader("longvideo").getPost("tarnAged000");
    assert.ok((refreshed?.capturedAt ?? 0) >= now);
    assert.equal(await engine.refreshAged(now), 0);
    engine.close();
  });

  test("records are requested again before the end of their terms, however old an answer may become", async () => {
    upstream.reset(respondAsYoutube);
    const { engine, ask } = openEngine({ maxAgeMs: 30 * DAY_MS });
    assert.equal((await ask("tarnLongAge")).state, "filled");
    // 26 days pass, also by the clock of the store.
    const db = new DatabaseSync(join(folder.path, "triptych.sqlite"));
    db.prepare("UPDATE source_fetches SET ended_at = ended_at - ?").run(26 * DAY_MS);
    db.prepare("UPDATE records SET captured_at = captured_at - ? WHERE id = ?").run(26 * DAY_MS, "tarnLongAge");
    db.close();
    assert.deepEqual([await engine.refreshAged(), upstream.calls.length], [1, 2]);
    engine.close();
  });

  test("all aged records are requested, however many are gone or refused, with half of the quota at most", async () => {
    upstream.reset(respondAsYoutube);
    const now = Date.now();
    const aged = (prefix: string, count: number, days: number) =>
      Array.from({ length: count }, (_, index) =>
        post(`${prefix}${String(index).padStart(4, "0")}`, {
          source: "youtube-data-api",
          capturedAt: now - days * DAY_MS,
        }),
      );
    await store.writer.write([
      toUnit("longvideo", { posts: [...aged("goneAge", 600, 28), ...aged("tarnOld", 600, 26)] }),
    ]);
    const { engine, ask, used } = openEngine({ limits: { "youtube-data-api.units": 40 } });
    // 600 that are gone in twelve calls, and the first 400 of the others.
    assert.equal(await engine.refreshAged(now), 400);
    assert.equal(upstream.calls.length, 20);
    assert.equal(await engine.refreshAged(now), 0);
    assert.equal((await ask("tarnStillHalf")).state, "filled");
    assert.deepEqual([upstream.calls.length, (await used())["units"]], [21, 21]);
    engine.close();
    const tomorrow = openEngine();
    // The 50 of the first call are refused, the other 150 are requested nevertheless.
    upstream.respond = (call) => (upstream.calls.length === 22 ? { status: 400 } : respondAsYoutube(call));
    assert.equal(await tomorrow.engine.refreshAged(now), 150);
    assert.equal(upstream.calls.length, 25);
    assert.equal(await tomorrow.engine.refreshAged(now), 50);
    tomorrow.engine.close();
  });

  test("channels of stored videos are requested again without their uploads, 50 to a call; those of commenters are not", async () => {
    upstream.reset(respondAsYoutube);
    const now = Date.now();
    const aged = { source: "youtube-data-api", capturedAt: now - 26 * DAY_MS };
    const channels = Array.from({ length: 60 }, (_, index) => `UCtarnChannel00000000${String(index).padStart(3, "0")}`);
    await store.writer.write([
      toUnit("longvideo", {
        accounts: [...channels, "UCtarnCommenter000000001"].map((id) => account(id, aged)),
        posts: channels.map((authorId, index) =>
          post(`tarnOwned${index}`, { authorId, source: "yt-dlp", capturedAt: now }),
        ),
        comments: [comment("said", { postId: "tarnOwned0", authorId: "UCtarnCommenter000000001", ...aged })],
      }),
    ]);
    const { engine, used } = openEngine();
    assert.equal(await engine.refreshAged(now), 60);
    assert.deepEqual(
      upstream.calls.map(({ path, query }) => [path, query.get("id")?.split(",").length]),
      [
        ["/youtube/v3/channels", 50],
        ["/youtube/v3/channels", 10],
      ],
    );
    assert.equal((await used())["units"], 2);
    const refreshed = await store.reader("longvideo").getAccounts([channels[0] ?? "", "UCtarnCommenter000000001"]);
    assert.deepEqual(
      refreshed.map(({ capturedAt }) => capturedAt >= now),
      [true, false],
    );
    engine.close();
  });

  test("what nobody waits for any more is not requested", async () => {
    const release = Promise.withResolvers<void>();
    upstream.reset(async (call) => {
      await release.promise;
      return respondAsYoutube(call);
    });
    const { engine } = openEngine();
    const search = (query: string, withinMs: number) =>
      engine.ask({ operation: "longvideo/search", input: { query }, mode: "fill", withinMs });
    const first = Array.from({ length: 16 }, (_, index) => search(`busy ${index} ${engines}`, SLOW_MS));
    const late = search(`late ${engines}`, 1);
    setTimeout(() => release.resolve(), 200);
    assert.match(reasonOf(await late), /too many requests/);
    await Promise.all(first);
    assert.ok(!upstream.calls.some(({ query }) => query.get("q")?.startsWith("late") === true));
    engine.close();
  });
});

test("over HTTP, a source that hangs costs the deadline and is named in the 404", async () => {
  upstream.reset(() => "hang");
  const server = await startTestServer(
    [],
    { LIVE_SOURCES: "youtube-data-api", YOUTUBE_API_KEY: KEY, LIVE_DEADLINE_MS: "200" },
    (config) => {
      config.live.dial = upstream.dial;
    },
  );
  const response = await server.get("/api/longvideo/video/details?video_id=tarnHangs01");
  assert.equal(response.status, 404);
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  assert.equal(code, "post_not_found");
  assert.equal(
    detail,
    "video tarnHangs01 not found; youtube-data-api did not answer within 0.2 s; what it sends later is stored",
  );
  assert.equal(response.headers.get("retry-after"), "1");
  assert.match(response.headers.get("cache-status") ?? "", /^store; fwd=miss; detail="youtube-data-api did not answer/);
  await server.close();
});

test("while it is paused, only what another source can fill is passed on to the live sources", async ({ mock }) => {
  upstream.reset(({ host }) =>
    host === YOUTUBE_HOST ? { status: 429, headers: { "retry-after": "3600" } } : { status: 404 },
  );
  const server = await startTestServer(
    [],
    { LIVE_SOURCES: "youtube-data-api,youtube-oembed", YOUTUBE_API_KEY: KEY },
    (config) => {
      config.live.dial = upstream.dial;
    },
  );
  const posted = mock.method(Worker.prototype, "postMessage").mock;
  let requests = 0;
  /** How the source is said to be, and how many messages it took. */
  const get = async (path: string) => {
    const sent = posted.callCount();
    const response = await server.get(
      `/api/longvideo/video/${path}?video_id=tarnPaus${String(requests++).padStart(3, "0")}`,
    );
    const messages = posted.calls
      .slice(sent)
      .filter(({ arguments: [data] }) => (data as { method?: string }).method === "ask");
    return { text: response.headers.get("cache-status") ?? "", messages: messages.length };
  };
  let paused = await get("comments");
  // The thread of the sources may be starting still.
  for (; paused.messages > 0 || !paused.text.includes("paused"); paused = await get("comments")) await delay(20);
  assert.deepEqual(paused, {
    text: 'store; fwd=miss; detail="youtube-data-api is paused: it asks to slow down"',
    messages: 0,
  });
  assert.deepEqual(await get("details"), { text: 'store; fwd=miss; detail="youtube-oembed"', messages: 1 });
  assert.equal(upstream.calls.filter(({ host }) => host === YOUTUBE_HOST).length, 1);
  await server.close();
});
