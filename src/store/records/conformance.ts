/** The conformance suite of the store interface. Each store's test runs it with a function that opens an empty store. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { replace, toUnit } from "#store/write/batch-changes.ts";
import { encodeRecord } from "#store/write/row-encoder.ts";
import { DAY_MS, dayOf, HOUR_MS } from "#domain/time.ts";
import type { ChartFilter } from "#domain/chart.ts";
import { account, comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { counterHistorySuite } from "#store/counters/conformance.ts";
import { erasureSuite } from "#store/erasure/conformance.ts";
import { tablesSuite } from "#store/copy/conformance.ts";
import { queryLanguageSuite } from "#store/search/query-language.conformance.ts";
import { jobsSuite } from "#store/jobs/conformance.ts";
import { retentionSuite } from "#store/retention/conformance.ts";
import { watchesSuite } from "#store/watches/conformance.ts";
import { sourceLedgerSuite } from "#store/sources/conformance.ts";
import { searchSuite } from "#store/search/conformance.ts";
import { renderingSuite } from "#store/rendered/conformance.ts";
import type { OpenStore } from "#store/sql/open-store.conformance.ts";
import type { AnyRecord } from "#store/write/encoded-record.ts";
import type { Store } from "#store/store.ts";
import type { Batch, Changes, WriteUnit } from "#store/write/port.ts";
import { trendsSuite } from "#store/trends/conformance.ts";

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
    counterHistorySuite(() => store);
    erasureSuite(() => store);
    trendsSuite(open);
    queryLanguageSuite(() => store);
    jobsSuite(() => store);
    watchesSuite(() => store);
    retentionSuite(() => store);
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
      await store.writer.write([toUnit(PLATFORM, { posts: [written] })]);
      assert.deepEqual(await reader().getPost("p1"), written);
      assert.equal(await store.reader("longvideo").getPost("p1"), null, "other platforms do not see it");
      assert.equal(await reader().getPost("p2"), null);
    });

    test("several records come in the order of their ids, unknown ids are skipped", async () => {
      await store.writer.write([toUnit(PLATFORM, { posts: [post("a"), post("b"), post("c")] })]);
      assert.deepEqual(
        (await reader().getPosts(["c", "x", "a"])).map(({ id }) => id),
        ["c", "a"],
      );
    });

    test("an account is found by name, ignoring case, diacritics and @, and by its new name after a rename", async () => {
      await store.writer.write([toUnit(PLATFORM, { accounts: [account("1", { name: "José.Núñez" })] })]);
      for (const spelling of ["josé.núñez", "@JOSE.NUNEZ", "Jose.Nunez"])
        assert.equal((await reader().getAccountByName(spelling))?.id, "1", spelling);
      await store.writer.write([toUnit(PLATFORM, { accounts: [account("1", { name: "pepe", capturedAt: NOW + 1 })] })]);
      assert.equal(await reader().getAccountByName("josé.núñez"), null);
      assert.equal((await reader().getAccountByName("pepe"))?.id, "1");
    });

    test("a name used by several accounts belongs to the one captured last under it", async () => {
      await store.writer.write([toUnit(PLATFORM, { accounts: [account("1", { name: "star", capturedAt: NOW })] })]);
      await store.writer.write([toUnit(PLATFORM, { accounts: [account("2", { name: "star", capturedAt: NOW - 5 })] })]);
      assert.equal((await reader().getAccountByName("star"))?.id, "1");
      await store.writer.write([toUnit(PLATFORM, { accounts: [account("2", { name: "star", capturedAt: NOW + 5 })] })]);
      assert.equal((await reader().getAccountByName("star"))?.id, "2");
      await store.writer.write([toUnit(PLATFORM, { accounts: [account("3", { name: "star", capturedAt: NOW + 5 })] })]);
      assert.equal((await reader().getAccountByName("star"))?.id, "2", "at the same instant the first by id");
      for (const id of ["2", "3"])
        await store.writer.write([
          toUnit(PLATFORM, { accounts: [account(id, { name: "moon", capturedAt: NOW + 6 })] }),
        ]);
      assert.equal((await reader().getAccountByName("star"))?.id, "1", "the others have another name now");
      const names = await store.tables.snapshot((tables) => tables.getAccountIds(PLATFORM, ["star", "moon"]));
      assert.deepEqual(Object.fromEntries(names), { star: "1", moon: "2" });
    });

    test("of two accounts captured under one name at the same instant, the one that came last has it", async () => {
      await store.writer.write([
        toUnit(PLATFORM, {
          accounts: [
            account("1", { name: "mira" }),
            account("2", { name: "mira" }),
            account("1", { name: "mira", bio: "tea" }),
          ],
        }),
      ]);
      assert.equal((await reader().getAccountByName("mira"))?.id, "1");
    });

    test("a capture without a name does not give an account the name that another has now", async () => {
      const named = (id: string, capturedAt: number) => account(id, { name: "star", capturedAt });
      await store.writer.write([toUnit(PLATFORM, { accounts: [named("1", NOW), named("2", NOW + 5)] })]);
      const seenWithoutName = { ...named("1", NOW + 9), ages: { name: NOW } };
      await store.writer.write([toUnit(PLATFORM, { accounts: [seenWithoutName] })]);
      assert.equal((await reader().getAccountByName("star"))?.id, "2");
      const names = await store.tables.snapshot((tables) => tables.getAccountIds(PLATFORM, ["star"]));
      assert.deepEqual(Object.fromEntries(names), { star: "2" });
      await store.writer.write([toUnit(PLATFORM, { accounts: [named("1", NOW + 9)] })]);
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
      await store.writer.write([
        toUnit(PLATFORM, { posts: [...posts, post("undated", { publishedAt: null, soundId: "s" })] }),
      ]);
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
      await store.writer.write([
        toUnit(PLATFORM, { posts: [post("p1", { soundId: "s1", hashtags: ["one", "two"] })] }),
      ]);
      await store.writer.write([
        toUnit(PLATFORM, {
          posts: [post("p1", { soundId: "s2", hashtags: ["two"], publishedAt: SECOND - 9 })],
        }),
      ]);
      assert.equal(await reader().countPosts("sound", "s1"), 0);
      assert.equal(await reader().countPosts("hashtag", "one"), 0);
      assert.deepEqual((await reader().listPosts("sound", "s2", { limit: 5 })).last, { at: SECOND - 9, id: "p1" });
    });

    test("the top posts of a list have the most likes and comments", async () => {
      await store.writer.write([
        toUnit(PLATFORM, {
          posts: [
            post("a", { soundId: "s", counters: { likes: 5 } }),
            post("b", { soundId: "s", counters: { comments: 9 } }),
            post("c", { soundId: "s" }),
          ],
        }),
      ]);
      assert.deepEqual(
        (await reader().listTopPosts("sound", "s", 2)).map(({ id }) => id),
        ["b", "a"],
      );
    });

    test("comments: top-level only, newest or most liked first, unknown likes last", async () => {
      await store.writer.write([
        toUnit(PLATFORM, {
          comments: [
            comment("a", { counters: { likes: 1 } }),
            comment("b", { publishedAt: SECOND + 5, counters: { likes: 7 } }),
            comment("c", { counters: { likes: 0 } }),
            comment("d"),
            comment("reply", { parentId: "a" }),
          ],
        }),
      ]);
      const ids = async (order: "newest" | "top") =>
        (await reader().listComments("p1", order, { limit: 9 })).items.map(({ id }) => id);
      assert.deepEqual(await ids("newest"), ["b", "a", "c", "d"]);
      assert.deepEqual(await ids("top"), ["b", "a", "c", "d"]);
      const page = await reader().listComments("p1", "top", { limit: 2 });
      assert.deepEqual(
        (await reader().listComments("p1", "top", { limit: 2, after: page.last })).items.map(({ id }) => id),
        ["c", "d"],
      );
      assert.deepEqual(await reader().countComments("p1"), { comments: 4, replies: 1, likes: 8 });
      assert.deepEqual(await reader().listCommentKeysets("p1", { likes: 7 }), [{ at: SECOND + 5, id: "b", likes: 7 }]);
      const nearest = await reader().listNearestCommentKeysets("p1", { likes: 0 }, 1);
      assert.deepEqual(nearest.map(({ id }) => id).toSorted(), ["a", "d"]);
      assert.deepEqual(await reader().listNearestCommentKeysets("p1", { at: SECOND }, 9), [
        { at: SECOND + 5, id: "b", likes: 7 },
      ]);
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
      await store.writer.write([
        toUnit(PLATFORM, {
          follows: [follow("a", SECOND - 50), follow("b", null), follow("c", SECOND - 10)],
        }),
      ]);
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
      await store.writer.write([toUnit(PLATFORM, { subtitles: [track(true, "machine"), track(false, "person")] })]);
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
      await store.writer.write([
        toUnit(PLATFORM, {
          charts: [chart("2026-11-14", ["x"]), chart("2026-11-15", ["b", "a", "c"])],
        }),
      ]);
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
      await store.writer.write([toUnit(PLATFORM, capture("same", NOW))]);
      await store.writer.write([toUnit(PLATFORM, capture("same", NOW + 9))]);
      assert.deepEqual(await read(), ["same", NOW + 9, "same", NOW + 9]);
      for (const older of ["between", "same"]) await store.writer.write([toUnit(PLATFORM, capture(older, NOW + 5))]);
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
      await store.writer.write([
        toUnit(PLATFORM, {
          chartEntries: [
            entry("US", "now", "2026-11-15", 40, "a"),
            entry("US", "now", "2026-11-15", 70, "b"),
            // A chart may list a post twice: the better rank counts.
            entry("US", "now", "2026-11-15", 71, "a"),
            entry("US", "now", "2026-11-15", 90, "c"),
            entry("US", "now", "2026-11-14", 3, "c"),
            entry("GB", "music", "2026-11-15", 1, "c"),
          ],
        }),
      ]);
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
      await store.writer.write([
        toUnit(PLATFORM, {
          chartEntries: [
            { ...entry("US", "now", "2026-11-15", 70, "d"), capturedAt: NOW + 5 * HOUR_MS },
            { ...entry("US", "now", "2026-11-15", 90, "b"), capturedAt: NOW + 5 * HOUR_MS },
          ],
        }),
      ]);
      assert.deepEqual((await reader().getChart("US", "now"))?.postIds, ["d", "b"]);
      assert.deepEqual(await reader().listChartRanks("a", {}, 9), []);
      assert.deepEqual(
        (await reader().listChartRanks("b", {}, 9)).map(({ day, rank }) => [day, rank]),
        [["2026-11-15", 2]],
      );
    });

    test("replies to a comment come oldest first, then by id, page by page", async () => {
      const reply = (id: string, at: number, parentId = "c1") => comment(id, { parentId, publishedAt: at });
      await store.writer.write([
        toUnit(PLATFORM, {
          comments: [
            comment("c1"),
            reply("r2", SECOND),
            reply("r1", SECOND),
            reply("r0", SECOND - 9),
            reply("x", 1, "c2"),
          ],
        }),
      ]);
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
      assert.deepEqual([await reader().hasComments("p1"), await reader().hasComments("p9")], [true, false]);
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
      await store.writer.write([toUnit(PLATFORM, { follows: [follow("a", 5), follow("b", 9), follow("c", 5)] })]);
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

    test("a write counts new, updated and unchanged records", async () => {
      const apply = (...posts: AnyRecord[]) =>
        store.writer.write([{ changes: [changes(posts.map(toChange))], merge: replace }]);
      assert.deepEqual(await apply(post("p1"), post("p2")), [
        {
          post: { new: 2, updated: 0, unchanged: 0, erased: 0 },
        },
      ]);
      assert.deepEqual(await apply(post("p1"), post("p2", { text: "now" })), [
        {
          post: { new: 0, updated: 1, unchanged: 1, erased: 0 },
        },
      ]);
    });

    test("each unit has a merge of its own and reads what those before it wrote; a dry run counts each by itself", async () => {
      const units: WriteUnit[] = [
        toUnit(PLATFORM, { posts: [post("p1", { text: "first" })] }),
        { ...toUnit(PLATFORM, { posts: [post("p1", { text: "kept out" })] }), merge: (_kind, stored) => stored },
        toUnit(PLATFORM, { posts: [post("p1", { text: "last" })] }),
      ];
      const count = (change: object) => ({ post: { new: 0, updated: 0, unchanged: 0, erased: 0, ...change } });
      const isNew = count({ new: 1 });
      assert.deepEqual(await store.writer.write(units, { dryRun: true }), [isNew, isNew, isNew]);
      assert.equal(await store.isEmpty(), true);
      const written = await store.writer.write(units);
      assert.deepEqual(written, [isNew, count({ unchanged: 1 }), count({ updated: 1 })]);
      assert.equal((await reader().getPost("p1"))?.text, "last");
      assert.deepEqual(await store.writer.write([]), []);
    });

    test("a write whose checkpoint fails writes nothing, nor does a dry run", async () => {
      const fail = () => {
        throw new Error("checkpoint");
      };
      await assert.rejects(
        store.writer.write([{ changes: [changes([toChange(post("p1"))])], merge: replace, checkpoint: fail }]),
        /checkpoint/,
      );
      assert.deepEqual(
        await store.writer.write([{ changes: [changes([toChange(post("p1"))])], merge: replace }], { dryRun: true }),
        [
          {
            post: { new: 1, updated: 0, unchanged: 0, erased: 0 },
          },
        ],
      );
      assert.equal(await reader().getPost("p1"), null);
      assert.equal((await reader().searchPosts({ text: "x", offset: 0, limit: 1, now: 0 })).items.length, 0);
    });

    test("an account known by name only is merged into its id with everything that refers to it", async () => {
      await store.writer.write([
        toUnit(PLATFORM, {
          accounts: [account("@mira", { name: "mira", counters: { views: 7 } }), account("2")],
          posts: [
            post("p1", { authorId: "@mira", taggedIds: ["@mira", "2"] }),
            post("p2", { authorId: "2", coauthorIds: ["@mira"], publishedAt: SECOND - 9 }),
            post("p3", { authorId: "2", taggedIds: ["@mira"] }),
          ],
          comments: [comment("c1", { authorId: "@mira" })],
          follows: [
            { accountId: "@mira", followerId: "2", since: 5, capturedAt: NOW, source: "test" },
            { accountId: "3", followerId: "@mira", since: 5, capturedAt: NOW, source: "test" },
          ],
        }),
      ]);
      assert.equal(await reader().hasProvisionalAccounts(), true);
      await store.writer.mergePlaceholder(PLATFORM, "@mira", "77", replace);
      await store.writer.write([toUnit(PLATFORM, { accounts: [account("77", { name: "mira" })] })]);
      assert.equal(await reader().hasProvisionalAccounts(), false);
      assert.equal((await reader().getAccountByName("mira"))?.id, "77");
      const [moved, together] = (await reader().listPosts("author", "77", { limit: 5 })).items;
      assert.deepEqual([together?.id, together?.coauthorIds], ["p2", ["77"]]);
      assert.deepEqual([moved?.authorId, moved?.taggedIds], ["77", ["77", "2"]]);
      assert.equal(await reader().countPosts("tagged", "77"), 2);
      assert.deepEqual((await reader().getPost("p3"))?.taggedIds, ["77"]);
      assert.equal((await reader().listComments("p1", "newest", { limit: 1 })).items[0]?.authorId, "77");
      assert.equal(await reader().countFollowers("77"), 1);
      assert.equal(await reader().countFollowing("77"), 1);
      assert.equal((await reader().listCounters("account", "77")).length, 1);
      const sources = [{ platform: PLATFORM, kind: "account" as const }];
      const { facets } = await store.search({ text: "mira", sources, limit: 5, now: SECOND });
      assert.equal(facets[0]?.counted, 1, "found once");
    });

    test("what refers to a name moves to the id also where nothing is stored of the account itself", async () => {
      await store.writer.write([
        toUnit(PLATFORM, {
          posts: [post("p1", { authorId: "@mira" })],
          comments: [comment("c1", { authorId: "@mira" })],
        }),
      ]);
      await store.writer.mergePlaceholder(PLATFORM, "@mira", "77", replace);
      assert.equal((await reader().getPost("p1"))?.authorId, "77");
      assert.equal(await reader().countPosts("author", "77"), 1);
      assert.equal((await reader().getComment("p1", "c1"))?.authorId, "77");
      assert.equal(await reader().getAccount("77"), null);
    });

    test("a former name under which an account was known alone belongs to nobody once it is merged", async () => {
      await store.writer.write([
        toUnit(PLATFORM, {
          accounts: [
            account("@old.name", { name: "Old.Name", capturedAt: NOW - 5 }),
            account("77", { name: "new.name", source: "tool" }),
          ],
        }),
      ]);
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
      await store.writer.write([
        toUnit(PLATFORM, {
          accounts: [account("@mira", { name: "mira" })],
          follows: [
            follow("@mira", "2", null, NOW - 5000, "name"),
            follow("77", "2", SECOND - 90, NOW, "id"),
            follow("@mira", "3", SECOND - 50, NOW, "name"),
            follow("77", "3", null, NOW - 5000, "id"),
            follow("@mira", "4", null, NOW, "name"),
            follow("77", "4", null, NOW - 9000, "id"),
            follow("@mira", "5", SECOND - 70, NOW - 5000, "name"),
            follow("77", "5", null, NOW, "id"),
            follow("@mira", "6", null, NOW - 20_000, "name"),
            follow("77", "6", null, NOW, "id"),
          ],
        }),
      ]);
      await store.writer.mergePlaceholder(PLATFORM, "@mira", "77", replace);
      const { items, last } = await reader().listFollowers("77", { limit: 5 });
      assert.deepEqual(items, [
        follow("77", "4", null, NOW, "name"),
        follow("77", "6", null, NOW, "id"),
        follow("77", "3", SECOND - 50, NOW, "name"),
        follow("77", "5", SECOND - 70, NOW, "id"),
        follow("77", "2", SECOND - 90, NOW, "id"),
      ]);
      assert.equal(last?.at, SECOND - 90);
    });

    test("a source can be deleted and imported again", async () => {
      const demo = { source: "demo" };
      await store.writer.write([
        toUnit(PLATFORM, {
          accounts: [account("1", { name: "stays" }), account("2", { name: "gone", ...demo })],
          posts: [
            post("p1", { text: "tea" }),
            post("p2", { text: "tea", authorId: "2", soundId: "s", counters: { views: 1 }, ...demo }),
          ],
          comments: [comment("c1"), comment("c2", demo)],
          follows: [{ accountId: "1", followerId: "2", since: 5, capturedAt: NOW, ...demo }],
        }),
      ]);
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
      await store.writer.write([toUnit(PLATFORM, { posts: [post("p2")] })]);
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

    test("ended sessions are kept until they would have ended, by token, and all of a token end at once", async () => {
      const { tokens } = store;
      const endsOf = async (keyId: string) => {
        const { epoch, ended } = await tokens.getSessionEnds(keyId);
        return [epoch, ...ended.toSorted()];
      };
      assert.deepEqual(await endsOf("environment"), [0]);
      await tokens.endSession("environment", "one", 100, 10);
      await tokens.endSession("environment", "one", 100, 10);
      await tokens.endSession("environment", "two", 200, 20);
      await tokens.endSession("other", "one", 100, 10);
      assert.deepEqual(await endsOf("environment"), [0, "one", "two"]);
      await tokens.endSession("environment", "three", 300, 100);
      assert.deepEqual(await endsOf("environment"), [0, "three", "two"]);
      await tokens.endAllSessions("environment");
      assert.deepEqual(await endsOf("environment"), [1]);
      await tokens.endSession("environment", "four", 400, 100);
      await tokens.endAllSessions("environment");
      assert.deepEqual([await endsOf("environment"), await endsOf("other")], [[2], [0, "one"]]);
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
        const { digest, expiresAt, revokedAt, replacedBy } = (await tokens.getToken(keyId)) ?? {};
        return { digest, expiresAt, revokedAt, replacedBy };
      };
      for (const keyId of ["a", "b", "c", "d"]) await issue(keyId);
      const outcomes = await Promise.all(
        ["c", "d"].map((successor) => tokens.replaceToken("a", successor, 9, `by ${successor}`)),
      );
      assert.equal(outcomes.filter((isReplaced) => isReplaced).length, 1);
      const replaced = await stateOf("a");
      assert.deepEqual([replaced.expiresAt, replaced.revokedAt], [9, null]);
      assert.equal(replaced.digest, `by ${replaced.replacedBy}`);
      await tokens.revokeToken("a", 3);
      await tokens.revokeToken("a", 4);
      assert.deepEqual(await stateOf("a"), { ...replaced, digest: "", revokedAt: 3 });
      await tokens.revokeToken("b", 5);
      assert.equal(await tokens.replaceToken("b", "c", 9, "e"), false);
      assert.deepEqual(await stateOf("b"), { digest: "", expiresAt: null, revokedAt: 5, replacedBy: null });
      await tokens.sealToken("c", "other", "sealed");
      assert.equal((await stateOf("c")).digest, "d");
      await tokens.sealToken("c", "d", "sealed");
      assert.equal((await stateOf("c")).digest, "sealed");
      assert.equal(await tokens.replaceToken("x", "c", 9, "e"), false);
      await tokens.revokeToken("x", 5);
      assert.equal(await tokens.getToken("x"), null);
    });

    test("an empty store reports that it is empty, responds to ping and verifies", async () => {
      assert.equal(await store.isEmpty(), true);
      await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")], comments: [comment("c")] })]);
      assert.equal(await store.isEmpty(), false);
      await store.ping();
      assert.deepEqual((await store.summary()).records, { [PLATFORM]: { comment: 1, post: 1 } });
      assert.deepEqual(await store.verify(), []);
    });

    test("a summary counts by source and by the day of the newest capture, for 30 days", async () => {
      const daysAgo = (days: number) => NOW - days * DAY_MS;
      const at = (days: number, source: string) => ({ capturedAt: daysAgo(days), source });
      await store.writer.write([
        toUnit(PLATFORM, {
          posts: [post("p1", at(0, "a")), post("p2", at(29, "a")), post("p3", at(30, "a")), post("p4", at(29, "b"))],
          comments: [comment("c1", at(29, "a")), comment("c2", at(-2, "b"))],
        }),
      ]);
      await store.writer.write([toUnit("other", { posts: [post("p1", at(1, "a"))] })]);
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
