/**
 * How many statements a response takes on PostgreSQL, where each is a round trip and, with Citus, a question to many
 * machines: a small constant, whatever the size of the page and however many platforms and kinds are searched.
 */
import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { perfCounters } from "#domain/perf-counters.ts";
import { OPERATIONS } from "#platforms/registry.ts";
import { demoTime } from "#testing/demo-store.ts";
import { requestOperation } from "./http-client.ts";
import { freshDemoDatabase } from "./postgres/databases.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const MOST = { lookup: 4, list: 6, search: 6 };
/** Newest document, exact matches, completions, further matches, and a page of records, comments and subtitles. */
const MOST_OF_A_SEARCH = 8;
/** Whatever is misspelt: known words, spellings, similar words, and the same search again. */
const MOST_OF_A_CORRECTED_SEARCH = 12;

describe("statements on PostgreSQL", () => {
  let database: { url: string; drop: () => Promise<void> };
  let server: TestServer;
  before(async () => {
    // The clock stands still, so that no token is verified again, and no usage is written meanwhile.
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

  async function statementsOf(name: string, parameters: Record<string, string>): Promise<number> {
    const earlier = perfCounters.statements;
    const { status } = await requestOperation(server.url, name, Object.entries(parameters));
    assert.equal(status, 200, `${name} ${JSON.stringify(parameters)}`);
    return perfCounters.statements - earlier;
  }

  test("of every operation are few", async () => {
    for (const { name, endpoint } of OPERATIONS) {
      const statements = await statementsOf(name, endpoint.example);
      const most = name === "search" ? MOST_OF_A_SEARCH : MOST[endpoint.cost];
      assert.ok(statements > 0 && statements <= most, `${name}: ${statements} statements`);
    }
  });

  test("of a list do not grow with its page", async () => {
    for (const name of ["trending/hashtag", "trending/songs", "trending/videos"].map((path) => `shortvideo/${path}`)) {
      const short = await statementsOf(name, { period: "120", limit: "1" });
      assert.equal(await statementsOf(name, { period: "120", limit: "50" }), short, name);
    }
  });

  test("of a search over all platforms and kinds are at most eight, whatever is searched", async () => {
    const queries = [
      "s",
      "street",
      "street food",
      '"street food"',
      "street -food lang:en",
      "ramen OR pho",
      "市",
      "zzz ",
    ];
    for (const q of [...queries, "market sound:night from:nora.lindqvist", "from:nora.lindqvist -sound:train"]) {
      const statements = await statementsOf("search", { q, limit: "50" });
      assert.ok(statements <= MOST_OF_A_SEARCH, `${q}: ${statements} statements`);
    }
    const misspelt = await statementsOf("search", { q: "street makrtes", limit: "50" });
    assert.ok(misspelt > MOST_OF_A_SEARCH - 4 && misspelt <= MOST_OF_A_CORRECTED_SEARCH, `${misspelt} statements`);
  });
});
