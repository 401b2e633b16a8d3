/** GET /api/search: one search over all platforms and kinds, over HTTP, on records that are known by name. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Compile } from "typebox/compile";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Batch } from "#store/write/port.ts";
import { startTestServer, query, type TestServer } from "./test-server.ts";
import { assertParameterProblem, assertProblem } from "./problem.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import { runCommand } from "./run-command.ts";
import { requestOperation, operationNamed } from "./http-client.ts";
import { aComment, anAccount, aPost, CAPTURED_AT, CHANNEL, T0, WORLD } from "./world.ts";

const provenance = { capturedAt: CAPTURED_AT, source: "test" };

interface Result {
  platform: string;
  kind: string;
  id: string | null;
  matched: string;
  score: number;
  name: string | null;
  title: string | null;
  text: string | null;
  author_id: string | null;
  post_id: string | null;
  language: string | null;
  published_at: number | null;
  start_s: number | null;
  end_s: number | null;
  counters: Record<string, number>;
}

type Tally = { value: string; count?: number }[];

interface Body {
  query: string;
  corrected: string | null;
  matched: string | null;
  ignored: { term: string; reason: string }[];
  results: Result[];
  posts: { platform: string; id: string; hashtags: string[]; text: string | null }[];
  authors: { platform: string; name: string | null; counters: object }[];
  facets: Record<"platform" | "kind" | "hashtag" | "language" | "month", Tally> & {
    author: { platform: string; value: string; count?: number }[];
  };
  facets_counted: number;
  facets_complete: boolean;
  continuation_token: string;
}

const FERRY = aPost("ferryVideo01", {
  authorId: "UCferry",
  title: "A winter on the ferry",
  text: "The ferry crosses at dawn. ".repeat(20),
  publishedAt: T0,
  language: "en",
  hashtags: ["Ferry", "harbour"],
  counters: { views: 900, likes: 30 },
});

const SMALL: { platform: string; batch: Batch }[] = [
  {
    platform: "longvideo",
    batch: {
      accounts: [anAccount("UCferry", "ferrylines", { displayName: "Ferry Lines", bio: "We film each ferry." })],
      posts: [FERRY],
      comments: [aComment("Ug1", FERRY.id, { authorId: "UCguest", text: "I miss that ferry", counters: { likes: 2 } })],
      subtitles: [
        {
          postId: FERRY.id,
          language: "en",
          automatic: true,
          lines: [
            { startS: 0, durationS: 2, text: "Good morning." },
            { startS: 61.4, durationS: 3.2, text: "Here the ferry turns into the wind." },
            { startS: 70, durationS: 2, text: "Hold on." },
          ],
          ...provenance,
        },
      ],
    },
  },
  {
    platform: "shortvideo",
    batch: {
      accounts: [
        anAccount("@odd.marlow", "odd.marlow", {
          displayName: "Odd Marlow on a ferry",
          counters: { followers: 3, saves: 900 },
        }),
      ],
      posts: [
        aPost("7300000000000000901", {
          authorId: "6800000000000000901",
          text: "ferry at night",
          publishedAt: T0 + 40 * 86_400,
          language: "no",
          hashtags: ["FERRY"],
        }),
        aPost("7300000000000000902", {
          authorId: "@odd.marlow",
          text: "ferry at noon",
          publishedAt: T0 + 41 * 86_400,
          language: "en",
          hashtags: [],
        }),
        aPost("7300000000000000903", { text: "ferri, twice" }),
      ],
      sounds: [
        {
          id: "7100000000000000901",
          title: "Ferry Horn",
          artistName: "Ida Quist",
          artistId: null,
          durationS: 9,
          counters: { posts: 3 },
          native: {},
          ...provenance,
        },
      ],
    },
  },
  {
    platform: "photoshare",
    batch: {
      hashtags: [{ id: "ferry", name: "Ferry", platformId: "1784", counters: {}, native: {}, ...provenance }],
      places: [
        {
          id: "880901",
          name: "Ferry Pier",
          latitude: null,
          longitude: null,
          address: "Secret Street 9",
          city: "Bergen",
          counters: {},
          native: {},
          ...provenance,
        },
      ],
    },
  },
];

const strict = Compile(operationNamed("search").endpoint.output);

async function find(server: TestServer, parameters: Record<string, string | number>): Promise<Body> {
  const body = await server.json<Body>(`/api/search?${query(parameters)}`);
  assert.deepEqual(strict.Errors(body), []);
  return body;
}

/** Enough to tell any two results of these worlds apart. */
function keyOf({ platform, kind, id, post_id, language }: Result): string {
  return [platform, kind, id ?? "", post_id ?? "", id === null ? language : ""].join(" ");
}

