/** Measured and estimated gains of rankings, and rankings as of earlier days; on SQLite and PostgreSQL. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CounterPoint } from "#domain/record.ts";
import { DAY_MS, dayOf, startOfDay, toIsoDate } from "#domain/time.ts";
import { post } from "#testing/sample-records.ts";
import { requestOperation } from "./http-client.ts";
import { freshStoreDatabase } from "./postgres/databases.ts";
import { assertParameterProblem, assertProblem } from "./problem.ts";
import { query, startTestServer, type TestServer } from "./test-server.ts";
import { toUnit } from "#store/write/batch-changes.ts";

/** Noon of yesterday: in no time zone of a test machine is it another day while the test runs. */
const NOON = startOfDay(dayOf(Date.now())) - DAY_MS / 2;
const ago = (days: number) => NOON - days * DAY_MS;
const dayAgo = (days: number) => toIsoDate(ago(days));
const secondOf = (ms: number) => startOfDay(dayOf(ms)) / 1000;

type Capture = [daysAgo: number, views: number];

function batchOf(posts: [id: string, publishedDaysAgo: number | null, hashtags: string[], captures: Capture[]][]) {
  const histories = posts.map(([id, published, hashtags, captures]) => {
    const points = captures.map(([days, views]): CounterPoint => ({ capturedAt: ago(days), counters: { views } }));
    const publishedAt = published === null ? null : ago(published) / 1000;
    const native = { author: { id: "1", uniqueId: "mira", nickname: "Mira" } };
    const record = post(id, { publishedAt, hashtags, soundId: "901", native, ...(points.at(-1) as CounterPoint) });
    return { record, history: { kind: "post" as const, id, points } };
  });
  return { posts: histories.map(({ record }) => record), history: histories.map(({ history }) => history) };
}

/** One post of years ago captured once, one captured twice, one of each kind under one hashtag. */
const WORLD = [
  {
    platform: "shortvideo",
    batch: batchOf([
      ["7300000000000000001", 1_000, ["whalesong"], [[0, 10_000_000]]],
      [
        "7300000000000000002",
        300,
        ["kites", "mixed"],
        [
          [12, 100],
          [9, 150],
          [3, 500],
          [1, 720],
        ],
      ],
      ["7300000000000000003", 10, ["mixed"], [[0, 800_000]]],
      [
        "7300000000000000004",
        null,
        ["still"],
        [
          [5, 400],
          [0, 400],
        ],
      ],
    ]),
  },
  {
    platform: "longvideo",
    batch: batchOf([
      ["viewedOnce1", 100, [], [[0, 5_000_000]]],
      [
        "viewedTwice",
        100,
        [],
        [
          [4, 1_000],
          [0, 1_300],
        ],
      ],
    ]),
  },
];

/** Captured last year: nothing of it is in any period that ends today. */
const OLD = [
  {
    platform: "shortvideo",
    batch: batchOf([
      [
        "7200000000000000001",
        410,
        ["lantern"],
        [
          [401, 100],
          [400, 350],
        ],
      ],
      ["7200000000000000002", 420, ["paper"], [[400, 40_000]]],
    ]),
  },
];

interface Ranked {
  basis: string;
  basis_posts: number;
  views_gained: number;
  [field: string]: unknown;
}

type Ranking = { data: Record<string, Ranked[]> & { pagination: { total: number; total_count: number } } };

