/** GET /api/history: how the counters of one record changed, over HTTP, on records that are known by name. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Compile } from "typebox/compile";
import type { CounterPoint } from "#domain/record.ts";
import { DAY_MS } from "#domain/time.ts";
import type { ErrorCode } from "#errors";
import type { Batch } from "#store/write/port.ts";
import { startTestServer, query, type TestServer } from "./test-server.ts";
import { assertParameterProblem, assertProblem } from "./problem.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import { requestOperation, operationNamed } from "./http-client.ts";
import { anAccount, aPost } from "./world.ts";

const FIRST = Date.parse("2026-03-01T06:30:00Z");

const provenance = { capturedAt: FIRST, source: "test" };

function point(day: number, counters: CounterPoint["counters"]): CounterPoint {
  return { capturedAt: FIRST + day * DAY_MS, counters };
}

const GROWING = "7300000000000000042";
const BUSY = "7300000000000000043";
const NAMELESS = "7300000000000000044";
const UNDATED = "7300000000000000045";

const SHORT: Batch = {
  accounts: [
    anAccount("6800000000000000042", "Noor.Lindgren", { counters: { followers: 10, saves: 70 }, capturedAt: FIRST }),
    anAccount("@wanda.osei", "wanda.osei", { counters: { followers: 3 }, capturedAt: FIRST }),
  ],
  posts: [
    aPost(GROWING, { title: "Kites", counters: { views: 100, likes: 7 }, capturedAt: FIRST }),
    aPost(BUSY, { counters: { views: 0 }, capturedAt: FIRST }),
    aPost(NAMELESS, { authorId: "6800000000000000042", counters: { views: 5 }, capturedAt: FIRST }),
    aPost(UNDATED, { counters: { views: 6 }, capturedAt: 0 }),
  ],
  sounds: [
    {
      id: "7100000000000000042",
      title: "Wind",
      artistName: null,
      artistId: null,
      durationS: null,
      counters: { posts: 12 },
      native: {},
      ...provenance,
    },
  ],
  hashtags: [
    { id: "kitefestival", name: "KiteFestival", platformId: null, counters: { views: 9 }, native: {}, ...provenance },
  ],
  history: [
    {
      kind: "post",
      id: GROWING,
      points: [
        point(1, { views: 150, likes: 9 }),
        point(2, { views: 140, shares: 2 }),
        point(3, { views: 400, likes: 8, shares: 2 }),
      ],
    },
    {
      kind: "post",
      id: BUSY,
      points: Array.from({ length: 1_004 }, (_, index) => point(index + 1, { views: index + 1 })),
    },
  ],
};

interface Body {
  id: string | null;
  name: string | null;
  points: { at: number | null; captured_at: string | null; counters: Record<string, number> }[];
  truncated: boolean;
  growth: { from: number | null; to: number | null; counters: Record<string, object> };
}

describe("history", () => {
  let server: TestServer;
  let desk: TokenIssuer;
  before(async () => {
    server = await startTestServer([{ platform: "shortvideo", batch: SHORT }], { RATE_LIMIT: "off" });
    desk = await openTokenIssuer(server);
  });
  after(async () => {
    await desk.close();
    await server.close();
  });

  const strict = Compile(operationNamed("history").endpoint.output);

  async function historyOf(kind: string, id: string, more: Record<string, string> = {}): Promise<Body> {
    const body = await server.json<Body>(`/api/history?${query({ platform: "shortvideo", kind, id, ...more })}`);
    assert.deepEqual(strict.Errors(body), []);
    return body;
  }

  test("a post's captures come oldest first, each with what it showed and no more", async () => {
    const at = (day: number) => FIRST / 1000 + day * 86_400;
    assert.deepEqual(await historyOf("post", GROWING), {
      platform: "shortvideo",
      kind: "post",
      id: GROWING,
      name: "Kites",
      points: [
        { at: at(0), captured_at: "2026-03-01T06:30:00.000Z", counters: { views: 100, likes: 7 } },
        { at: at(1), captured_at: "2026-03-02T06:30:00.000Z", counters: { views: 150, likes: 9 } },
        { at: at(2), captured_at: "2026-03-03T06:30:00.000Z", counters: { views: 140, shares: 2 } },
        { at: at(3), captured_at: "2026-03-04T06:30:00.000Z", counters: { views: 400, likes: 8, shares: 2 } },
      ],
      truncated: false,
      growth: {
        from: at(0),
        to: at(3),
        counters: {
          views: { first: 100, last: 400, change: 300 },
          likes: { first: 7, last: 8, change: 1 },
          shares: { first: 2, last: 2, change: 0 },
        },
      },
    });
  });

  test("since is the first day and until the day after the last, both in UTC", async () => {
    const days = async (more: Record<string, string>) =>
      (await historyOf("post", GROWING, more)).points.map(({ captured_at }) => captured_at?.slice(0, 10));
    assert.deepEqual(await days({ since: "2026-03-02", until: "2026-03-04" }), ["2026-03-02", "2026-03-03"]);
    assert.deepEqual(await days({ since: "2026-03-04" }), ["2026-03-04"]);
    assert.deepEqual(await days({ until: "2026-03-02" }), ["2026-03-01"]);
    const none = await historyOf("post", GROWING, { since: "2026-03-05" });
    assert.deepEqual(none.points, []);
    assert.deepEqual(none.growth, { from: null, to: null, counters: {} });
  });

  test("of more than a thousand points the newest come, and the answer says so", async () => {
    const { points, truncated, growth } = await historyOf("post", BUSY);
    assert.equal(points.length, 1_000);
    assert.equal(truncated, true);
    assert.deepEqual(growth.counters, { views: { first: 5, last: 1_004, change: 999 } });
    assert.equal((await historyOf("post", BUSY, { until: "2026-04-01" })).truncated, false);
  });

  test("an account is found by id, by name and by @name; a hashtag with and without #; a sound by id", async () => {
    for (const id of ["6800000000000000042", "noor.lindgren", "@Noor.Lindgren"]) {
      const found = await historyOf("account", id);
      assert.deepEqual([found.id, found.name], ["6800000000000000042", "Noor.Lindgren"], id);
      assert.deepEqual(found.growth.counters, { followers: { first: 10, last: 10, change: 0 } });
      assert.deepEqual(
        found.points.map(({ counters }) => counters),
        [{ followers: 10 }],
      );
    }
    for (const id of ["kitefestival", "#KiteFestival"]) {
      const found = await historyOf("hashtag", id);
      assert.deepEqual([found.id, found.name], ["kitefestival", "KiteFestival"], id);
    }
    const sound = await historyOf("sound", "7100000000000000042");
    assert.deepEqual([sound.name, sound.points.map(({ counters }) => counters)], ["Wind", [{ posts: 12 }]]);
  });

  test("who is known by name only has no id to show", async () => {
    const found = await historyOf("account", "wanda.osei");
    assert.deepEqual([found.id, found.name, found.points.length], [null, "wanda.osei", 1]);
  });

  test("a capture of unknown time has none", async () => {
    const { points, growth } = await historyOf("post", UNDATED);
    assert.deepEqual(points, [{ at: null, captured_at: null, counters: { views: 6 } }]);
    assert.deepEqual([growth.from, growth.to], [null, null]);
  });

  test("Last-Modified is the newest capture in the answer", async () => {
    const response = await server.get(`/api/history?${query({ platform: "shortvideo", kind: "post", id: GROWING })}`);
    assert.equal(response.headers.get("last-modified"), "Wed, 04 Mar 2026 06:30:00 GMT");
  });

  test("what is not held is the 404 of its kind", async () => {
    const codes: [string, ErrorCode][] = [
      ["account", "account_not_found"],
      ["post", "post_not_found"],
      ["sound", "sound_not_found"],
      ["hashtag", "hashtag_not_found"],
    ];
    for (const [kind, code] of codes)
      assertProblem(
        await requestOperation(server.url, "history", { platform: "shortvideo", kind, id: "nobody" }),
        code,
        kind,
      );
    const elsewhere = await requestOperation(server.url, "history", {
      platform: "longvideo",
      kind: "post",
      id: GROWING,
    });
    assertProblem(elsewhere, "post_not_found");
  });

  test("kinds and platforms that there are not are refused with those that there are", async () => {
    const asked = { platform: "shortvideo", kind: "post", id: GROWING };
    const kind = await requestOperation(server.url, "history", { ...asked, kind: "comment" });
    assert.match(
      assertParameterProblem(kind, "invalid_parameter", { in: "query", parameter: "kind" }).detail,
      /account, post, sound, hashtag/,
    );
    const platform = await requestOperation(server.url, "history", { ...asked, platform: "radio" });
    assert.match(
      assertParameterProblem(platform, "invalid_parameter", { in: "query", parameter: "platform" }).detail,
      /must be one of longvideo, photoshare, shortvideo/,
    );
  });

  test("a token reads the histories of its own platforms only", async () => {
    const asked = { platform: "shortvideo", kind: "post", id: GROWING };
    const own = await desk.issue({ scopes: ["read:shortvideo"] });
    assert.equal((await requestOperation(server.url, "history", asked, bearerHeader(own.token))).status, 200);
    const other = await desk.issue({ scopes: ["read:longvideo"] });
    const refused = await requestOperation(server.url, "history", asked, bearerHeader(other.token));
    assertProblem(refused, "insufficient_scope");
    assert.match(refused.header("www-authenticate") ?? "", /scope="read:shortvideo"$/);
    // The name is wrong for every client.
    const unknown = await requestOperation(
      server.url,
      "history",
      { ...asked, platform: "radio" },
      bearerHeader(other.token),
    );
    assertParameterProblem(unknown, "invalid_parameter", { in: "query", parameter: "platform" });
  });

  test("an erased account takes its history and that of its posts with it", async () => {
    const asked = (kind: string, id: string) =>
      requestOperation(server.url, "history", { platform: "shortvideo", kind, id });
    assert.equal((await asked("post", NAMELESS)).status, 200);
    const store = await server.openStore();
    await store.writer.erase("shortvideo", "account", "6800000000000000042");
    await store.close();
    assertProblem(await asked("account", "noor.lindgren"), "account_not_found");
    assertProblem(await asked("post", NAMELESS), "post_not_found");
  });
});
