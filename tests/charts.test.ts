/** Charts of past days: one day, all days, and a video's ranks over time. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestServer, query, type TestServer } from "./test-server.ts";
import { assertParameterProblem, assertProblem } from "./problem.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { requestOperation } from "./http-client.ts";
import { aPost, CAPTURED_AT, CHART_DAY, LONG_VIDEO, WORLD } from "./world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

const provenance = { capturedAt: CAPTURED_AT, source: "test" };

/** Many days of one video, more than a response lists. */
const LONG_RUN = Array.from({ length: 1_005 }, (_, index) => ({
  country: "CA",
  section: "music",
  day: new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10),
  rank: 7,
  postId: "dQw4w9WgXcQ",
  ...provenance,
}));

interface Ranks {
  video_id: string;
  title: string | null;
  truncated: boolean;
  best_rank: number | null;
  ranks: { platform: string; country: string; section: string; day: string; rank: number; captured_at: string }[];
}

describe("charts", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer([
      ...WORLD,
      {
        platform: "longvideo",
        batch: { posts: [aPost("dQw4w9WgXcQ", { title: "Long run" })], chartEntries: LONG_RUN },
      },
    ]);
  });
  after(() => server.close());

  const trending = (parameters: Record<string, string>) =>
    requestOperation(server.url, "longvideo/trending", parameters);
  const idsOf = (text: string) =>
    (JSON.parse(text) as { videos: { video_id: string }[] }).videos.map(({ video_id }) => video_id);
  const ranksOf = (parameters: Record<string, string>) =>
    server.json<Ranks>(`/api/charts/history?${query(parameters)}`);

  test("date chooses a day's chart, and a header tells the day of every chart", async () => {
    const latest = await trending({});
    assert.deepEqual(idsOf(latest.text), CHART_DAY);
    assert.equal(latest.header("chart-day"), "2023-11-15");
    const earlier = await trending({ date: "2023-11-14" });
    assert.deepEqual(idsOf(earlier.text), ["world0000001", "world0000002"]);
    assert.equal(earlier.header("chart-day"), "2023-11-14");
    assert.equal((await trending({ country: "FR" })).header("chart-day"), null, "a computed ranking is no chart");
  });

  test("a header tells when a ranking was computed", async () => {
    const asOf = async () => {
      const rankings = [
        trending({ country: "FR" }),
        ...["videos", "hashtag", "songs"].map((name) =>
          requestOperation(server.url, `shortvideo/trending/${name}`, { period: "7" }),
        ),
      ];
      return (await Promise.all(rankings)).map((response) => response.header("trends-as-of"));
    };
    const earlier = await asOf();
    const [time] = earlier;
    assert.ok(Math.abs(Date.parse(time ?? "") - Date.now()) < 600_000, time ?? "none");
    assert.deepEqual(earlier, Array(4).fill(time));
    assert.equal((await trending({})).header("trends-as-of"), null, "a chart is not computed");
    const store = await server.openStore();
    try {
      await store.writer.write([toUnit("longvideo", { posts: [aPost("aNewCapture")] })]);
      await store.writer.refreshTrends();
      const [later] = await asOf();
      assert.ok(Date.parse(later ?? "") > Date.parse(time ?? ""), later ?? "none");
    } finally {
      await store.close();
    }
  });

  test("a day without a chart is an error that names the days there are", async () => {
    const missing = assertProblem(await trending({ date: "2023-11-16" }), "chart_not_found");
    assert.equal(missing.detail, "no chart of US, Now for 2023-11-16; stored: 2023-11-14, 2023-11-15");
    const none = assertProblem(await trending({ date: "2023-11-14", country: "FR" }), "chart_not_found");
    assert.equal(none.detail, "no chart of FR, Now for 2023-11-14; no day of it is stored");
    const many = assertProblem(
      await trending({ date: "2023-11-14", country: "CA", section: "Music" }),
      "chart_not_found",
    );
    assert.match(many.detail, /stored: 1005 days from 2020-01-01 to 2022-10-01, see \/api\/charts$/);
  });

  test("/api/charts lists countries, sections and days, and filters them", async () => {
    const { charts } = await server.json<{ charts: { country: string; days: string[] }[] }>("/api/charts");
    assert.deepEqual(
      charts.map(({ country, days }) => [country, days.length]),
      [
        ["CA", 1_005],
        ["US", 2],
      ],
    );
    assert.deepEqual(await server.json("/api/charts?country=us&section=Now"), {
      charts: [{ platform: "longvideo", country: "US", section: "now", days: ["2023-11-14", "2023-11-15"] }],
    });
    assert.deepEqual(await server.json("/api/charts?section=gaming"), { charts: [] });
    assert.deepEqual(await server.json("/api/charts?platform=shortvideo"), { charts: [] });
  });

  test("/api/charts/history gives a video's ranks by day", async () => {
    const found = await ranksOf({ video_id: LONG_VIDEO });
    assert.deepEqual(found, {
      video_id: LONG_VIDEO,
      title: "Lantern workshop 1",
      ranks: [
        {
          platform: "longvideo",
          country: "US",
          section: "now",
          day: "2023-11-14",
          rank: 1,
          captured_at: new Date(CAPTURED_AT).toISOString(),
          source: "test",
        },
      ],
      truncated: false,
      best_rank: 1,
    });
    assert.deepEqual(
      (await ranksOf({ video_id: "world0000011" })).ranks.map(({ day, rank }) => [day, rank]),
      [["2023-11-15", 3]],
    );
    const never = await ranksOf({ video_id: "world0000040" });
    assert.deepEqual([never.ranks, never.best_rank, never.title], [[], null, "Lantern workshop 40"]);
  });

  test("a long history ends with the newest ranks and says that older ones were left out", async () => {
    const all = await ranksOf({ video_id: "dQw4w9WgXcQ" });
    assert.deepEqual([all.ranks.length, all.truncated, all.best_rank], [1_000, true, 1]);
    assert.equal(all.ranks.at(-1)?.day, "2022-10-01");
    assert.deepEqual((await ranksOf({ video_id: "dQw4w9WgXcQ", country: "US" })).ranks, []);
  });

  test("a video is taken by its URL too", async () => {
    for (const url of ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=43s", "youtu.be/dQw4w9WgXcQ"])
      assert.equal((await ranksOf({ video_id: url })).video_id, "dQw4w9WgXcQ");
    assertParameterProblem(
      await requestOperation(server.url, "charts/history", { video_id: "https://example.com/watch?v=dQw4w9WgXcQ" }),
      "invalid_parameter",
      { in: "query", parameter: "video_id" },
    );
  });

  test("charts of a platform need its scope", async () => {
    const desk = await openTokenIssuer(server);
    try {
      const { token } = await desk.issue({ scopes: ["read:shortvideo"] });
      assert.deepEqual(await server.json("/api/charts", bearerHeader(token)), { charts: [] });
      const denied = await requestOperation(
        server.url,
        "charts/history",
        { video_id: LONG_VIDEO, platform: "longvideo" },
        bearerHeader(token),
      );
      assertProblem(denied, "insufficient_scope");
    } finally {
      await desk.close();
    }
  });
});