describe("search across platforms", () => {
  let server: TestServer;
  let desk: TokenIssuer;
  before(async () => {
    server = await startTestServer(SMALL, { RATE_LIMIT: "off" });
    desk = await openTokenIssuer(server);
  });
  after(async () => {
    await desk.close();
    await server.close();
  });

  test("finds every kind on every platform, best first, with nothing more to come", async () => {
    const { results, continuation_token, corrected } = await find(server, { q: "ferry" });
    assert.deepEqual(results.map(({ platform, kind }) => `${platform} ${kind}`).toSorted(), [
      "longvideo account",
      "longvideo comment",
      "longvideo post",
      "longvideo subtitle",
      "photoshare hashtag",
      "photoshare place",
      "shortvideo account",
      "shortvideo post",
      "shortvideo post",
      "shortvideo sound",
    ]);
    const scores = results.map(({ score }) => score);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
    assert.equal(continuation_token, "");
    assert.equal(corrected, null);
  });

  test("a post comes with what is known of it and the beginning of its text", async () => {
    const { results } = await find(server, { q: "winter ferry", kind: "post", platform: "longvideo" });
    const [{ text, score, ...post } = assert.fail("nothing found")] = results;
    assert.deepEqual(post, {
      platform: "longvideo",
      kind: "post",
      id: FERRY.id,
      matched: "all",
      name: null,
      title: FERRY.title,
      author_id: "UCferry",
      post_id: null,
      language: "en",
      country: null,
      published_at: T0,
      start_s: null,
      end_s: null,
      counters: { views: 900, likes: 30 },
      captured_at: new Date(CAPTURED_AT).toISOString(),
      source: "test",
    });
    assert.ok(score > 0);
    assert.equal(text?.length, 300);
    assert.equal(text, `${FERRY.text?.slice(0, 299)}…`);
  });

  test("with expand=posts, the posts among the results come whole, with their authors", async () => {
    const { results, posts, authors } = await find(server, { q: "ferry", expand: "posts" });
    const found = results.filter(({ kind }) => kind === "post");
    assert.deepEqual(
      posts.map(({ platform, id }) => [platform, id]),
      found.map(({ platform, id }) => [platform, id]),
    );
    assert.deepEqual(posts.find(({ id }) => id === FERRY.id)?.hashtags, FERRY.hashtags);
    assert.equal(posts.find(({ id }) => id === FERRY.id)?.text, FERRY.text, "all of its text");
    assert.deepEqual(authors.map(({ name }) => String(name)).toSorted(), ["ferrylines", "odd.marlow"]);
    assert.deepEqual(authors.find(({ name }) => name === "odd.marlow")?.counters, { followers: 3 });
    const plain = await find(server, { q: "ferry" });
    assert.deepEqual([plain.posts, plain.authors], [[], []]);
    assert.deepEqual(
      plain.results.map(({ id }) => id),
      results.map(({ id }) => id),
    );
  });

  test("a subtitle comes with its line and the second at which it is spoken", async () => {
    const { results } = await find(server, { q: "ferry wind", kind: "subtitle" });
    assert.deepEqual(
      results.map(({ post_id, text, start_s, end_s, language, id }) => ({
        post_id,
        text,
        start_s,
        end_s,
        language,
        id,
      })),
      [
        {
          post_id: FERRY.id,
          text: "Here the ferry turns into the wind.",
          start_s: 61.4,
          end_s: 64.6,
          language: "en",
          id: null,
        },
      ],
    );
  });

  test("a comment names its post; who is known by name only has no id; a place shows its city, not its street", async () => {
    const { results } = await find(server, { q: "ferry" });
    const of = (platform: string, kind: string) =>
      results.filter((one) => one.platform === platform && one.kind === kind);
    assert.deepEqual(
      of("longvideo", "comment").map(({ id, post_id, author_id }) => [id, post_id, author_id]),
      [["Ug1", FERRY.id, "UCguest"]],
    );
    assert.deepEqual(
      of("shortvideo", "account").map(({ id, name, title, counters }) => [id, name, title, counters]),
      [[null, "odd.marlow", "Odd Marlow on a ferry", { followers: 3 }]],
      "likes that an account gave are no saves",
    );
    assert.equal(of("shortvideo", "post").find(({ text }) => text === "ferry at noon")?.author_id, null);
    assert.deepEqual(
      of("photoshare", "place").map(({ title, text }) => [title, text]),
      [["Ferry Pier", "Bergen"]],
    );
    assert.ok(!JSON.stringify(results).includes("Secret Street"));
  });

  test("facets count what all matches have in common, by count, then by value", async () => {
    const { facets, facets_counted, facets_complete } = await find(server, { q: "ferry", kind: "post", limit: 1 });
    assert.deepEqual(facets, {
      platform: [
        { value: "shortvideo", count: 2 },
        { value: "longvideo", count: 1 },
      ],
      kind: [{ value: "post", count: 3 }],
      author: [
        { platform: "shortvideo", value: "6800000000000000901", count: 1 },
        { platform: "longvideo", value: "UCferry", count: 1 },
      ],
      hashtag: [
        { value: "ferry", count: 2 },
        { value: "harbour", count: 1 },
      ],
      language: [
        { value: "en", count: 2 },
        { value: "no", count: 1 },
      ],
      month: [
        { value: "2023-12", count: 2 },
        { value: "2023-11", count: 1 },
      ],
    });
    assert.deepEqual([facets_counted, facets_complete], [3, true]);
    const all = await find(server, { q: "ferry" });
    assert.equal(all.facets_counted, all.results.length);
    assert.deepEqual(all.facets.platform, [
      { value: "longvideo", count: 4 },
      { value: "shortvideo", count: 4 },
      { value: "photoshare", count: 2 },
    ]);
  });

  test("later pages count the same facets and go on with the same kinds", async () => {
    const first = await find(server, { q: "ferry", limit: 3 });
    const { continuation_token } = first;
    const second = await find(server, { q: "ferry", limit: 3, continuation_token });
    assert.deepEqual(second.facets, first.facets);
    assert.equal(second.facets_counted, first.facets_counted);
  });

  test("platform and kind narrow, in any case", async () => {
    const { results } = await find(server, { q: "ferry", platform: "ShortVideo", kind: "POST" });
    assert.deepEqual(new Set(results.map(({ platform, kind }) => `${platform} ${kind}`)), new Set(["shortvideo post"]));
  });

  test("a spelling that matches nothing is corrected, and the answer says so in body and header", async () => {
    const response = await server.get("/api/search?q=winter%20fery");
    const body = (await response.json()) as Body;
    assert.equal(body.corrected, "winter ferry");
    assert.equal(response.headers.get("search-corrected"), "winter%20ferry");
    assert.equal(body.results[0]?.id, FERRY.id);
    const unchanged = await server.get("/api/search?q=winter%20fery", {
      "if-none-match": response.headers.get("etag") ?? "",
    });
    assert.equal(unchanged.status, 304);
    assert.equal(unchanged.headers.get("search-corrected"), "winter%20ferry");
    assert.equal((await server.get("/api/search?q=winter%20ferry")).headers.get("search-corrected"), null);
  });

  test("where anything matches as typed, nothing comes that only another spelling would find", async () => {
    const alone = await find(server, { q: "ferri", platform: "longvideo" });
    assert.equal(alone.corrected, "ferry");
    const all = await find(server, { q: "ferri" });
    assert.equal(all.corrected, null);
    assert.deepEqual(
      all.results.map(({ platform, text }) => [platform, text]),
      [["shortvideo", "ferri, twice"]],
    );
    assert.equal(all.facets_counted, 1);
  });

  test("the command line gives the same answer, and the headers beside it on standard error", async () => {
    const { code, stdout, stderr } = await runCommand(["get", "search", "q=winter fery", "--compact"], server.env);
    assert.deepEqual([code, stderr], [0, "Search-Corrected: winter%20ferry\n"]);
    const { results } = await find(server, { q: "winter fery" });
    assert.deepEqual((JSON.parse(stdout) as Body).results.map(keyOf), results.map(keyOf));
  });

  test("a sentence finds records with some of its words, each marked, and header and body say so", async () => {
    const best = await find(server, { q: "which winter ferry has the best coffee on board" });
    assert.deepEqual([best.results[0]?.id, best.matched], [FERRY.id, "some"]);
    const sentence = "quokka on a ferry";
    const response = await server.get(`/api/search?${query({ q: sentence, limit: 2 })}`);
    const body = (await response.json()) as Body;
    assert.equal(response.headers.get("search-matched"), "some");
    assert.deepEqual([body.matched, body.corrected, body.facets_complete], ["some", null, false]);
    const walked = [body];
    for (let page = body; page.continuation_token !== ""; walked.push(page))
      page = await find(server, { q: sentence, limit: 2, continuation_token: page.continuation_token });
    const results = walked.flatMap((page) => page.results);
    assert.ok(walked.length > 1 && walked.every(({ matched }) => matched === "some"), `${walked.length} pages`);
    assert.deepEqual(new Set(results.map(({ matched }) => matched)), new Set(["some"]));
    assert.equal(new Set(results.map(keyOf)).size, results.length);
    const whole = await find(server, { q: sentence, limit: 50 });
    assert.deepEqual(results.map(keyOf), whole.results.map(keyOf));
    for (const counts of Object.values(whole.facets).flat()) assert.ok(!("count" in counts), counts.value);

    const full = await find(server, { q: "winter ferry" });
    assert.deepEqual([full.matched, ...full.results.map(({ matched }) => matched)], ["all", "all"]);
    for (const path of [
      "/api/shortvideo/search/general?keyword=quokka+ferry",
      "/api/longvideo/search?query=quokka+ferry",
    ]) {
      assert.equal((await server.get(path)).headers.get("search-matched"), "some", path);
      assert.equal((await server.get(path.replace("quokka+", ""))).headers.get("search-matched"), null, path);
    }
    const photos = await server.post("/api/photoshare/search", { search_query: "quokka ferry" });
    assert.equal(photos.headers.get("search-matched"), "some");
    assert.deepEqual(
      ((await photos.json()) as { hashtags: { hashtag: { name: string } }[] }).hashtags.map(
        ({ hashtag }) => hashtag.name,
      ),
      ["Ferry"],
    );
  });

  test("an operator that cannot be read is named with the reason and not searched", async () => {
    for (const term of ["sort:views", "since:yesterday", 'order:"most viewed"', "-since:2026"]) {
      const body = await find(server, { q: `winter ${term} ferry` });
      assert.deepEqual(
        [body.results.map(({ id }) => id), body.matched, body.ignored.map((ignored) => ignored.term)],
        [[FERRY.id], "all", [term]],
      );
      assert.ok((body.ignored[0]?.reason.length ?? 0) > 10);
    }
    const both = encodeURIComponent("sort:views ferry since:yesterday");
    for (const path of [
      `/api/search?q=${both}`,
      `/api/shortvideo/search/general?keyword=${both}`,
      `/api/longvideo/search?query=${both}`,
    ]) {
      const { headers } = await server.get(path);
      assert.equal(headers.get("search-ignored"), "sort%3Aviews, since%3Ayesterday", path);
    }
    const photos = await server.post("/api/photoshare/search", { search_query: "ferry sort:views" });
    assert.equal(photos.headers.get("search-ignored"), "sort%3Aviews");
    for (const text of ['"sort:views"', "re:zero", "10:30", "http://ferry.example/", "note: this"]) {
      const { ignored } = await find(server, { q: `winter ${text} ferry` });
      assert.deepEqual(ignored, [], text);
    }
    const alone = await find(server, { q: "sort:views" });
    assert.deepEqual([alone.results, alone.matched, alone.ignored.length], [[], null, 1]);
  });

  test("nothing found is an empty answer", async () => {
    const body = await find(server, { q: "zzzzqqqq" });
    assert.deepEqual(body.results, []);
    assert.deepEqual([body.facets_counted, body.facets_complete, body.continuation_token], [0, true, ""]);
    for (const tally of Object.values(body.facets)) assert.deepEqual(tally, []);
  });

  test("a token sees the platforms of its scopes, and asking for another is not allowed", async () => {
    const { token } = await desk.issue({ scopes: ["read:longvideo", "read:personal"] });
    const seen = await requestOperation(server.url, "search", { q: "ferry" }, bearerHeader(token));
    const { results, facets } = JSON.parse(seen.text) as Body;
    assert.deepEqual(new Set(results.map(({ platform }) => platform)), new Set(["longvideo"]));
    assert.deepEqual(facets.platform, [{ value: "longvideo", count: 4 }]);
    const refused = await requestOperation(
      server.url,
      "search",
      { q: "ferry", platform: "photoshare" },
      bearerHeader(token),
    );
    assertProblem(refused, "insufficient_scope");
    assert.equal(
      refused.header("www-authenticate"),
      'Bearer realm="triptych", error="insufficient_scope", scope="read:photoshare"',
    );
  });

  test("a search session that started with more scopes continues with the remaining ones", async () => {
    const { token } = await desk.issue({ scopes: ["read:longvideo"] });
    const { continuation_token } = await find(server, { q: "ferry", limit: 1 });
    const answer = await requestOperation(
      server.url,
      "search",
      { q: "ferry", continuation_token },
      bearerHeader(token),
    );
    const { results } = JSON.parse(answer.text) as Body;
    assert.ok(results.length > 0);
    assert.ok(results.every(({ platform }) => platform === "longvideo"));
  });

  test("a token that reads no platform may not search", async () => {
    const { token } = await desk.issue({ scopes: ["read:personal", "export", "admin"] });
    const refused = await requestOperation(server.url, "search", { q: "ferry" }, bearerHeader(token));
    const { detail } = assertProblem(refused, "insufficient_scope");
    for (const scope of ["read:shortvideo", "read:longvideo", "read:photoshare"]) assert.ok(detail.includes(scope));
  });

  test("platforms and kinds that there are not are refused with those that there are", async () => {
    const platform = await requestOperation(server.url, "search", { q: "ferry", platform: "radio" });
    assert.match(
      assertParameterProblem(platform, "invalid_parameter", { in: "query", parameter: "platform" }).detail,
      /must be one of longvideo, photoshare, shortvideo/,
    );
    const kind = await requestOperation(server.url, "search", { q: "ferry", kind: "story" });
    assert.match(
      assertParameterProblem(kind, "invalid_parameter", { in: "query", parameter: "kind" }).detail,
      /post, account, hashtag, sound, place, comment, subtitle/,
    );
  });

  test("a page token belongs to its query, platform and kind, and cannot be changed", async () => {
    const asked = { q: "ferry", limit: "1" };
    const { continuation_token } = await find(server, asked);
    assert.notEqual(continuation_token, "");
    const last = continuation_token.at(-1) === "A" ? "B" : "A";
    for (const wrong of [
      { ...asked, q: "ferry " },
      { ...asked, platform: "longvideo" },
      { ...asked, kind: "post" },
      { ...asked, continuation_token: continuation_token.slice(0, -1) + last },
      { ...asked, continuation_token: continuation_token.slice(0, -4) },
    ]) {
      assertParameterProblem(
        await requestOperation(server.url, "search", { continuation_token, ...wrong }),
        "invalid_cursor",
        { in: "query", parameter: "continuation_token" },
        JSON.stringify(wrong).slice(0, 80),
      );
    }
    // The size of a page may change on the way.
    assert.ok((await find(server, { q: "ferry", limit: 5, continuation_token })).results.length > 1);
  });
});

