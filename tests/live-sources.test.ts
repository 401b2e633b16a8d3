/** The other live sources: what each requests, and what becomes of the documents it answers with. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { OPERATIONS, SOURCES, WATCHABLE } from "#platforms/registry.ts";
import type { Batch } from "#store/write/port.ts";
import { account as storedAccount, post as storedPost } from "#testing/sample-records.ts";
import { until } from "#testing/until.ts";
import { Upstream, type UpstreamCall, type UpstreamReply } from "#testing/upstream.ts";
import { CHANNEL_ID } from "#testing/youtube-api.ts";
import { runCommand } from "./run-command.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const PLATFORMS = join(import.meta.dirname, "../src/platforms");
const fixture = (path: string): unknown => JSON.parse(readFileSync(join(PLATFORMS, path), "utf8"));

const FEED = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
 <id>yt:channel:${CHANNEL_ID.slice(2)}</id><yt:channelId>${CHANNEL_ID.slice(2)}</yt:channelId>
 <title>Tarn Side Weavers</title><author><name>Tarn Side Weavers</name></author><published>2020-01-01T00:00:00+00:00</published>
 <entry><id>yt:video:tarnFeed001</id><yt:videoId>tarnFeed001</yt:videoId><yt:channelId>${CHANNEL_ID}</yt:channelId>
  <title>Rain &amp; wool</title><author><name>Tarn Side Weavers</name></author>
  <published>2026-10-01T08:30:00+00:00</published>
  <media:group><media:title>Rain &amp; wool</media:title>
   <media:thumbnail url="https://media.example/vi/tarnFeed001/hq.jpg" width="480" height="360"/>
   <media:description>Carding in the rain. #wool</media:description>
   <media:community><media:starRating count="31" average="5.00"/><media:statistics views="812"/></media:community>
  </media:group></entry>
</feed>`;

const VIDEO_ID = "7301000000000000007";
const RESEARCH_VIDEO = {
  id: VIDEO_ID,
  video_description: "Opening the kiln #pottery",
  create_time: 1_700_000_000,
  region_code: "NO",
  username: "kiln.keeper",
  view_count: 900,
  like_count: 80,
  comment_count: 1,
  share_count: 2,
  music_id: "7301000000000000001",
  hashtag_names: ["pottery"],
};

const MEDIA = {
  id: "17900000000000001",
  caption: "Fog over the fell #fellwalk",
  media_type: "IMAGE",
  media_url: "https://media.example/fell.jpg",
  permalink: "https://www.instagram.com/p/CxFellWalk01/",
  timestamp: "2026-10-01T08:30:00+0000",
  like_count: 12,
  comments_count: 3,
};

const TAGGED = { ...MEDIA, caption: "Wet feet #mosswalk", permalink: "https://www.instagram.com/p/CxMossWalk01/" };

const STALE: Batch = {
  accounts: [storedAccount("17841400000000031", { name: "old.mill", capturedAt: 0 })],
  posts: [storedPost("CxOldMill01", { authorId: "17841400000000031", capturedAt: 0 })],
};

/** Answers in the documented shapes; an error for a path that no source should request. */
function respond({ host, path, query, body }: UpstreamCall): UpstreamReply {
  const sent = body.startsWith("{") ? (JSON.parse(body) as Record<string, unknown>) : {};
  if (path === "/feeds/videos.xml") return query.get("channel_id") === CHANNEL_ID ? { body: FEED } : { status: 404 };
  if (host === "www.youtube.com" && path === "/oembed")
    return query.get("url")?.includes("tarnOembed1") === true
      ? { body: fixture("longvideo/importers/fixtures/oembed/tarn.json") }
      : { status: 400, body: "Bad Request" };
  if (host === "www.tiktok.com" && path === "/oembed")
    return { body: fixture("shortvideo/importers/fixtures/oembed/kiln.json") };
  if (path === "/v2/oauth/token/")
    return { body: { access_token: "clt.invented", expires_in: 7_200, token_type: "Bearer" } };
  const ok = (data: unknown): UpstreamReply => ({ body: { data, error: { code: "ok", message: "", log_id: "l" } } });
  if (path === "/v2/research/video/query/") return ok({ videos: [RESEARCH_VIDEO], cursor: 1, has_more: false });
  if (path === "/v2/research/video/comment/list/")
    return ok({
      comments: [
        {
          id: "7301000000000000100",
          video_id: VIDEO_ID,
          parent_comment_id: VIDEO_ID,
          text: "That glaze!",
          like_count: 4,
          reply_count: 0,
          create_time: 1_700_000_100,
        },
      ],
      has_more: false,
    });
  if (path === "/v2/research/user/info/")
    return sent["username"] === "kiln.keeper"
      ? ok({
          display_name: "Kiln Keeper",
          bio_description: "Clay",
          follower_count: 77,
          following_count: 3,
          is_verified: false,
        })
      : { status: 404, body: { data: {}, error: { code: "user_not_found", message: "", log_id: "l" } } };
  if (path === "/v24.0/17841400000000000") {
    const [, username = ""] = /username\((.*?)\)/.exec(query.get("fields") ?? "") ?? [];
    if (username !== "fell.walker")
      return { status: 400, body: { error: { code: 24, error_subcode: 2_207_013, message: "not found" } } };
    const media = { data: [{ ...MEDIA, username }] };
    const account = {
      id: "17841400000000009",
      username,
      name: "Fell Walker",
      followers_count: 55,
      media_count: 1,
      media,
    };
    return { body: { business_discovery: account, id: "17841400000000000" } };
  }
  if (path === "/v24.0/ig_hashtag_search") return { body: { data: [{ id: "17840000000000001" }] } };
  if (path === "/v24.0/17840000000000001/recent_media") return { body: { data: [TAGGED] } };
  return { status: 500 };
}

