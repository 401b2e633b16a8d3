/**
 * How many statements a response takes on PostgreSQL, where each is a round trip and, with Citus, a question to many
 * machines: a small constant, whatever the size of the page and however many platforms and kinds are searched.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, mock, test } from "node:test";
import { OPERATIONS } from "#platforms/registry.ts";
import { demoTime } from "#testing/demo-store.ts";
import { post } from "#testing/sample-records.ts";
import { until } from "#testing/until.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { Sql } from "#store/postgres/sql.ts";
import { requestOperation } from "./http-client.ts";
import { freshDemoDatabase } from "./postgres/databases.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const MOST = { lookup: 4, list: 6, search: 6 };
/** Newest document, exact matches, completions, further matches, and a page of records, comments and subtitles. */
const MOST_OF_A_SEARCH = 8;
/** Whatever is misspelt: known words, spellings, similar words, and the same search again. */
const MOST_OF_A_CORRECTED_SEARCH = 12;
/** Besides: how many records have each word, the names of filters, and the matches. */
const MORE_OF_A_PARTIAL_SEARCH = 3;

/** What asks all machines of a Citus cluster; docs/operating.md names it too. */
const ON_ALL_MACHINES = {
  "a search": /FROM search_docs WHERE platform = \$1 AND kind = \$2 AND doc/,
  "whom an account follows": /FROM follows WHERE follower_id = \$1/,
  "the charts that are stored": /FROM chart_entries WHERE platform = \$1 AND starts_with/,
  "a video's ranks": /FROM chart_entries WHERE platform = \$1 AND post_id = \$2/,
  "whether a source has captured anything": /FROM (?:records|comments) WHERE platform IN .* AND source = \$1/,
  "what a live source has to refresh": /FROM records WHERE platform = \$1 AND kind = \$2 AND source = \$3/,
};

/** The texts that are sent meanwhile. */
async function logStatements(work: () => Promise<void>): Promise<string[]> {
  const sent = (["all", "allWithCustomPlan", "run"] as const).map((method) => mock.method(Sql.prototype, method));
  await work();
  for (const method of sent) method.mock.restore();
  const texts = sent.flatMap(({ mock: { calls } }) => calls.map((call) => call.arguments[0].replaceAll(/\s+/g, " ")));
  // The service looks every few seconds whether trends are stale, and writes the usage of tokens.
  return texts.filter((text) => !/FROM trend_state$|token_usage|^BEGIN$|^COMMIT$/.test(text));
}