describe("walking a search across platforms", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  async function walk(
    limit: number,
    between: (page: number) => Promise<void> = async () => undefined,
  ): Promise<string[]> {
    const seen: string[] = [];
    let continuation_token = "";
    for (let page = 0; page < 200; page++) {
      const body = await find(server, { q: "lantern", limit, continuation_token });
      assert.ok(body.results.length <= limit);
      seen.push(...body.results.map(keyOf));
      ({ continuation_token } = body);
      if (continuation_token === "") return seen;
      assert.equal(body.results.length, limit, "only the last page may be short");
      await between(page);
    }
    return assert.fail("the walk does not end");
  }

  test("gives each match once, in the same order whatever the size of the pages", async () => {
    const whole = await walk(50);
    assert.equal(new Set(whole).size, whole.length);
    assert.equal(whole.filter((key) => key.startsWith("shortvideo post")).length, 38);
    assert.equal(whole.filter((key) => key.startsWith("longvideo post")).length, 47);
    assert.deepEqual(await walk(7), whole);
  });

  test("gives each match that was there once while a writer adds and raises others", async () => {
    const started = await walk(50);
    const store = await server.openStore();
    try {
      const seen = await walk(6, async (page) => {
        await store.writer.write([
          toUnit("longvideo", {
            posts: [aPost(`late-${page}`, { title: "Lantern lantern", counters: { views: 1e9 } })],
          }),
        ]);
        await store.writer.write([
          toUnit("shortvideo", {
            posts: [aPost(`late-${page}`, { text: "lantern" })],
            accounts: [anAccount(`late-${page}`, `lantern.${page}`, { counters: { followers: 1e8 } })],
          }),
        ]);
      });
      assert.equal(new Set(seen).size, seen.length, "nothing comes twice");
      assert.deepEqual(seen.toSorted(), started.toSorted(), "nothing is lost, and nothing late comes in");
    } finally {
      await store.close();
    }
  });

  test("who is erased on the way is gone from the next page on, and all others still come", async () => {
    const store = await server.openStore();
    try {
      const seen = await walk(10, async (page) => {
        if (page === 0) await store.writer.erase("longvideo", "account", CHANNEL.id);
      });
      assert.deepEqual(
        seen.slice(10).filter((key) => key.startsWith("longvideo post world")),
        [],
      );
      assert.equal(seen.filter((key) => key.startsWith("shortvideo post 73")).length, 38);
    } finally {
      await store.close();
    }
  });
});