describe("the other live sources", () => {
  let upstream: Upstream;
  let server: TestServer;

  before(async () => {
    upstream = await Upstream.start([...new Set(SOURCES.flatMap(({ hosts }) => hosts))], respond);
    server = await startTestServer(
      [{ platform: "photoshare", batch: STALE }],
      {
        LIVE_SOURCES: "all",
        TIKTOK_CLIENT_KEY: "invented",
        TIKTOK_CLIENT_SECRET: "invented-secret",
        INSTAGRAM_ACCESS_TOKEN: "invented-token",
        INSTAGRAM_USER_ID: "17841400000000000",
        LIVE_QUOTAS: "instagram-graph.hashtags=1",
      },
      (config) => {
        config.live.dial = upstream.dial;
        config.live.deadlineMs = 60_000;
      },
    );
  });
  after(async () => {
    await server.close();
    await upstream.close();
  });

  test("a channel's feed fills its posts", async () => {
    const { account, posts } = await server.json<{
      account: { display_name: string };
      posts: { id: string; title: string; text: string; counters: Record<string, number> }[];
    }>(`/api/posts?platform=longvideo&account=${CHANNEL_ID}`);
    assert.equal(account.display_name, "Tarn Side Weavers");
    assert.deepEqual(
      posts.map(({ id, title, text, counters }) => ({ id, title, text, counters })),
      [
        {
          id: "tarnFeed001",
          title: "Rain & wool",
          text: "Carding in the rain. #wool",
          counters: { views: 812, likes: 31 },
        },
      ],
    );
  });

  test("oEmbed fills title, channel and picture of a video, and nothing else is claimed", async () => {
    const video = await server.json("/api/longvideo/video/details?video_id=tarnOembed1", { prefer: "unknown=null" });
    assert.deepEqual(
      [video["title"], video["author"], video["number_of_views"], video["video_length"]],
      ["Weaving by the tarn", "Tarn Side Weavers", null, null],
    );
    const missing = await server.get("/api/longvideo/video/details?video_id=nowhere0001");
    assert.match(((await missing.json()) as { detail: string }).detail, /youtube-oembed does not have it$/);
  });

  test("the Research API logs in once and fills videos, comments and profiles", async () => {
    upstream.reset();
    const detail = await server.json<{ itemInfo: { itemStruct: { desc: string; author: { uniqueId: string } } } }>(
      `/api/shortvideo/post/detail?videoId=${VIDEO_ID}`,
    );
    assert.equal(detail.itemInfo.itemStruct.desc, "Opening the kiln #pottery");
    assert.equal(detail.itemInfo.itemStruct.author.uniqueId, "kiln.keeper");
    const comments = await server.json<{ comments: { text: string }[] }>(
      `/api/shortvideo/post/comments?videoId=${VIDEO_ID}`,
    );
    assert.deepEqual(
      comments.comments.map(({ text }) => text),
      ["That glaze!"],
    );
    const missing = await server.get("/api/shortvideo/user/info-with-region?uniqueId=nobody.at.all");
    assert.match(((await missing.json()) as { detail: string }).detail, /tiktok-research does not have it$/);
    const tooLong = await server.get(`/api/shortvideo/post/detail?videoId=${"9".repeat(24)}`);
    assert.equal(((await tooLong.json()) as { detail: string }).detail, `post ${"9".repeat(24)} not found`);
    const [login, query] = upstream.calls;
    assert.match(login?.body ?? "", /grant_type=client_credentials/);
    assert.equal(query?.headers["authorization"], "Bearer clt.invented");
    assert.deepEqual((JSON.parse(query?.body ?? "{}") as { start_date: string }).start_date.length, 8);
    assert.equal(upstream.calls.filter(({ path }) => path === "/v2/oauth/token/").length, 1);
  });

  test("the Graph API fills a professional account with its posts", async () => {
    const profile = await server.json<{
      user_data: { full_name: string; follower_count: number };
      user_posts: unknown[];
    }>("/api/photoshare/get-profile?username_or_url=fell.walker");
    assert.deepEqual(
      [profile.user_data.full_name, profile.user_data.follower_count, profile.user_posts.length],
      ["Fell Walker", 55, 1],
    );
    const missing = await server.get("/api/photoshare/get-profile?username_or_url=private.person");
    assert.match(((await missing.json()) as { detail: string }).detail, /instagram-graph does not have it$/);
  });

  test("stale posts are refreshed from the source of their platform", async () => {
    const response = await server.get("/api/posts?platform=PhotoShare&account=old.mill");
    assert.equal(response.status, 200);
    assert.match(response.headers.get("cache-status") ?? "", /detail="refreshing from instagram-graph"/);
    const other = await server.get("/api/posts?platform=shortvideo&account=kiln.keeper");
    assert.doesNotMatch(other.headers.get("cache-status") ?? "", /refreshing/);
  });

  test("an account of shortvideo is watched", async () => {
    const args = ["watch", "add", "shortvideo", "account", "@kiln.keeper", "--every", "6h"];
    assert.equal((await runCommand(args, server.env)).code, 0);
    const store = await server.openStore();
    try {
      const watch = await until(async () => {
        const [first] = await store.watches.listWatches();
        return first !== undefined && first.lastOutcome !== null && first;
      });
      assert.equal(watch.lastOutcome, "updated");
      assert.ok((await store.reader("shortvideo").getAccountByName("kiln.keeper")) !== null);
    } finally {
      await store.close();
    }
  });

  test("a hashtag counts once within seven days, and one too many is refused before the call", async () => {
    upstream.reset();
    const found = await server.json<{ name: string; posts: { edges: unknown[] } }>(
      `/api/photoshare/search-hashtag?hashtag=${encodeURIComponent("#Mo\u0308ssWalk")}`,
    );
    assert.ok(found.posts.edges.length > 0);
    assert.equal(upstream.calls[0]?.query.get("q"), "mösswalk", "accents tell hashtags apart");
    const calls = upstream.calls.length;
    const refused = await server.get("/api/photoshare/search-hashtag?hashtag=tarnbathing");
    assert.equal(refused.status, 404);
    assert.match(
      ((await refused.json()) as { detail: string }).detail,
      /instagram-graph has no quota left: all 1 hashtags in 7 days are used up/,
    );
    assert.equal(upstream.calls.length, calls);
  });
});