for (const engine of ["SQLite", "PostgreSQL"]) {
  describe(`rankings on ${engine}`, () => {
    let database: { url: string; drop: () => Promise<void> } | null = null;
    let server: TestServer;
    const start = async (world: typeof WORLD) => {
      database = engine === "SQLite" ? null : await freshStoreDatabase();
      server = await startTestServer(world, database === null ? {} : { STORE_URL: database.url });
    };
    const stop = async () => {
      await server.close();
      await database?.drop();
    };
    const ranking = (name: string, parameters: Record<string, string> = {}, headers?: Record<string, string>) =>
      server.json<Ranking>(`/api/shortvideo/trending/${name}?${query(parameters)}`, headers);

    describe("of posts captured once, several times, and both", () => {
      before(() => start(WORLD));
      after(stop);

      test("each gain says whether it was measured and of how many posts, measured ones first", async () => {
        const { list } = (await ranking("hashtag")).data;
        assert.deepEqual(
          list?.map(({ hashtag_name, basis, basis_posts, views_gained, video_views, publish_cnt }) => [
            hashtag_name,
            basis,
            basis_posts,
            views_gained,
            video_views,
            publish_cnt,
          ]),
          [
            ["kites", "measured", 1, 570, 570, 1],
            ["mixed", "measured", 1, 570, 570, 1],
            ["whalesong", "estimated", 1, 70_000, 70_000, 1],
          ],
          "an estimate is never added to what was measured",
        );
        const { videos } = (await ranking("videos")).data;
        assert.deepEqual(
          videos?.map(({ id, basis, views_gained, play_count, author }) => [
            String(id).slice(-1),
            basis,
            views_gained,
            play_count,
            author,
          ]),
          [
            ["2", "measured", 570, 720, "mira"],
            ["3", "estimated", 560_000, 800_000, "mira"],
            ["1", "estimated", 70_000, 10_000_000, "mira"],
          ],
        );
        const [song] = (await ranking("songs")).data["sound_list"] ?? [];
        assert.deepEqual([song?.basis, song?.basis_posts, song?.views_gained], ["measured", 1, 570]);
      });

      test("basis=measured gives measured gains alone", async () => {
        const { list, pagination } = (await ranking("hashtag", { basis: "measured", limit: "1" })).data;
        assert.deepEqual([list?.map(({ basis }) => basis), pagination.total], [["measured"], 2]);
        assert.deepEqual((await ranking("videos", { basis: "measured", page: "2", limit: "1" })).data["videos"], []);
        const wrong = await requestOperation(server.url, "shortvideo/trending/hashtag", { basis: "guessed" });
        assertParameterProblem(wrong, "invalid_parameter", { in: "query", parameter: "basis" });
      });

      test("a trend has a point for each day with a capture and none else; an estimate has none", async () => {
        const list = (await ranking("hashtag")).data["list"] ?? [];
        const points = [
          { time: secondOf(ago(3)), value: 350 },
          { time: secondOf(ago(1)), value: 220 },
        ];
        assert.deepEqual(
          list.map(({ trend }) => trend),
          [points, points, []],
        );
      });

      test("only a measured gain is new, risen or fallen, and only if something was measured before", async () => {
        const diffs = async (parameters: Record<string, string>, headers?: Record<string, string>) =>
          (await ranking("hashtag", parameters, headers)).data["list"]?.map(({ rank_diff, rank_diff_type }) => [
            rank_diff,
            rank_diff_type,
          ]);
        assert.deepEqual(await diffs({}), [
          [0, 2],
          [0, 2],
          [null, 0],
        ]);
        assert.deepEqual(await diffs({}, { prefer: "unknown=null" }), [
          [0, 2],
          [0, 2],
          [null, null],
        ]);
        assert.deepEqual(
          await diffs({ period: "120" }),
          Array.from({ length: 3 }, () => [null, 0]),
          "nothing was measured before",
        );
      });

      test("with Prefer: unknown=null, an estimate in a field of the contract is null", async () => {
        const list = (await ranking("hashtag", {}, { prefer: "unknown=null" })).data["list"] ?? [];
        assert.deepEqual(
          list.map(({ video_views, publish_cnt, views_gained }) => [video_views, publish_cnt, views_gained]),
          [
            [570, 1, 570],
            [570, 1, 570],
            [null, null, 70_000],
          ],
        );
      });

      test("a computed ranking of longvideo/trending marks its gains too", async () => {
        const { videos } = await server.json<{ videos: Ranked[] }>("/api/longvideo/trending?country=US");
        assert.deepEqual(
          videos.map(({ video_id, basis, basis_posts, views_gained }) => [video_id, basis, basis_posts, views_gained]),
          [
            ["viewedTwice", "measured", 1, 300],
            ["viewedOnce1", "estimated", 1, 350_000],
          ],
        );
      });

      test("as_of ends the period on another day", async () => {
        const response = await requestOperation(server.url, "shortvideo/trending/hashtag", { as_of: dayAgo(9) });
        const list = (JSON.parse(response.text) as Ranking).data["list"] ?? [];
        assert.deepEqual(
          list.map(({ hashtag_name, basis, views_gained }) => [hashtag_name, basis, views_gained]),
          [
            ["kites", "measured", 50],
            ["mixed", "measured", 50],
          ],
        );
        assert.equal(response.header("trends-day"), dayAgo(9));
        const videos = await server.json<{ videos: unknown[] }>(
          `/api/longvideo/trending?country=US&as_of=${dayAgo(9)}`,
        );
        assert.deepEqual(videos.videos, []);
      });

      test("as_of must be a day until today, or newest", async () => {
        const tomorrow = toIsoDate(Date.now() + DAY_MS);
        for (const operation of [
          "shortvideo/trending/hashtag",
          "shortvideo/trending/songs",
          "shortvideo/trending/videos",
          "longvideo/trending",
          "charts",
          "charts/history",
        ]) {
          const others: Record<string, string> = operation === "charts/history" ? { video_id: "viewedTwice" } : {};
          for (const as_of of ["yesterday", "2026-02-30", "2026-1-1", "newest day", tomorrow]) {
            const response = await requestOperation(server.url, operation, { ...others, as_of });
            assertParameterProblem(response, "invalid_parameter", { in: "query", parameter: "as_of" });
          }
          for (const as_of of ["NEWEST", "", dayAgo(0)])
            assert.equal((await requestOperation(server.url, operation, { ...others, as_of })).status, 200, operation);
        }
        const both = await requestOperation(server.url, "longvideo/trending", { as_of: "newest", date: dayAgo(1) });
        assertParameterProblem(both, "invalid_parameter", { in: "query", parameter: "as_of" });
      });
    });

    describe("of captures of last year", () => {
      before(() => start(OLD));
      after(stop);

      test("an empty ranking says how old the newest capture is, and as_of=newest ranks it", async () => {
        for (const name of ["hashtag", "songs", "videos"]) {
          const operation = `shortvideo/trending/${name}`;
          const empty = await requestOperation(server.url, operation, { period: "120" });
          assert.equal(empty.header("newest-capture"), new Date(ago(400)).toISOString());
          const { data } = JSON.parse(empty.text) as Ranking;
          assert.equal(data.pagination.total ?? data.pagination.total_count, 0, name);
          const newest = await requestOperation(server.url, operation, { period: "120", as_of: "newest" });
          assert.equal(newest.header("trends-day"), dayAgo(400));
          const { list = [], sound_list: sounds = [], videos = [] } = (JSON.parse(newest.text) as Ranking).data;
          const entries = [...list, ...sounds, ...videos];
          assert.deepEqual([entries[0]?.basis, entries[0]?.views_gained], ["measured", 250], name);
        }
      });

      test("a ranking as of a day follows what is imported and erased", async () => {
        const gained = async () =>
          (await ranking("videos", { as_of: dayAgo(400) })).data["videos"]?.map(({ id, views_gained }) => [
            String(id).slice(-1),
            views_gained,
          ]);
        assert.deepEqual(await gained(), [
          ["1", 250],
          ["2", 14_000],
        ]);
        const store = await server.openStore();
        try {
          await store.writer.write([
            toUnit(
              "shortvideo",
              batchOf([
                [
                  "7200000000000000003",
                  null,
                  [],
                  [
                    [405, 10],
                    [400, 5_000],
                  ],
                ],
              ]),
            ),
          ]);
          await store.writer.refreshTrends();
          assert.deepEqual(await gained(), [
            ["3", 4_990],
            ["1", 250],
            ["2", 14_000],
          ]);
          await store.writer.erase("shortvideo", "post", "7200000000000000001");
          assert.deepEqual(await gained(), [
            ["3", 4_990],
            ["2", 14_000],
          ]);
        } finally {
          await store.close();
        }
      });
    });
  });
}