test("a count that may be too low is left out, and months are in the order of time", async () => {
  const months = ["2025-11", "2026-01", "2025-12"].map((month) => Date.parse(`${month}-15T12:00:00Z`) / 1000);
  const dated = (id: string, month: number, more: object) =>
    aPost(id, { text: "harbour", publishedAt: months[month] ?? 0, ...more });
  const batches = [
    {
      platform: "shortvideo",
      batch: {
        posts: Array.from({ length: 300 }, (_, index) =>
          dated(`s${index}`, index % 3 === 0 ? 0 : 1, { language: "en" }),
        ),
        accounts: [anAccount("6800000000000000077", "harbour.watch")],
      },
    },
    {
      platform: "photoshare",
      batch: { posts: [0, 1, 2].map((month) => dated(`p${month}`, month, { language: "de" })) },
    },
  ];
  const server = await startTestServer(batches, { RATE_LIMIT: "off" });
  try {
    const all = await find(server, { q: "harbour" });
    assert.equal(all.facets_complete, false);
    assert.ok(all.facets_counted < 304);
    assert.deepEqual(all.facets.platform, [{ value: "shortvideo" }, { value: "photoshare", count: 3 }]);
    assert.deepEqual(all.facets.kind, [{ value: "post" }, { value: "account", count: 1 }]);
    assert.deepEqual(all.facets.language, [{ value: "en" }, { value: "de" }]);
    assert.deepEqual(all.facets.month, [{ value: "2026-01" }, { value: "2025-12" }, { value: "2025-11" }]);
    const photos = await find(server, { q: "harbour", platform: "photoshare" });
    assert.deepEqual(
      [photos.facets_complete, photos.facets.month],
      [
        true,
        [
          { value: "2026-01", count: 1 },
          { value: "2025-12", count: 1 },
          { value: "2025-11", count: 1 },
        ],
      ],
    );
  } finally {
    await server.close();
  }
});

