/** The conformance suite of the store interface. Each store's test runs it with a function that opens an empty store. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import * as fc from "fast-check";
import { replace, toChanges } from "../batch-changes.ts";
import type { Reader } from "../reader.ts";
import { encodeRecord } from "../row-encoder.ts";
import { DAY_MS, dayOf, HOUR_MS } from "#domain/time.ts";
import type { ChartFilter } from "#domain/chart.ts";
import type { CounterPoint, Counters } from "#domain/record.ts";
import { propertyBudget } from "#testing/budget.ts";
import { account, comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { tablesSuite } from "./tables.ts";
import { queryLanguageSuite } from "./query-language.ts";
import { jobsSuite } from "./jobs.ts";
import { watchesSuite } from "./watches.ts";
import { sourceLedgerSuite } from "./source-ledger.ts";
import { searchSuite } from "./search.ts";
import { renderingSuite } from "./rendering.ts";
import type { OpenStore } from "./open-store.ts";
import type { AnyRecord } from "../encoded-record.ts";
import type { Store } from "../store.ts";
import type { Batch, Changes } from "../writer.ts";
import { trendsSuite } from "./trends.ts";

function changes(records: Changes["records"]): Changes {
  return { platform: PLATFORM, records, subtitles: [], follows: [], chartEntries: [] };
}

function toChange(record: AnyRecord): Changes["records"][number] {
  const { capturedAt, counters } = record;
  return { kind: "post", postId: null, incoming: encodeRecord("post", record), point: { capturedAt, counters } };
}

export function storeSuite(name: string, open: OpenStore): void {
  describe(`${name} conforms to the store interface`, () => {
    let store: Store;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open(() => NOW));
    });
    afterEach(() => close());
    const reader = () => store.reader(PLATFORM);
    searchSuite(() => store);
    trendsSuite(open);
    queryLanguageSuite(() => store);
    jobsSuite(() => store);
    watchesSuite(() => store);
    sourceLedgerSuite(() => store);
    tablesSuite(open, () => store);
    renderingSuite(open);

    test("a record is read as it was written", async () => {
      const written = post("p1", {
        title: "Dumplings 🥟",
        hashtags: ["Größe"],
        counters: { views: 3 },
        native: { any: { depth: [1, "x", null] } },
      });
      await store.writer.write(PLATFORM, { posts: [written] });
      assert.deepEqual(await reader().getPost("p1"), written);
      assert.equal(await store.reader("longvideo").getPost("p1"), null, "other platforms do not see it");
      assert.equal(await reader().getPost("p2"), null);
    });

    test("several records come in the order of their ids, unknown ids are skipped", async () => {
      await store.writer.write(PLATFORM, { posts: [post("a"), post("b"), post("c")] });
      assert.deepEqual(
        (await reader().getPosts(["c", "x", "a"])).map(({ id }) => id),
        ["c", "a"],
      );
    });

    test("an account is found by name, ignoring case, diacritics and @, and by its new name after a rename", async () => {
      await store.writer.write(PLATFORM, { accounts: [account("1", { name: "José.Núñez" })] });
      for (const spelling of ["josé.núñez", "@JOSE.NUNEZ", "Jose.Nunez"])
        assert.equal((await reader().getAccountByName(spelling))?.id, "1", spelling);
      await store.writer.write(PLATFORM, { accounts: [account("1", { name: "pepe", capturedAt: NOW + 1 })] });
      assert.equal(await reader().getAccountByName("josé.núñez"), null);
      assert.equal((await reader().getAccountByName("pepe"))?.id, "1");
    });

    test("a name used by several accounts belongs to the one captured last under it", async () => {
      await store.writer.write(PLATFORM, { accounts: [account("1", { name: "star", capturedAt: NOW })] });
      await store.writer.write(PLATFORM, { accounts: [account("2", { name: "star", capturedAt: NOW - 5 })] });
      assert.equal((await reader().getAccountByName("star"))?.id, "1");
      await store.writer.write(PLATFORM, { accounts: [account("2", { name: "star", capturedAt: NOW + 5 })] });
      assert.equal((await reader().getAccountByName("star"))?.id, "2");
      await store.writer.write(PLATFORM, { accounts: [account("3", { name: "star", capturedAt: NOW + 5 })] });
      assert.equal((await reader().getAccountByName("star"))?.id, "2", "at the same instant the first by id");
      for (const id of ["2", "3"])
        await store.writer.write(PLATFORM, { accounts: [account(id, { name: "moon", capturedAt: NOW + 6 })] });
      assert.equal((await reader().getAccountByName("star"))?.id, "1", "the others have another name now");
      const names = await store.tables.snapshot((tables) => tables.getAccountIds(PLATFORM, ["star", "moon"]));
      assert.deepEqual(Object.fromEntries(names), { star: "1", moon: "2" });
    });

    test("a capture without a name does not give an account the name that another has now", async () => {
      const named = (id: string, capturedAt: number) => account(id, { name: "star", capturedAt });
      await store.writer.write(PLATFORM, { accounts: [named("1", NOW), named("2", NOW + 5)] });
      const seenWithoutName = { ...named("1", NOW + 9), ages: { name: NOW } };
      await store.writer.write(PLATFORM, { accounts: [seenWithoutName] });
      assert.equal((await reader().getAccountByName("star"))?.id, "2");
      const names = await store.tables.snapshot((tables) => tables.getAccountIds(PLATFORM, ["star"]));
      assert.deepEqual(Object.fromEntries(names), { star: "2" });
      await store.writer.write(PLATFORM, { accounts: [named("1", NOW + 9)] });
      assert.equal((await reader().getAccountByName("star"))?.id, "1", "captured under its name again");
    });

    test("every list is newest first, then by id, and a page starts after its keyset", async () => {
      const posts = ["d", "b", "c", "a"].map((id, index) =>
        post(id, {
          publishedAt: SECOND - (index < 3 ? 0 : 60),
          soundId: "s",
          placeId: "pl",
          hashtags: ["Café"],
          taggedIds: ["9"],
        }),
      );
      await store.writer.write(PLATFORM, { posts: [...posts, post("undated", { publishedAt: null, soundId: "s" })] });
      for (const [list, key] of [
        ["author", "1"],
        ["sound", "s"],
        ["place", "pl"],
        ["hashtag", "#CAFE"],
        ["tagged", "9"],
      ] as const) {
        const first = await reader().listPosts(list, key, { limit: 2 });
        assert.deepEqual(
          first.items.map(({ id }) => id),
          ["b", "c"],
          list,
        );
        assert.deepEqual(first.last, { at: SECOND, id: "c" });
        assert.equal(first.more, true);
        const second = await reader().listPosts(list, key, { limit: 2, after: first.last });
        assert.deepEqual(
          second.items.map(({ id }) => id),
          ["d", "a"],
          list,
        );
      }
      const all = await reader().listPosts("sound", "s", { limit: 10 });
      assert.deepEqual(
        all.items.map(({ id }) => id),
        ["b", "c", "d", "a", "undated"],
      );
      assert.equal(all.more, false);
      assert.deepEqual(
        (await reader().listPostKeysets("sound", "s", SECOND)).map(({ id }) => id),
        ["b", "c", "d"],
      );
      assert.equal(await reader().countPosts("hashtag", "café"), 4);
    });

    test("a post leaves the lists that a later version does not name", async () => {
      await store.writer.write(PLATFORM, { posts: [post("p1", { soundId: "s1", hashtags: ["one", "two"] })] });
      await store.writer.write(PLATFORM, {
        posts: [post("p1", { soundId: "s2", hashtags: ["two"], publishedAt: SECOND - 9 })],
      });
      assert.equal(await reader().countPosts("sound", "s1"), 0);
      assert.equal(await reader().countPosts("hashtag", "one"), 0);
      assert.deepEqual((await reader().listPosts("sound", "s2", { limit: 5 })).last, { at: SECOND - 9, id: "p1" });
    });

    test("the top posts of a list have the most likes and comments", async () => {
      await store.writer.write(PLATFORM, {
        posts: [
          post("a", { soundId: "s", counters: { likes: 5 } }),
          post("b", { soundId: "s", counters: { comments: 9 } }),
          post("c", { soundId: "s" }),
        ],
      });
      assert.deepEqual(
        (await reader().listTopPosts("sound", "s", 2)).map(({ id }) => id),
        ["b", "a"],
      );
    });

    test("comments: top-level only, newest or most liked first, unknown likes last", async () => {
      await store.writer.write(PLATFORM, {
        comments: [
          comment("a", { counters: { likes: 1 } }),
          comment("b", { publishedAt: SECOND + 5, counters: { likes: 7 } }),
          comment("c", { counters: { likes: 0 } }),
          comment("d"),
          comment("reply", { parentId: "a" }),
        ],
      });
      const ids = async (order: "newest" | "top") =>
        (await reader().listComments("p1", order, { limit: 9 })).items.map(({ id }) => id);
      assert.deepEqual(await ids("newest"), ["b", "a", "c", "d"]);
      assert.deepEqual(await ids("top"), ["b", "a", "c", "d"]);
      const page = await reader().listComments("p1", "top", { limit: 2 });
      assert.deepEqual(
        (await reader().listComments("p1", "top", { limit: 2, after: page.last })).items.map(({ id }) => id),
        ["c", "d"],
      );
      assert.deepEqual(await reader().countComments("p1"), { comments: 4, likes: 8 });
      assert.deepEqual(await reader().listCommentKeysets("p1", { likes: 7 }), [{ at: SECOND + 5, id: "b", likes: 7 }]);
      assert.equal((await reader().listCommentKeysets("p1", {})).length, 4);
      assert.deepEqual((await reader().listCommentKeysets("p1", { at: SECOND })).map(({ id }) => id).toSorted(), [
        "a",
        "c",
        "d",
      ]);
    });

    test("followers: newest first; a follow without a date is dated by its capture", async () => {
      const follow = (followerId: string, since: number | null) => ({
        accountId: "1",
        followerId,
        since,
        capturedAt: NOW,
        source: "test",
      });
      await store.writer.write(PLATFORM, {
        follows: [follow("a", SECOND - 50), follow("b", null), follow("c", SECOND - 10)],
      });
      const page = await reader().listFollowers("1", { limit: 2 });
      assert.deepEqual(
        page.items.map(({ followerId }) => followerId),
        ["b", "c"],
      );
      assert.deepEqual(
        (await reader().listFollowers("1", { limit: 2, after: page.last })).items.map(({ followerId }) => followerId),
        ["a"],
      );
      assert.equal(await reader().countFollowers("1"), 3);
    });

    test("subtitles: one track per language, a manual one before an automatic one", async () => {
      const track = (automatic: boolean, text: string) => ({
        postId: "p1",
        language: "en",
        automatic,
        lines: [{ startS: 0, durationS: 1.5, text }],
        capturedAt: NOW,
        source: "test",
      });
      await store.writer.write(PLATFORM, { subtitles: [track(true, "machine"), track(false, "person")] });
      assert.equal((await reader().getSubtitles("p1", "en"))?.lines[0]?.text, "person");
      assert.deepEqual(await reader().listSubtitleLanguages("p1"), [
        { language: "en", automatic: false },
        { language: "en", automatic: true },
      ]);
      assert.equal(await reader().getSubtitles("p1", "es"), null);
    });

    test("a chart is its latest day, ordered by rank", async () => {
      const chart = (day: string, postIds: string[]) => ({
        country: "US",
        section: "now",
        day,
        postIds,
        capturedAt: NOW,
        source: "test",
      });
      await store.writer.write(PLATFORM, {
        charts: [chart("2026-11-14", ["x"]), chart("2026-11-15", ["b", "a", "c"])],
      });
      assert.deepEqual((await reader().getChart("US", "now"))?.postIds, ["b", "a", "c"]);
      assert.equal(await reader().getChart("US", "music"), null);
      assert.deepEqual((await reader().getChart("US", "now", "2026-11-14"))?.postIds, ["x"]);
      assert.equal(await reader().getChart("US", "now", "2026-11-13"), null);
    });

    test("what was captured again unchanged is not replaced by an older capture", async () => {
      const capture = (content: string, capturedAt: number): Batch => {
        const stamp = { capturedAt, source: "test" };
        const lines = [{ startS: 0, durationS: 1.5, text: content }];
        return {
          subtitles: [{ postId: "p1", language: "en", automatic: false, lines, ...stamp }],
          chartEntries: [{ country: "US", section: "now", day: "2026-11-15", rank: 1, postId: content, ...stamp }],
        };
      };
      const read = async () => {
        const [track, chart] = [await reader().getSubtitles("p1", "en"), await reader().getChart("US", "now")];
        return [track?.lines[0]?.text, track?.capturedAt, chart?.postIds[0], chart?.capturedAt];
      };
      await store.writer.write(PLATFORM, capture("same", NOW));
      await store.writer.write(PLATFORM, capture("same", NOW + 9));
      assert.deepEqual(await read(), ["same", NOW + 9, "same", NOW + 9]);
      for (const older of ["between", "same"]) await store.writer.write(PLATFORM, capture(older, NOW + 5));
      assert.deepEqual(await read(), ["same", NOW + 9, "same", NOW + 9]);
    });

    test("charts: all days by country and section, and a post's ranks counted without gaps", async () => {
      const entry = (country: string, section: string, day: string, rank: number, postId: string) => ({
        country,
        section,
        day,
        rank,
        postId,
        capturedAt: NOW,
        source: "test",
      });
      await store.writer.write(PLATFORM, {
        chartEntries: [
          entry("US", "now", "2026-11-15", 40, "a"),
          entry("US", "now", "2026-11-15", 70, "b"),
          // A chart may list a post twice: the better rank counts.
          entry("US", "now", "2026-11-15", 71, "a"),
          entry("US", "now", "2026-11-15", 90, "c"),
          entry("US", "now", "2026-11-14", 3, "c"),
          entry("GB", "music", "2026-11-15", 1, "c"),
        ],
      });
      const music = { country: "GB", section: "music", days: ["2026-11-15"] };
      const now = { country: "US", section: "now", days: ["2026-11-14", "2026-11-15"] };
      assert.deepEqual(await reader().listCharts({}), [music, now]);
      assert.deepEqual(await reader().listCharts({ country: "GB" }), [music]);
      assert.deepEqual(await reader().listCharts({ country: "G" }), []);
      assert.deepEqual(await reader().listCharts({ section: "now" }), [now]);
      assert.deepEqual(await reader().listCharts({ country: "GB", section: "now" }), []);
      assert.deepEqual(
        (await reader().listChartRanks("c", {}, 9)).map(({ day, country, section, rank }) => [
          day,
          country,
          section,
          rank,
        ]),
        [
          ["2026-11-14", "US", "now", 1],
          ["2026-11-15", "GB", "music", 1],
          ["2026-11-15", "US", "now", 3],
        ],
      );
      const ranksOf = async (filter: ChartFilter, limit: number) =>
        (await reader().listChartRanks("c", filter, limit)).map(({ day, country }) => `${day} ${country}`);
      assert.deepEqual(await ranksOf({}, 2), ["2026-11-15 GB", "2026-11-15 US"]);
      assert.deepEqual(await ranksOf({}, 1), ["2026-11-15 US"]);
      assert.deepEqual(await ranksOf({ country: "US" }, 9), ["2026-11-14 US", "2026-11-15 US"]);
      assert.deepEqual(await ranksOf({ section: "music" }, 9), ["2026-11-15 GB"]);
      assert.deepEqual(await ranksOf({ country: "US", section: "music" }, 9), []);
      assert.deepEqual(await reader().listChartRanks("a", {}, 9), [
        { country: "US", section: "now", day: "2026-11-15", rank: 1, capturedAt: NOW, source: "test" },
      ]);
      assert.deepEqual(await reader().listChartRanks("x", {}, 9), []);
      assert.deepEqual(await store.reader("longvideo").listCharts({}), []);

      // Captured again the same day, and shorter now: ranks are those of the chart that is shown.
      await store.writer.write(PLATFORM, {
        chartEntries: [
          { ...entry("US", "now", "2026-11-15", 70, "d"), capturedAt: NOW + 5 * HOUR_MS },
          { ...entry("US", "now", "2026-11-15", 90, "b"), capturedAt: NOW + 5 * HOUR_MS },
        ],
      });
      assert.deepEqual((await reader().getChart("US", "now"))?.postIds, ["d", "b"]);
      assert.deepEqual(await reader().listChartRanks("a", {}, 9), []);
      assert.deepEqual(
        (await reader().listChartRanks("b", {}, 9)).map(({ day, rank }) => [day, rank]),
        [["2026-11-15", 2]],
      );
    });

    test("replies to a comment come oldest first, then by id, page by page", async () => {
      const reply = (id: string, at: number, parentId = "c1") => comment(id, { parentId, publishedAt: at });
      await store.writer.write(PLATFORM, {
        comments: [
          comment("c1"),
          reply("r2", SECOND),
          reply("r1", SECOND),
          reply("r0", SECOND - 9),
          reply("x", 1, "c2"),
        ],
      });
      const first = await reader().listReplies("p1", "c1", { limit: 2 });
      assert.deepEqual(
        first.items.map(({ id }) => id),
        ["r0", "r1"],
      );
      const second = await reader().listReplies("p1", "c1", { limit: 2, after: first.last });
      assert.deepEqual(
        second.items.map(({ id }) => id),
        ["r2"],
      );
      assert.deepEqual([first.more, second.more], [true, false]);
      assert.equal((await reader().getComment("p1", "r2"))?.parentId, "c1");
      assert.equal(await reader().getComment("p2", "r2"), null);
    });

    test("followed accounts: newest first, page by page", async () => {
      const follow = (accountId: string, since: number) => ({
        accountId,
        followerId: "1",
        since,
        capturedAt: NOW,
        source: "test",
      });
      await store.writer.write(PLATFORM, { follows: [follow("a", 5), follow("b", 9), follow("c", 5)] });
      const first = await reader().listFollowing("1", { limit: 2 });
      assert.deepEqual(
        first.items.map(({ accountId }) => accountId),
        ["b", "a"],
      );
      assert.deepEqual(
        (await reader().listFollowing("1", { limit: 2, after: first.last })).items.map(({ accountId }) => accountId),
        ["c"],
      );
    });

    test("the history has each distinct set of counters once, in order of capture", async () => {
      const seen = (views: number, at: number) => post("p1", { counters: { views }, capturedAt: at });
      for (const [views, at] of [
        [1, NOW],
        [1, NOW + 1000],
        [5, NOW + 2000],
      ] as const)
        await store.writer.write(PLATFORM, { posts: [seen(views, at)] });
      await store.writer.write(PLATFORM, {
        history: [{ kind: "post", id: "p1", points: [{ capturedAt: NOW - 1000, counters: { views: 0 } }] }],
      });
      assert.deepEqual(await reader().listCounters("post", "p1"), [
        { capturedAt: NOW - 1000, counters: { views: 0 } },
        { capturedAt: NOW, counters: { views: 1 } },
        { capturedAt: NOW + 2000, counters: { views: 5 } },
      ]);
    });

    test("a count that is the one before it rounded is no change in the history", async () => {
      const write = (...points: CounterPoint[]) =>
        store.writer.write(PLATFORM, { history: [{ kind: "post", id: "p1", points }] });
      const exact = { capturedAt: NOW, counters: { views: 1_776_621, likes: 15_955, shares: 259 } };
      await write(exact, { capturedAt: NOW + 1, counters: { views: 1_800_000, likes: 16_000, shares: 259 } });
      await write({ capturedAt: NOW + 2, counters: { views: 1_800_000, likes: 16_000, shares: 259 } });
      assert.deepEqual(await reader().listCounters("post", "p1"), [exact]);
      // Beside what did change, and where it is no longer the same rounded.
      await write({ capturedAt: NOW + 3, counters: { views: 1_800_000, likes: 16_100, shares: 260 } });
      assert.deepEqual((await reader().listCounters("post", "p1")).slice(1), [
        { capturedAt: NOW + 3, counters: { views: 1_776_621, likes: 16_100, shares: 260 } },
      ]);
      // Only of platforms that round without a mark.
      const points = [exact, { capturedAt: NOW + 1, counters: { views: 1_800_000 } }];
      await store.writer.write("longvideo", { history: [{ kind: "post", id: "p1", points }] });
      assert.deepEqual(await store.reader("longvideo").listCounters("post", "p1"), points);
    });

    test("the history of a period is that part of the whole one, and a limit leaves its newest points", async () => {
      const views = [1_749_000, 1_700_000, 1_700_000, 1_800_001, 1_800_000, 1_900_000];
      const points = views.map((count, index) => ({
        capturedAt: NOW + index,
        counters: { views: count, likes: index },
      }));
      for (const platform of [PLATFORM, "longvideo"] as const) {
        await store.writer.write(platform, { history: [{ kind: "post", id: "p1", points }] });
        const list: Reader["listCounters"] = (...request) => store.reader(platform).listCounters(...request);
        const whole = await list("post", "p1");
        assert.equal(whole.length, views.length);
        for (let since = 0; since <= views.length; since++) {
          for (let until = since; until <= views.length; until++) {
            const part = whole.slice(since, until);
            const period = { since: NOW + since, until: NOW + until };
            assert.deepEqual(await list("post", "p1", period), part);
            assert.deepEqual(await list("post", "p1", { ...period, limit: 2 }), part.slice(-2));
          }
        }
        assert.deepEqual(await list("post", "p1", { limit: 2 }), whole.slice(-2));
      }
    });

    test("a rounded count beside an exact one is no change in the history, whatever the order they come in", async () => {
      const at = (day: number, views: number, likes: number) => ({ capturedAt: NOW + day, counters: { views, likes } });
      const changesOf = async (id: string) => {
        const seen = (await reader().listCounters("post", id)).map(({ counters }) => JSON.stringify(counters));
        return seen.filter((text, index) => text !== seen[index - 1]).map((text) => JSON.parse(text) as Counters);
      };
      const cases: [captured: CounterPoint[], changes: Counters[]][] = [
        [[at(1, 1_749_000, 10), at(3, 1_700_000, 10)], [{ views: 1_749_000, likes: 10 }]],
        [[at(1, 1_700_000, 10), at(3, 1_749_000, 10)], [{ views: 1_749_000, likes: 10 }]],
        // Rounded on several days while another count grew.
        [
          [at(1, 1_600_000, 7), at(2, 1_700_000, 8), at(3, 1_700_000, 9), at(4, 1_749_000, 10), at(5, 1_700_000, 11)],
          [
            { views: 1_600_000, likes: 7 },
            { views: 1_749_000, likes: 8 },
            { views: 1_749_000, likes: 9 },
            { views: 1_749_000, likes: 10 },
            { views: 1_749_000, likes: 11 },
          ],
        ],
      ];
      let made = 0;
      for (const [captured, wanted] of cases) {
        for (const inOne of [true, false]) {
          for (const order of [
            captured,
            captured.toReversed(),
            captured.toSorted((one) => (one === captured[1] ? -1 : 1)),
          ]) {
            const id = `p${made++}`;
            const parts = inOne ? [order] : order.map((point) => [point]);
            for (const points of parts) await store.writer.write(PLATFORM, { history: [{ kind: "post", id, points }] });
            assert.deepEqual(await changesOf(id), wanted, JSON.stringify({ order, inOne }));
          }
        }
      }
    });

    test("the history of a growing post, some captures of which are rounded, is the same in any order of them", async () => {
      const capture = fc.record({
        views: fc.constantFrom(0, 4, 50),
        likes: fc.nat(1),
        isRounded: fc.boolean(),
        place: fc.nat(),
      });
      const example = [
        { views: 0, likes: 0, isRounded: false, place: 0 },
        { views: 4, likes: 1, isRounded: false, place: 2 },
        { views: 0, likes: 1, isRounded: true, place: 1 },
      ];
      let made = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(capture, { minLength: 3, maxLength: 4 }), async (growth) => {
          let [views, likes] = [12_345, 0];
          const points = growth.map((gained, index) => {
            views += gained.views;
            likes += gained.likes;
            const shown = gained.isRounded ? Math.round(views / 100) * 100 : views;
            return { capturedAt: NOW + index, counters: { views: shown, likes }, place: gained.place };
          });
          const histories: CounterPoint[][] = [];
          for (const order of [points, points.toSorted((one, other) => one.place - other.place)]) {
            const id = `p${made++}`;
            for (const { capturedAt, counters } of order) {
              const history = [{ kind: "post" as const, id, points: [{ capturedAt, counters }] }];
              await store.writer.write(PLATFORM, { history });
            }
            histories.push(await reader().listCounters("post", id));
          }
          assert.deepEqual(histories[1], histories[0]);
          const seen = histories[0]?.map(({ counters }) => counters.views ?? 0) ?? [];
          assert.ok(
            seen.every((count, index) => count >= (seen[index - 1] ?? 0)),
            `a loss in ${seen.join(", ")}`,
          );
        }),
        { ...propertyBudget(500), examples: [[example]] },
      );
    });

    test("captures of the same instant complete each other's counters in the history", async () => {
      const write = (counters: Counters) =>
        store.writer.write(PLATFORM, {
          history: [{ kind: "post", id: "p1", points: [{ capturedAt: NOW, counters }] }],
        });
      const history = () => reader().listCounters("post", "p1");
      await write({ views: 900, likes: 40 });
      await write({ likes: 41 });
      assert.deepEqual(await history(), [{ capturedAt: NOW, counters: { views: 900, likes: 41 } }]);
      await write({ comments: 3 });
      await write({ views: 900 });
      assert.deepEqual(await history(), [{ capturedAt: NOW, counters: { views: 900, likes: 41, comments: 3 } }]);
      // Also where they come in one batch, and before a later point.
      const points = [
        { capturedAt: NOW + 5, counters: { views: 950 } },
        { capturedAt: NOW - 5, counters: { views: 800 } },
        { capturedAt: NOW - 5, counters: { likes: 30 } },
      ];
      await store.writer.write(PLATFORM, { history: [{ kind: "post", id: "p1", points }] });
      assert.deepEqual((await history())[0], { capturedAt: NOW - 5, counters: { views: 800, likes: 30 } });
    });

    test("apply counts new, updated and unchanged records", async () => {
      const apply = (...posts: AnyRecord[]) => store.writer.apply([changes(posts.map(toChange))], replace);
      assert.deepEqual(await apply(post("p1"), post("p2")), {
        post: { new: 2, updated: 0, unchanged: 0, erased: 0 },
      });
      assert.deepEqual(await apply(post("p1"), post("p2", { text: "now" })), {
        post: { new: 0, updated: 1, unchanged: 1, erased: 0 },
      });
    });

    test("apply writes nothing when its checkpoint fails; preview never writes", async () => {
      const fail = () => {
        throw new Error("checkpoint");
      };
      await assert.rejects(store.writer.apply([changes([toChange(post("p1"))])], replace, fail), /checkpoint/);
      assert.deepEqual(await store.writer.preview([changes([toChange(post("p1"))])], replace), {
        post: { new: 1, updated: 0, unchanged: 0, erased: 0 },
      });
      assert.equal(await reader().getPost("p1"), null);
      assert.equal((await reader().searchPosts({ text: "x", offset: 0, limit: 1, now: 0 })).items.length, 0);
    });

    test("an account known by name only is merged into its id with everything that refers to it", async () => {
      await store.writer.write(PLATFORM, {
        accounts: [account("@mira", { name: "mira" }), account("2")],
        posts: [
          post("p1", { authorId: "@mira", taggedIds: ["@mira", "2"] }),
          post("p2", { authorId: "2", coauthorIds: ["@mira"], publishedAt: SECOND - 9 }),
        ],
        comments: [comment("c1", { authorId: "@mira" })],
        follows: [{ accountId: "@mira", followerId: "2", since: 5, capturedAt: NOW, source: "test" }],
      });
      assert.equal(await reader().hasProvisionalAccounts(), true);
      await store.writer.mergePlaceholder(PLATFORM, "@mira", "77", replace);
      await store.writer.write(PLATFORM, { accounts: [account("77", { name: "mira" })] });
      assert.equal(await reader().hasProvisionalAccounts(), false);
      assert.equal((await reader().getAccountByName("mira"))?.id, "77");
      const [moved, together] = (await reader().listPosts("author", "77", { limit: 5 })).items;
      assert.deepEqual([together?.id, together?.coauthorIds], ["p2", ["77"]]);
      assert.deepEqual([moved?.authorId, moved?.taggedIds], ["77", ["77", "2"]]);
      assert.equal(await reader().countPosts("tagged", "77"), 1);
      assert.equal((await reader().listComments("p1", "newest", { limit: 1 })).items[0]?.authorId, "77");
      assert.equal(await reader().countFollowers("77"), 1);
    });

    test("a former name under which an account was known alone belongs to nobody once it is merged", async () => {
      await store.writer.write(PLATFORM, {
        accounts: [
          account("@old.name", { name: "old.name", capturedAt: NOW - 5 }),
          account("77", { name: "new.name", source: "tool" }),
        ],
      });
      await store.writer.mergePlaceholder(PLATFORM, "@old.name", "77", (_kind, stored) => stored);
      assert.equal((await reader().getAccountByName("new.name"))?.id, "77");
      assert.equal(await reader().getAccountByName("old.name"), null);
      // Nothing of it is left when the account goes.
      await store.writer.deleteSource("tool");
      const names = await store.tables.snapshot((tables) => Array.fromAsync(tables.read("account_names")));
      assert.deepEqual(names.flat(), []);
    });

    test("of a follow that is known under the name and the id, the date and the newer capture stay", async () => {
      const follow = (
        accountId: string,
        followerId: string,
        since: number | null,
        capturedAt: number,
        source: string,
      ) => ({
        accountId,
        followerId,
        since,
        capturedAt,
        source,
      });
      await store.writer.write(PLATFORM, {
        accounts: [account("@mira", { name: "mira" })],
        follows: [
          follow("@mira", "2", null, NOW - 5000, "name"),
          follow("77", "2", SECOND - 90, NOW, "id"),
          follow("@mira", "3", SECOND - 50, NOW, "name"),
          follow("77", "3", null, NOW - 5000, "id"),
          follow("@mira", "4", null, NOW, "name"),
          follow("77", "4", null, NOW - 9000, "id"),
        ],
      });
      await store.writer.mergePlaceholder(PLATFORM, "@mira", "77", replace);
      const { items, last } = await reader().listFollowers("77", { limit: 5 });
      assert.deepEqual(items, [
        follow("77", "4", null, NOW, "name"),
        follow("77", "3", SECOND - 50, NOW, "name"),
        follow("77", "2", SECOND - 90, NOW, "id"),
      ]);
      assert.equal(last?.at, SECOND - 90);
    });

    test("an erased record goes with everything derived from it, and stays erased when it is written again", async () => {
      const world = {
        accounts: [account("1", { name: "gone" }), account("2")],
        posts: [
          post("p1", { text: "secretword", hashtags: ["tag"], counters: { views: 3 } }),
          post("p2", { authorId: "2", taggedIds: ["1"] }),
        ],
        comments: [
          comment("c1"),
          comment("c2", { postId: "p2", authorId: "1" }),
          comment("c3", { postId: "p2", authorId: "2" }),
        ],
        follows: [{ accountId: "2", followerId: "1", since: 5, capturedAt: NOW, source: "test" }],
        subtitles: [{ postId: "p1", language: "en", automatic: false, lines: [], capturedAt: NOW, source: "test" }],
      };
      await store.writer.write(PLATFORM, world);
      const counts = {
        account: 1,
        post: 1,
        comment: 2,
        subtitles: 1,
        follow: 1,
        chart: 0,
        sound: 0,
        history: 1,
        mention: 1,
        file: 0,
      };
      assert.deepEqual(await store.writer.previewErasure(PLATFORM, "account", "1"), counts);
      assert.ok((await reader().getPost("p1")) !== null, "a preview changes nothing");
      assert.deepEqual(await store.verify(), []);
      assert.deepEqual(await store.writer.erase(PLATFORM, "account", "1"), { counts, jobs: [] });
      assert.deepEqual((await reader().getPost("p2"))?.taggedIds, [], "who was tagged is not said any more");
      for (const again of [false, true]) {
        if (again) {
          const points = [{ capturedAt: NOW - 1, counters: { views: 2, followers: 2 } }];
          const history = [
            { kind: "post" as const, id: "p1", points },
            { kind: "account" as const, id: "1", points },
          ];
          await store.writer.write(PLATFORM, { ...world, history });
          // A later capture of another account's post that tags the erased account.
          const changed = post("p2", { authorId: "2", taggedIds: ["1"], publishedAt: SECOND - 9, capturedAt: NOW + 1 });
          await store.writer.write(PLATFORM, { posts: [changed] });
        }
        assert.equal(await reader().countPosts("tagged", "1"), 0);
        assert.equal(await reader().getAccount("1"), null);
        assert.equal(await reader().getAccountByName("gone"), null);
        assert.equal(await reader().getPost("p1"), null);
        assert.equal(await reader().countPosts("author", "1"), 0);
        assert.equal(await reader().countPosts("hashtag", "tag"), 0);
        assert.deepEqual(
          (await reader().listComments("p2", "newest", { limit: 9 })).items.map(({ id }) => id),
          ["c3"],
        );
        assert.deepEqual((await reader().listComments("p1", "newest", { limit: 9 })).items, []);
        assert.equal(await reader().countFollowers("2"), 0);
        assert.deepEqual(await reader().listSubtitleLanguages("p1"), []);
        for (const [kind, id] of [["post", "p1"] as const, ["account", "1"] as const])
          assert.deepEqual(await reader().listCounters(kind, id), []);
        assert.deepEqual((await reader().searchPosts({ text: "secretword", offset: 0, limit: 1, now: 0 })).items, []);
        assert.deepEqual(
          (await reader().searchNames({ text: "gone", accounts: 5, hashtags: 0, places: 0, keywords: 0 })).accounts,
          [],
        );
      }
      assert.ok((await reader().getPost("p2")) !== null, "posts of other accounts stay");
    });

    test("a preview of an erasure counts what the erasure deletes and changes, each once", async () => {
      const captured = { capturedAt: NOW, source: "test" };
      const sound = { artistName: null, artistId: "1", durationS: null, counters: {}, ...captured };
      const lines = [{ startS: 0, durationS: 1, text: "thanks @gone.girl" }];
      const subtitles = { language: "en", automatic: false, lines, ...captured };
      const entry = { country: "US", section: "now", day: "2026-11-15", ...captured };
      await store.writer.write(PLATFORM, {
        accounts: [
          account("1", { name: "gone.girl", counters: { followers: 5 } }),
          account("@gone.girl", { name: "gone.girl" }),
          account("2", { bio: "with @gone.girl" }),
        ],
        posts: [
          post("p1", { text: "me, @gone.girl", counters: { views: 3 }, soundId: "s1" }),
          post("p2", { authorId: "@gone.girl", counters: { views: 4 } }),
          post("p3", { authorId: "2", taggedIds: ["1"], soundId: "s1" }),
          post("p4", { authorId: "2", text: "nothing about anyone" }),
        ],
        sounds: [{ id: "s1", title: "Low tide", native: {}, ...sound }],
        comments: [
          comment("c1", { authorId: "1", text: "by @gone.girl on a post of hers" }),
          comment("c2", { authorId: "2", text: "@gone.girl on a post of hers" }),
          comment("c3", { postId: "p3", authorId: "1" }),
          comment("c4", { postId: "p3", authorId: "2", text: "hello @gone.girl" }),
          comment("c5", { postId: "p4", authorId: "2" }),
        ],
        follows: [
          { accountId: "1", followerId: "2", since: 5, ...captured },
          { accountId: "2", followerId: "1", since: 5, ...captured },
          { accountId: "1", followerId: "@gone.girl", since: 5, ...captured },
        ],
        subtitles: ["p1", "p3", "p4"].map((postId) => ({ postId, ...subtitles })),
        chartEntries: ["p1", "p2", "p3"].map((postId, index) => ({ ...entry, rank: index + 1, postId })),
      });
      const job = { id: "j", fingerprint: "", origin: "command" as const, label: "files", owner: "" };
      await store.jobs.writeJob({ ...job, state: "done", createdAt: NOW, updatedAt: NOW });
      const report = { formats: {}, records: {}, refused: {}, skipped: {} };
      const file = { jobId: "j", fingerprint: "", state: "done" as const, position: 1, report };
      await store.jobs.writeJobFile({ ...file, name: "gone.girl.json" });
      for (const [kind, id] of [
        ["comment", "c5"],
        ["post", "p4"],
        ["post", "unknown"],
      ] as const) {
        const counts = await store.writer.previewErasure(PLATFORM, kind, id);
        assert.deepEqual((await store.writer.erase(PLATFORM, kind, id)).counts, counts);
      }
      const counts = await store.writer.previewErasure(PLATFORM, "account", "1");
      assert.deepEqual(counts, {
        account: 2,
        post: 2,
        comment: 3,
        subtitles: 1,
        follow: 3,
        chart: 2,
        sound: 1,
        history: 3,
        mention: 4,
        file: 1,
      });
      assert.deepEqual(await store.writer.erase(PLATFORM, "account", "1"), { counts, jobs: ["j"] });
    });

    test("an erasure forgets the names of files that an import wrote meanwhile, after posts erased before, and counts none", async () => {
      await store.writer.write(PLATFORM, {
        accounts: [account("1"), account("2")],
        posts: [post("p1"), post("p2", { authorId: "2" })],
      });
      await store.writer.erase(PLATFORM, "account", "1");
      const job = { id: "j", fingerprint: "", origin: "command" as const, label: "p1.mp4", owner: "" };
      await store.jobs.writeJob({ ...job, state: "done", createdAt: NOW, updatedAt: NOW });
      const report = { formats: {}, records: {}, refused: {}, skipped: {} };
      const file = { jobId: "j", fingerprint: "", state: "done" as const, position: 1, report };
      for (const video of ["p1.mp4", "p2.mp4"]) await store.jobs.writeJobFile({ ...file, name: video });
      const preview = await store.writer.previewErasure(PLATFORM, "account", "3");
      const { counts, jobs } = await store.writer.erase(PLATFORM, "account", "3");
      assert.deepEqual([counts, counts.file, jobs], [preview, 0, ["j"]], "they may be of somebody else");
      const files = await store.jobs.listJobFiles("j");
      assert.deepEqual(files.map((listed) => listed.name).toSorted(), ["erased-0", "p2.mp4"]);
      assert.equal((await store.jobs.getJob("j"))?.label, "[erased]");
    });

    test("a post is in the list of each of its authors, is found under each, and is erased with any of them", async () => {
      const world = {
        accounts: [account("1", { name: "mira" }), account("2", { name: "sem" })],
        posts: [
          post("together", { authorId: "1", coauthorIds: ["2"], text: "duet" }),
          post("alone", { authorId: "1", publishedAt: SECOND - 9 }),
        ],
      };
      await store.writer.write(PLATFORM, world);
      const idsOf = async (id: string) =>
        (await reader().listPosts("author", id, { limit: 5 })).items.map((one) => one.id);
      assert.deepEqual([await idsOf("1"), await idsOf("2")], [["together", "alone"], ["together"]]);
      for (const from of ["1", "2"]) {
        const found = await reader().searchPosts({ text: `duet from:${from}`, offset: 0, limit: 5, now: SECOND });
        assert.deepEqual(
          found.items.map(({ id }) => id),
          ["together"],
        );
      }
      await store.writer.write(PLATFORM, {
        posts: [post("together", { authorId: "1", coauthorIds: [], capturedAt: NOW + 1 })],
      });
      assert.deepEqual(await idsOf("2"), [], "a list that it left");
      await store.writer.write(PLATFORM, {
        posts: [post("together", { authorId: "1", coauthorIds: ["2"], capturedAt: NOW + 2 })],
      });
      await store.writer.erase(PLATFORM, "account", "2");
      for (const again of [false, true]) {
        if (again)
          await store.writer.write(PLATFORM, {
            posts: [...world.posts, post("new", { authorId: "1", coauthorIds: ["2"] })],
          });
        assert.deepEqual([await idsOf("1"), await idsOf("2")], [["alone"], []]);
        assert.equal(await reader().getPost("new"), null);
      }
    });

    test("what refers to a new post of somebody erased is refused, also where the post itself comes after it", async () => {
      await store.writer.write(PLATFORM, { accounts: [account("1"), account("2")] });
      await store.writer.erase(PLATFORM, "account", "1");
      const stamp = { capturedAt: NOW, source: "test" };
      const parts: Batch[] = [
        {
          comments: [comment("c1", { postId: "p1", authorId: "2" })],
          subtitles: [{ postId: "p1", language: "en", automatic: false, lines: [], ...stamp }],
          chartEntries: [{ country: "US", section: "now", day: "2026-11-14", rank: 1, postId: "p1", ...stamp }],
        },
        { posts: [post("p1", { authorId: "1" })] },
      ];
      const refused = { new: 0, updated: 0, unchanged: 0, erased: 1 };
      const counts = await store.writer.apply(
        parts.map((part) => toChanges(PLATFORM, part)),
        replace,
      );
      assert.deepEqual(counts, { comment: refused, subtitles: refused, chart: refused, post: refused });
    });

    test("of two accounts captured under one name at the same instant, the one that came last has it", async () => {
      await store.writer.write(PLATFORM, {
        accounts: [
          account("1", { name: "mira" }),
          account("2", { name: "mira" }),
          account("1", { name: "mira", bio: "tea" }),
        ],
      });
      assert.equal((await reader().getAccountByName("mira"))?.id, "1");
    });

    test("comments and posts are refused whose author was erased and is named without an id", async () => {
      await store.writer.write(PLATFORM, { accounts: [account("1", { name: "mira" })] });
      await store.writer.erase(PLATFORM, "account", "1");
      const counts = await store.writer.write(PLATFORM, {
        posts: [post("p1", { authorId: "@mira" })],
        comments: [comment("c1", { postId: "p2", authorId: "@mira" })],
      });
      const refused = { new: 0, updated: 0, unchanged: 0, erased: 1 };
      assert.deepEqual(counts, { post: refused, comment: refused });
      assert.equal((await reader().countComments("p2")).comments, 0);
    });

    test("posts and comments without any id of their author go with who has the name shown, if few share it", async () => {
      const shown = (channelTitle: string) => ({ authorId: null, native: { channelTitle } });
      const said = (authorName: string, postId: string) => ({ authorId: null, postId, native: { authorName } });
      await store.writer.write(PLATFORM, {
        accounts: [account("1", { name: "otto", displayName: "Otto Brine" }), account("2", { displayName: "Ines" })],
        posts: [
          post("p1", shown("OTTO brine")),
          post("p2", shown("Otto Brine Fans")),
          post("p3", { ...shown("Otto Brine"), authorId: "2" }),
          post("p4", shown("Ines")),
        ],
        comments: [
          comment("c1", said("Otto Brine", "p3")),
          comment("c2", said("Brine Otto", "p3")),
          comment("c3", said("Someone Else", "p1")),
          comment("c1", said("Otto Brine", "p4")),
          comment("c1", said("Brine Otto", "p2")),
        ],
      });
      const preview = await store.writer.previewErasure(PLATFORM, "account", "1");
      const { counts } = await store.writer.erase(PLATFORM, "account", "1");
      assert.deepEqual(counts, preview);
      assert.deepEqual([counts.account, counts.post, counts.comment], [1, 1, 3]);
      await store.writer.erase(PLATFORM, "account", "2");
      const stored = async () => (await reader().getPosts(["p1", "p2", "p3", "p4", "p5"])).map(({ id }) => id);
      assert.deepEqual(await stored(), ["p2", "p4"], "a short word tells nobody");
      for (const [id, count] of Object.entries({ p2: 1, p4: 0 }))
        assert.equal((await reader().countComments(id)).comments, count);

      const later = await store.writer.write(PLATFORM, {
        posts: [post("p5", shown("otto brine")), post("p2", shown("Otto Brine")), post("p4", shown("Ines"))],
        comments: [
          comment("c5", said("Otto Brine", "p4")),
          comment("c6", said("Someone Else", "p5")),
          comment("c7", said("Someone Else", "p4")),
        ],
      });
      assert.deepEqual([later["post"]?.erased, later["comment"]?.erased], [2, 2]);
      assert.deepEqual(await stored(), ["p4"], "a later capture shows whose it is");
      assert.equal((await reader().countComments("p4")).comments, 1);
    });

    test("the name shown may have other case and accents than the one that is erased", async () => {
      const shown = (channelTitle: string) => ({ authorId: null, native: { channelTitle } });
      await store.writer.write(PLATFORM, {
        accounts: Object.entries({ 1: "Élodie Øst", 2: "Jose Luna", 3: "Zoë Märk" }).map(([id, displayName]) =>
          account(id, { displayName }),
        ),
        posts: ["ÉLODIE ØST", "élodie øst", "JOSÉ Luna", "zoe mark"].map((title, index) =>
          post(`p${index}`, shown(title)),
        ),
        comments: [comment("c1", { authorId: null, postId: "p4", native: { authorName: "ELODIE ØST" } })],
      });
      for (const [id, posts, comments] of [
        ["1", 2, 1],
        ["2", 1, 0],
        ["3", 1, 0],
      ] as const) {
        const preview = await store.writer.previewErasure(PLATFORM, "account", id);
        const { counts } = await store.writer.erase(PLATFORM, "account", id);
        assert.deepEqual(counts, preview);
        assert.deepEqual([counts.post, counts.comment], [posts, comments]);
      }
    });

    test("what has only a displayed name is skipped once a capture shows that it is of somebody erased by name", async () => {
      await store.writer.erase(PLATFORM, "account", "otto");
      const shown = { authorId: null, native: { channelTitle: "Otto Brine" } };
      const counts = await store.writer.write(PLATFORM, {
        accounts: [account("1", { name: "otto", displayName: "Otto Brine" })],
        posts: [post("p1", shown)],
        comments: [comment("c1", { authorId: "2" })],
      });
      assert.deepEqual([counts["post"]?.erased, counts["comment"]?.erased], [1, 1]);
    });

    test("a name shown without an id erases no post whose author is known", async () => {
      await store.writer.write(PLATFORM, {
        accounts: [account("1", { displayName: "Otto Brine" }), account("2", { displayName: "Otto Brine" })],
        posts: [post("p1", { authorId: "2" })],
      });
      await store.writer.erase(PLATFORM, "account", "1");
      await store.writer.write(PLATFORM, {
        posts: [post("p1", { authorId: null, native: { channelTitle: "Otto Brine" } })],
      });
      assert.equal((await reader().getPost("p1"))?.authorId, "2");
    });

    test("what has only a displayed name is erased by that name", async () => {
      await store.writer.write(PLATFORM, {
        accounts: [account("1", { displayName: "Otto Brine" })],
        posts: [post("p1"), post("p2", { authorId: null, native: { author: { nickname: "Otto Brine" } } })],
      });
      const { counts } = await store.writer.erase(PLATFORM, "account", "Otto Brine");
      assert.deepEqual([counts.account, counts.post], [0, 1]);
      assert.notEqual(await reader().getPost("p1"), null);
      assert.equal(await reader().getPost("p2"), null);
    });

    test("one word that is no stored account's is a name in URLs, and no displayed one", async () => {
      await store.writer.write(PLATFORM, {
        posts: [
          post("p1", { authorId: null, native: { channelTitle: "Brineworks" } }),
          post("p2", { authorId: "@brineworks" }),
        ],
      });
      const preview = await store.writer.previewErasure(PLATFORM, "account", "brineworks");
      const { counts } = await store.writer.erase(PLATFORM, "account", "brineworks");
      assert.deepEqual(counts, preview);
      assert.deepEqual(
        (await reader().getPosts(["p1", "p2"])).map(({ id }) => id),
        ["p1"],
      );
    });

    test("what is stored under a former name alone is erased too", async () => {
      const stamp = { capturedAt: NOW, source: "test" };
      await store.writer.write(PLATFORM, {
        accounts: [account("1", { name: "new.name" }), account("@old.name", { name: "old.name" }), account("2")],
        posts: [
          post("p1", { authorId: "1", authorNames: ["old.name", "Mira"] }),
          post("p2", { authorId: "@old.name" }),
          post("p3", { authorId: "2", taggedIds: ["@old.name"] }),
        ],
        comments: [comment("c1", { postId: "p3", authorId: "@old.name" })],
        follows: [{ accountId: "2", followerId: "@old.name", since: null, ...stamp }],
      });
      const { counts } = await store.writer.erase(PLATFORM, "account", "1");
      assert.deepEqual([counts.account, counts.post, counts.comment, counts.follow, counts.mention], [2, 2, 1, 1, 1]);
      assert.equal(await reader().getAccount("@old.name"), null);
      assert.equal(await reader().getPost("p2"), null);
      assert.equal(await reader().countPosts("tagged", "@old.name"), 0);
      assert.equal((await reader().countComments("p3")).comments, 0);
      assert.equal(await reader().countFollowers("2"), 0);
    });

    test("what is stored under a name alone goes once a capture shows that it is of somebody erased", async () => {
      const stamp = { capturedAt: NOW, source: "test" };
      await store.writer.erase(PLATFORM, "account", "1");
      await store.writer.write(PLATFORM, {
        accounts: [account("@mira", { name: "mira" }), account("2")],
        posts: [post("p1", { authorId: "@mira" }), post("p2", { authorId: "2", taggedIds: ["@mira"] })],
        comments: [comment("c1", { postId: "p2", authorId: "@mira" })],
        follows: [{ accountId: "2", followerId: "@mira", since: null, ...stamp }],
      });
      // As an import does with a capture of both the name and the id.
      await store.writer.mergePlaceholder(PLATFORM, "@mira", "1", replace);
      await store.writer.write(PLATFORM, { accounts: [account("1", { name: "mira" })] });
      for (const id of ["1", "@mira"]) {
        assert.equal(await reader().getAccount(id), null);
        assert.equal(await reader().countPosts("author", id), 0);
        assert.equal(await reader().countPosts("tagged", id), 0);
      }
      assert.equal(await reader().getPost("p1"), null);
      assert.deepEqual((await reader().getPost("p2"))?.taggedIds, []);
      assert.equal((await reader().countComments("p2")).comments, 0);
      assert.equal(await reader().countFollowers("2"), 0);
      await store.writer.write(PLATFORM, { accounts: [account("@mira", { name: "mira" })] });
      assert.equal(await reader().getAccount("@mira"), null, "the name is remembered");
    });

    test("what is stored under an id goes once a capture shows that its name was erased", async () => {
      for (const accounts of [[], [account("1", { name: null })]]) {
        const handle = `mira${accounts.length}`;
        const id = `1${accounts.length}`;
        await store.writer.write(PLATFORM, {
          accounts: accounts.map((one) => ({ ...one, id })),
          posts: [post("p1", { authorId: id }), post("p2", { authorId: "2" })],
          comments: [comment("c1", { postId: "p2", authorId: id })],
        });
        await store.writer.erase(PLATFORM, "account", handle);
        await store.writer.write(PLATFORM, { accounts: [account(id, { name: handle })] });
        assert.equal(await reader().getAccount(id), null);
        assert.equal(await reader().countPosts("author", id), 0);
        assert.equal((await reader().countComments("p2")).comments, 0);
      }
      // One that was known under another name is somebody else, who took the name since.
      await store.writer.write(PLATFORM, { accounts: [account("3", { name: "sem" })] });
      await store.writer.erase(PLATFORM, "account", "star");
      await store.writer.write(PLATFORM, { accounts: [account("3", { name: "star", capturedAt: NOW + 1 })] });
      assert.equal((await reader().getAccount("3"))?.name, "star");
    });

    test("a capture that names somebody erased as the author of another's post erases nothing", async () => {
      await store.writer.write(PLATFORM, {
        accounts: [account("1"), account("2")],
        posts: [post("p1", { authorId: "1" }), post("p2", { authorId: "2" }), post("p3", { authorId: null })],
      });
      await store.writer.erase(PLATFORM, "account", "1");
      const claimed = { authorId: "1", text: "claimed" };
      const posts = ["p2", "p3", "p4"].map((id) => post(id, claimed));
      const comments = posts.map(({ id }) => comment(`c-${id}`, { postId: id, authorId: "2" }));
      await store.writer.write(PLATFORM, { posts, comments });
      const [kept, ...others] = await reader().getPosts(["p2", "p3", "p4"]);
      assert.deepEqual([kept?.authorId, kept?.text, others.length], ["2", post("p2").text, 0]);
      const counts = await Promise.all(posts.map(async ({ id }) => (await reader().countComments(id)).comments));
      assert.deepEqual(counts, [1, 0, 0]);
    });

    test("an erased name is found in other spellings too, in what others wrote and in names of files", async () => {
      const job = { id: "j", fingerprint: "", origin: "command" as const, label: "José_Núñez.json", owner: "" };
      await store.jobs.writeJob({ ...job, state: "done", createdAt: NOW, updatedAt: NOW });
      await store.writer.write(PLATFORM, {
        accounts: [
          account("700001", { name: "Мария" }),
          account("700002", { name: "José_Núñez" }),
          account("700003", { name: "हिन्दी" }),
        ],
        posts: [
          post("p1", { authorId: "3", text: "hi @МАРИЯ" }),
          post("p2", { authorId: "3", text: "hi @jose_nuñez" }),
          post("p3", { authorId: "3", text: "hi @हिन्दी" }),
        ],
      });
      for (const id of ["700001", "700002", "700003"]) await store.writer.erase(PLATFORM, "account", id);
      const posts = await reader().getPosts(["p1", "p2", "p3"]);
      assert.deepEqual(
        posts.map(({ text }) => text),
        ["hi [erased]", "hi [erased]", "hi [erased]"],
      );
      assert.equal((await store.jobs.getJob("j"))?.label, "[erased]");
    });

    test("an erasure changes subtitles and posts with a sound of the person, and no mention of a co-author", async () => {
      const stamp = { capturedAt: NOW, source: "test" };
      const sound = { artistName: null, artistId: "700001", durationS: null, counters: {}, ...stamp };
      const music = { id: "s1", title: "Low tide" };
      const lines = [{ startS: 0, durationS: 1, text: "with @mira.tasse and @sem.ola" }];
      const spokenMention = { postId: "mention", automatic: false, lines, ...stamp };
      await store.writer.write(PLATFORM, {
        accounts: [account("700001", { name: "mira.tasse" }), account("700002", { name: "sem.ola" })],
        sounds: [{ ...sound, id: "s1", title: "Low tide", native: {} }],
        posts: [
          post("together", { authorId: "700002", authorNames: ["sem.ola", "Sem Ola"], coauthorIds: ["700001"] }),
          post("mention", { authorId: "3", text: "hi @sem.ola" }),
          post("sound", { authorId: "3", soundId: "s1", native: { music } }),
        ],
        subtitles: [{ ...spokenMention, language: "en" }],
      });
      const spoken = async (text: string) => {
        const sources = [{ platform: PLATFORM, kind: "subtitle" as const, state: undefined }];
        return (await store.search({ text, sources, limit: 5, now: SECOND })).hits.length;
      };
      assert.equal(await spoken("tasse"), 1);
      const { counts } = await store.writer.erase(PLATFORM, "account", "700001");
      assert.deepEqual([counts.post, counts.sound, counts.mention], [1, 1, 2]);
      await store.writer.write(PLATFORM, { subtitles: [{ ...spokenMention, language: "fr" }] });
      const [stored, later, mention, embedding] = await Promise.all([
        reader().getSubtitles("mention", "en"),
        reader().getSubtitles("mention", "fr"),
        reader().getPost("mention"),
        reader().getPost("sound"),
      ]);
      for (const track of [stored, later]) assert.equal(track?.lines[0]?.text, "with [erased] and @sem.ola");
      assert.deepEqual([await spoken("tasse"), await spoken("sem.ola")], [0, 2]);
      assert.equal(mention?.text, "hi @sem.ola");
      assert.deepEqual(embedding?.native, {});
    });

    test("what is stored of a post is removed once a capture shows that it is of somebody erased", async () => {
      await store.writer.write(PLATFORM, {
        accounts: [account("1"), account("2")],
        posts: [post("p2", { authorId: "2" })],
      });
      await store.writer.erase(PLATFORM, "account", "1");
      const stamp = { capturedAt: NOW, source: "test" };
      const lines = [{ startS: 0, durationS: 1, text: "secretword" }];
      const chart = { country: "US", section: "now", day: "2026-11-14" };
      await store.writer.write(PLATFORM, {
        comments: [comment("c1", { postId: "p1", authorId: "2" }), comment("c2", { postId: "p2", authorId: "2" })],
        subtitles: [{ postId: "p1", language: "en", automatic: false, lines, ...stamp }],
        chartEntries: [{ ...chart, rank: 1, postId: "p1", ...stamp }],
      });
      assert.equal((await reader().listSubtitleLanguages("p1")).length, 1);
      await store.writer.write(PLATFORM, { posts: [post("p1", { authorId: "1" })] });
      assert.deepEqual(await reader().listSubtitleLanguages("p1"), []);
      assert.deepEqual(await reader().listChartRanks("p1", {}, 9), []);
      assert.equal((await reader().countComments("p1")).comments, 0);
      assert.equal((await reader().countComments("p2")).comments, 1, "those on other posts stay");
      assert.deepEqual(await store.verify(), []);
    });

    test("a source can be deleted and imported again", async () => {
      const demo = { source: "demo" };
      await store.writer.write(PLATFORM, {
        accounts: [account("1", { name: "stays" }), account("2", { name: "gone", ...demo })],
        posts: [
          post("p1", { text: "tea" }),
          post("p2", { text: "tea", authorId: "2", soundId: "s", counters: { views: 1 }, ...demo }),
        ],
        comments: [comment("c1"), comment("c2", demo)],
        follows: [{ accountId: "1", followerId: "2", since: 5, capturedAt: NOW, ...demo }],
      });
      assert.equal(await store.writer.deleteSource("demo"), 4);
      assert.equal(await reader().getAccountByName("gone"), null);
      assert.equal(await reader().countPosts("sound", "s"), 0);
      assert.equal(await reader().countFollowers("1"), 0);
      assert.deepEqual(await reader().listCounters("post", "p2"), []);
      const found = await reader().searchPosts({ text: "tea", offset: 0, limit: 5, now: SECOND });
      assert.deepEqual(
        found.items.map(({ id }) => id),
        ["p1"],
      );
      assert.equal((await reader().countComments("p1")).comments, 1);
      await store.writer.write(PLATFORM, { posts: [post("p2")] });
      assert.ok((await reader().getPost("p2")) !== null);
    });

    test("tokens are read as they were written", async () => {
      const token = {
        keyId: "k",
        digest: "d",
        label: "l",
        scopes: ["export"],
        createdAt: 1,
        expiresAt: 2,
        revokedAt: null,
        limits: { burst: 5 },
        replacedBy: null,
      };
      await store.tokens.writeToken(token);
      assert.deepEqual(await store.tokens.getToken("k"), token);
      assert.equal((await store.tokens.listTokens()).length, 1);
      assert.equal(await store.tokens.getToken("x"), null);
    });

    test("a token is revoked once and replaced once, and not replaced after it was revoked", async () => {
      const { tokens } = store;
      const issue = (keyId: string) =>
        tokens.writeToken({
          keyId,
          digest: "d",
          label: "l",
          scopes: ["export"],
          createdAt: 1,
          expiresAt: null,
          revokedAt: null,
          limits: {},
          replacedBy: null,
        });
      const stateOf = async (keyId: string) => {
        const { expiresAt, revokedAt, replacedBy } = (await tokens.getToken(keyId)) ?? {};
        return { expiresAt, revokedAt, replacedBy };
      };
      for (const keyId of ["a", "b", "c", "d"]) await issue(keyId);
      const outcomes = await Promise.all(["c", "d"].map((successor) => tokens.replaceToken("a", successor, 9)));
      assert.equal(outcomes.filter((isReplaced) => isReplaced).length, 1);
      const replaced = await stateOf("a");
      assert.deepEqual([replaced.expiresAt, replaced.revokedAt], [9, null]);
      await tokens.revokeToken("a", 3);
      await tokens.revokeToken("a", 4);
      assert.deepEqual(await stateOf("a"), { ...replaced, revokedAt: 3 });
      await tokens.revokeToken("b", 5);
      assert.equal(await tokens.replaceToken("b", "c", 9), false);
      assert.deepEqual(await stateOf("b"), { expiresAt: null, revokedAt: 5, replacedBy: null });
      assert.equal(await tokens.replaceToken("x", "c", 9), false);
      await tokens.revokeToken("x", 5);
      assert.equal(await tokens.getToken("x"), null);
    });

    test("an empty store reports that it is empty, responds to ping and verifies", async () => {
      assert.equal(await store.isEmpty(), true);
      await store.writer.write(PLATFORM, { posts: [post("p1")], comments: [comment("c")] });
      assert.equal(await store.isEmpty(), false);
      await store.ping();
      assert.deepEqual((await store.summary()).records, { [PLATFORM]: { comment: 1, post: 1 } });
      assert.deepEqual(await store.verify(), []);
    });

    test("a summary counts by source and by the day of the newest capture, for 30 days", async () => {
      const daysAgo = (days: number) => NOW - days * DAY_MS;
      const at = (days: number, source: string) => ({ capturedAt: daysAgo(days), source });
      await store.writer.write(PLATFORM, {
        posts: [post("p1", at(0, "a")), post("p2", at(29, "a")), post("p3", at(30, "a")), post("p4", at(29, "b"))],
        comments: [comment("c1", at(29, "a")), comment("c2", at(-2, "b"))],
      });
      await store.writer.write("other", { posts: [post("p1", at(1, "a"))] });
      const { sources, captureDays, records } = await store.summary(NOW);
      const row = (platform: string, kind: string, source: string, count: number, oldest: number, newest: number) => ({
        platform,
        kind,
        source,
        records: count,
        oldestCapture: daysAgo(oldest),
        newestCapture: daysAgo(newest),
      });
      assert.deepEqual(sources, [
        row("other", "post", "a", 1, 1, 1),
        row(PLATFORM, "comment", "a", 1, 29, 29),
        row(PLATFORM, "comment", "b", 1, -2, -2),
        row(PLATFORM, "post", "a", 3, 30, 0),
        row(PLATFORM, "post", "b", 1, 29, 29),
      ]);
      const day = (platform: string, days: number, count: number) => ({
        platform,
        day: dayOf(daysAgo(days)),
        records: count,
      });
      assert.deepEqual(captureDays, [day("other", 1, 1), day(PLATFORM, 29, 3), day(PLATFORM, 0, 1)]);
      assert.deepEqual(records, { [PLATFORM]: { comment: 2, post: 4 }, other: { post: 1 } });
    });

    test("usage adds up by token, day and operation, and old days can be deleted", async () => {
      const row = (day: string, keyId: string, operation: string, requests: number) => ({
        day,
        keyId,
        operation,
        requests,
        clientErrors: 1,
        serverErrors: 0,
      });
      await store.usage.addUsage([row("2026-11-14", "b", "search", 2), row("2026-11-15", "a", "search", 3)]);
      await store.usage.addUsage([row("2026-11-15", "a", "search", 4), row("2026-11-15", "a", "posts", 5)]);
      const list = (since: string, keyId: string | null, by: "day" | "operation" | "both") =>
        store.usage.listUsage({ since, keyId, by });
      const merged = { ...row("2026-11-15", "a", "search", 7), clientErrors: 2 };
      assert.deepEqual(await list("2026-11-14", null, "both"), [
        row("2026-11-15", "a", "posts", 5),
        merged,
        row("2026-11-14", "b", "search", 2),
      ]);
      assert.deepEqual(await list("2026-11-15", "a", "day"), [{ ...row("2026-11-15", "a", "", 12), clientErrors: 3 }]);
      assert.deepEqual(await list("2026-11-15", null, "operation"), [row("", "a", "posts", 5), { ...merged, day: "" }]);
      await store.usage.deleteUsageBefore("2026-11-15");
      assert.deepEqual(await list("2026-01-01", "b", "both"), []);
    });
  });
}