test("the Research API is asked for the videos of four weeks in one query", () => {
  const source = SOURCES.find(({ name }) => name === "tiktok-research");
  const context = { now: Date.parse("2026-11-16"), credentials: {}, defaults: { country: "US", language: "en" } };
  const request = (time: string) => {
    const id = String(BigInt(Date.parse(time) / 1_000) << 32n);
    const step = source?.refreshes?.post?.(id, context)?.steps().next();
    return step?.done === false ? step.value : assert.fail(`no request for ${id}`);
  };
  const [first, second] = [request("2026-03-12T00:00:01Z"), request("2026-04-08T23:00:00Z")];
  assert.equal(first.batch?.key, second.batch?.key);
  assert.notEqual(first.batch?.key, request("2026-04-09T00:00:00Z").batch?.key);
  const ids = [first.batch?.value ?? "", second.batch?.value ?? ""];
  const videos = (operation: string, field_values: string[]) => ({
    and: [{ operation, field_name: "video_id", field_values }],
  });
  // A query may be about 30 days.
  const rest = { start_date: "20260311", end_date: "20260409", max_count: 100 };
  assert.deepEqual(first.body, { query: videos("EQ", ids.slice(0, 1)), ...rest });
  const joined = first.batch?.join(ids);
  assert.deepEqual(joined?.body, { query: videos("IN", ids), ...rest });
  assert.equal(joined?.check({ data: { videos: ids.map((id) => ({ id })) } }), null);
  assert.equal(joined?.check({ data: { videos: [{ id: "7" }] } }), "one of the videos was not requested");
});

test("whatever can be watched is filled by a source of its platform", () => {
  for (const [platform, kinds] of Object.entries(WATCHABLE))
    for (const [kind, { operation }] of Object.entries(kinds))
      assert.ok(
        SOURCES.some((source) => source.platform === platform && operation in source.fills),
        `${platform} ${kind}`,
      );
});

test("every source fills operations that exist, has fixed hosts, terms and a page of its own", () => {
  const names = new Set(OPERATIONS.map(({ name }) => name));
  for (const { name, fills, hosts, terms, budgets, retentionDays, refreshAfterDays } of SOURCES) {
    assert.deepEqual(
      Object.keys(fills).filter((operation) => !names.has(operation)),
      [],
      name,
    );
    assert.ok(hosts.length > 0 && hosts.every((host) => /^[a-z.]+\.[a-z]+$/.test(host)), name);
    assert.match(terms, /^https:\/\//);
    assert.ok(budgets.every(({ limit }) => limit > 0));
    assert.ok((refreshAfterDays ?? 0) < (retentionDays ?? 1), name);
    assert.match(
      readFileSync(join(import.meta.dirname, `../docs/sources/${name}.md`), "utf8"),
      new RegExp(`\`${name}\``),
    );
  }
});