test("facets are not complete if the last word has more completions, or a word more compounds, than are searched", async () => {
  const numbered = (count: number, textOf: (letter: string) => string) =>
    Array.from("abcdefghijklm".slice(0, count), (letter) => aPost(textOf(letter), { text: textOf(letter) }));
  const posts = [
    ...numbered(13, (letter) => `kite${letter}`),
    ...numbered(11, (letter) => `tide${letter}`),
    ...numbered(13, (letter) => `winter${letter}suppe`),
    ...numbered(11, (letter) => `winter${letter}pfanne`),
  ];
  const server = await startTestServer([{ platform: "shortvideo", batch: { posts } }], { RATE_LIMIT: "off" });
  try {
    for (const [q, ...expected] of [
      ["kite", 12, false],
      ["tide", 11, true],
      ["suppe ", 12, false],
      ["pfanne ", 11, true],
    ] as const) {
      const { facets_counted, facets_complete } = await find(server, { q, kind: "post" });
      assert.deepEqual([facets_counted, facets_complete], expected, q);
    }
  } finally {
    await server.close();
  }
});

test("a subtitle comes with the line that has another form of the word: kana, Arabic prefixes, hashtags", async () => {
  const lines = [
    "こんばんは、皆さん。昨日でした",
    "テンプラを食べます",
    "スシもあります",
    "東京都庁の展望台へ",
    "هذا مطبخ جدتي",
    "ذهبت للبيت",
    "The street was empty",
    "We ate #StreetFood with @mia",
    "my everyday shoes by the icecream van",
    "every day another ice cream",
  ].map((text, index) => ({ startS: 10 * index, durationS: 5, text }));
  const track = { postId: FERRY.id, language: "en", automatic: false, lines, ...provenance };
  const server = await startTestServer([{ platform: "longvideo", batch: { posts: [FERRY], subtitles: [track] } }]);
  try {
    for (const [q, start] of [
      ["てんぷら", 10],
      ["テンプラ", 10],
      ["すし", 20],
      ["展望台", 30],
      ["المطبخ", 40],
      ["والمطبخ", 40],
      ["البيت", 50],
      ["#streetfood", 70],
      ["street food", 70],
      ["@mia", 70],
      ['"every day"', 90],
      ["ice-cream", 90],
      ['"展望台"', 30],
    ] as const) {
      const { results } = await find(server, { q, kind: "subtitle" });
      assert.deepEqual(
        results.map(({ start_s }) => start_s),
        [start],
        q,
      );
    }
  } finally {
    await server.close();
  }
});