describe("statements on PostgreSQL", () => {
  let database: { url: string; drop: () => Promise<void> };
  let server: TestServer;
  before(async () => {
    // The clock stands still, so that no token is verified again.
    mock.timers.enable({ apis: ["Date", "setInterval"], now: demoTime() });
    database = await freshDemoDatabase();
    server = await startTestServer("demo", { RATE_LIMIT: "off", STORE_URL: database.url });
    // Verifies the token, and reads which partitions there are.
    await statementsOf("search", { q: "warm" });
  });
  after(async () => {
    await server.close();
    await database.drop();
    mock.timers.reset();
  });

  async function request(name: string, parameters: Record<string, string>): Promise<void> {
    const { status } = await requestOperation(server.url, name, Object.entries(parameters));
    assert.equal(status, 200, `${name} ${JSON.stringify(parameters)}`);
  }

  const statementsOf = async (name: string, parameters: Record<string, string>): Promise<number> =>
    (await logStatements(() => request(name, parameters))).length;

  test("of every operation are few", async () => {
    for (const { name, endpoint } of OPERATIONS) {
      const statements = await statementsOf(name, endpoint.example);
      const most = name === "search" ? MOST_OF_A_SEARCH : MOST[endpoint.cost];
      assert.ok(statements > 0 && statements <= most, `${name}: ${statements} statements`);
    }
  });

  test("read one distributed table each, by the column that it is distributed by, except for some", async () => {
    const citus = readFileSync(new URL("../docs/operating.md", import.meta.url), "utf8");
    const columns = new Map(
      [...citus.matchAll(/create_distributed_table\('(\w+)',\s*'(\w+)'/g)].map(([, table, column]) => [table, column]),
    );
    const store = await server.openStore();
    const texts = await logStatements(async () => {
      for (const { name, endpoint } of OPERATIONS) await request(name, endpoint.example);
      await request("follows", { platform: "shortvideo", account: "nora.lindqvist", direction: "following" });
      await store.retention.hasSource("nobody");
      await store.sources.listAged({ platform: "longvideo", kind: "account", source: "demo" }, Date.now(), {
        limit: 9,
      });
    });
    await store.close();
    const others = new Set<string>();
    const read = new Set<string | undefined>();
    for (const text of new Set(texts)) {
      const tables = new Set(
        [...text.matchAll(/\b(?:FROM|JOIN) (\w+)/g)].map(([, table]) => table).filter((table) => columns.has(table)),
      );
      assert.ok(tables.size <= 1, text);
      const [table] = tables;
      read.add(table);
      if (table === undefined || new RegExp(`\\b${columns.get(table)} = (?:ANY\\()?\\$1`).test(text)) continue;
      const found = Object.entries(ON_ALL_MACHINES).find(([, pattern]) => pattern.test(text));
      assert.ok(found !== undefined, text);
      others.add(found[0]);
    }
    assert.deepEqual([...others].toSorted(), Object.keys(ON_ALL_MACHINES).toSorted());
    // Written by imports only: what an import had.
    assert.deepEqual(
      [...columns.keys()].filter((table) => !read.has(table)),
      ["job_records"],
    );
  });

  test("of a list do not grow with its page", async () => {
    for (const name of ["trending/hashtag", "trending/songs", "trending/videos"].map((path) => `shortvideo/${path}`)) {
      const short = await statementsOf(name, { period: "120", limit: "1" });
      assert.equal(await statementsOf(name, { period: "120", limit: "50" }), short, name);
    }
  });

  test("count a list once for all its pages, until something is written", async () => {
    const caching = await startTestServer("demo", {
      RATE_LIMIT: "off",
      STORE_URL: database.url,
      CACHE_MB: "8",
      PEPPER_FILE: join(server.dataDir, "pepper"),
    });
    const store = await server.openStore();
    try {
      const page = (limit: number) =>
        caching.json<{ total: number }>(
          `/api/posts/with?platform=photoshare&trait=hashtag&id=streetfood&limit=${limit}`,
        );
      const { total } = await page(1);
      // A count is kept for a second.
      const moment = performance.now();
      const clock = mock.method(performance, "now", () => moment);
      const texts = await logStatements(async () => {
        for (let limit = 2; limit <= 10; limit++) assert.equal((await page(limit)).total, total);
      });
      clock.mock.restore();
      assert.ok(texts.filter((text) => text.includes("count(*) AS n FROM post_lists")).length <= 1);
      await store.writer.write([toUnit("photoshare", { posts: [post("1", { hashtags: ["streetfood"] })] })]);
      await until(async () => (await page(41)).total === total + 1);
    } finally {
      await store.close();
      await caching.close();
    }
  });

  test("of a cursor that was not handed out read no more comments than a page needs", async () => {
    const name = "shortvideo/post/comments";
    const { videoId = "" } = OPERATIONS.find((operation) => operation.name === name)?.endpoint.example ?? {};
    for (const sort of ["newest", "top"]) {
      const { body } = await requestOperation(server.url, name, { videoId, sort, count: "1" });
      const handedOut = (JSON.parse(body.toString()) as { cursor: number }).cursor;
      // An offset, and a place beside a comment.
      for (const cursor of ["50", String(handedOut + 1)]) {
        const texts = await logStatements(() => request(name, { videoId, sort, cursor }));
        const reads = texts.filter((text) => text.includes("FROM comments") && !text.includes("count(*)"));
        assert.ok(reads.length > 1, `${sort} ${cursor}`);
        for (const text of reads) assert.match(text, /(?:at|likes) = \$3$| LIMIT \$/);
      }
    }
  });

  test("of a search over all platforms and kinds are at most eight, whatever is searched", async () => {
    const queries = [
      "s",
      "street",
      "street food",
      "market",
      '"street food"',
      "street -food lang:en",
      "ramen OR pho",
      "市",
      "zzz ",
    ];
    for (const q of [...queries, "market sound:night from:nora.lindqvist", "from:nora.lindqvist -sound:train"]) {
      const statements = await statementsOf("search", { q, limit: "50", expand: "posts" });
      assert.ok(statements <= MOST_OF_A_SEARCH, `${q}: ${statements} statements`);
    }
  });

  test("of a search that no record matches whole are at most three more", async () => {
    const sentence = "where can I find the best street food of all these towns tonight";
    for (const text of [sentence, `${sentence} from:nora.lindqvist`, `makrtes ${sentence}`]) {
      const searches: [string, Record<string, string>][] = [
        ["search", { q: text, limit: "50", expand: "posts" }],
        ["shortvideo/search/general", { keyword: text }],
        ["longvideo/search", { query: text }],
        ["photoshare/search", { search_query: text }],
      ];
      for (const [name, parameters] of searches) {
        const statements = await statementsOf(name, parameters);
        const most = MOST_OF_A_CORRECTED_SEARCH + MORE_OF_A_PARTIAL_SEARCH;
        assert.ok(statements > 2 && statements <= most, `${name} ${text}: ${statements} statements`);
      }
    }
  });

  test("of a misspelt search are at most twelve", async () => {
    for (const text of ["makrtes", "makrtes stret", "street makrtes"]) {
      const searches: [string, Record<string, string>][] = [
        ["search", { q: text, limit: "50", expand: "posts" }],
        ["shortvideo/search/general", { keyword: text }],
        ["longvideo/search", { query: text }],
        ["photoshare/search", { search_query: text }],
      ];
      for (const [name, parameters] of searches) {
        const statements = await statementsOf(name, parameters);
        assert.ok(
          statements > 2 && statements <= MOST_OF_A_CORRECTED_SEARCH,
          `${name} ${text}: ${statements} statements`,
        );
      }
    }
  });
});