test("charts as of a day end with it", async () => {
  const provenance = { capturedAt: ago(0), source: "test" };
  const days = ["2026-03-01", "2026-03-02", "2026-03-04"];
  const chartEntries = days.map((day, index) => ({
    country: "US",
    section: "now",
    day,
    rank: index + 1,
    postId: "viewedTwice",
    ...provenance,
  }));
  const server = await startTestServer([
    { platform: "longvideo", batch: { ...batchOf([["viewedTwice", 900, [], [[0, 10]]]]), chartEntries } },
  ]);
  try {
    const chartDay = async (as_of: string) => {
      const response = await requestOperation(server.url, "longvideo/trending", { country: "US", as_of });
      return response.header("chart-day");
    };
    assert.deepEqual(await Promise.all(["2026-03-01", "2026-03-03", "newest"].map(chartDay)), [
      "2026-03-01",
      "2026-03-02",
      "2026-03-04",
    ]);
    assert.equal(await chartDay("2026-02-28"), null, "no chart is that old: the ranking is computed");
    const { charts } = await server.json<{ charts: { days: string[] }[] }>("/api/charts?as_of=2026-03-03");
    assert.deepEqual(
      charts.map((chart) => chart.days),
      [["2026-03-01", "2026-03-02"]],
    );
    const { ranks } = await server.json<{ ranks: { day: string }[] }>(
      "/api/charts/history?video_id=viewedTwice&as_of=2026-03-02",
    );
    assert.deepEqual(
      ranks.map(({ day }) => day),
      ["2026-03-01", "2026-03-02"],
    );
    assertProblem(
      await requestOperation(server.url, "longvideo/trending", { country: "US", date: "2026-03-03" }),
      "chart_not_found",
    );
  } finally {
    await server.close();
  }
});