test("words are corrected by their letters, of which a Korean syllable has two or three", async () => {
  const posts = ["맛있는 김밥 만들기", "시장의 떡볶이"].map((text, index) => aPost(`dish${index}`, { text }));
  const server = await startTestServer([{ platform: "shortvideo", batch: { posts } }]);
  try {
    for (const [q, expected] of [
      ["김바", "김밥"],
      ["떡뽁이", "떡볶이"],
      ["#떡뽁이", null],
      ["바", null],
    ] as const) {
      assert.equal((await find(server, { q, kind: "post" })).corrected, expected, q);
    }
  } finally {
    await server.close();
  }
});

test("a Greek sigma is the same letter wherever it is in the word, and is written as such", async () => {
  const hashtags = ["Χαρταετός"];
  const posts = [
    aPost("signs", { text: "οδοσήμανση στην πόλη", hashtags }),
    aPost("road", { text: "ο δρόμος για το καΐκι", hashtags }),
  ];
  const server = await startTestServer([{ platform: "shortvideo", batch: { posts } }]);
  try {
    for (const [q, id] of [
      ["οδοσ", "signs"],
      ["οδος", "signs"],
      ["ΟΔΟΣ", "signs"],
      ["ΔΡΟΜΟΣ ", "road"],
      ["δρομοσ ", "road"],
    ] as const) {
      const { results, facets } = await find(server, { q, kind: "post" });
      assert.deepEqual(
        [results.map((result) => result.id), facets.hashtag],
        [[id], [{ value: "χαρταετος", count: 1 }]],
        q,
      );
    }
    assert.equal((await find(server, { q: "δρομο ", kind: "post" })).corrected, "δρομος ");
  } finally {
    await server.close();
  }
});

test("a walk ends after its best thousand, and its last token still fits into an address", async () => {
  const posts = Array.from({ length: 350 }, (_, index) =>
    aPost(`tea${index}`, { text: "tea", publishedAt: T0 + index }),
  );
  const platforms = ["shortvideo", "longvideo", "photoshare"];
  const server = await startTestServer(
    platforms.map((platform) => ({ platform, batch: { posts } })),
    { RATE_LIMIT: "off" },
  );
  try {
    const seen = new Set<string>();
    let token = "";
    let pages = 0;
    do {
      const body = await find(server, { q: "tea", limit: 50, continuation_token: token });
      for (const result of body.results) seen.add(keyOf(result));
      token = body.continuation_token;
      pages++;
      assert.ok(token.length <= 6_000, `${token.length} characters`);
    } while (token !== "");
    assert.deepEqual([seen.size, pages], [1_000, 20]);
  } finally {
    await server.close();
  }
});
