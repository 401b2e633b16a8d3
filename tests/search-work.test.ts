/**
 * What the longest queries cost, in work and not in seconds: no query of the allowed length, in whatever script and
 * however it is built, may cost more than ten times a common one, and so keep the process from answering others.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { perfCounters } from "#domain/perf-counters.ts";
import { spellingsOneEditAway } from "#search/spelling.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { crowd, LONGEST_QUERIES } from "./longest-queries.ts";
import { toUnit } from "#store/write/batch-changes.ts";

/** Two words that stand in many posts, and one with two mistakes. */
const COMMON = "street food makrte";
const AT_MOST = 10;
const COUNTED = ["statements", "searchTermsLookedUp", "wordsCompared"] as const;

const SEARCHES: Record<string, (server: TestServer, query: string) => Promise<Response>> = {
  "/api/search": (server, query) => server.get(`/api/search?q=${encodeURIComponent(query)}`),
  "photoshare/search": (server, query) => server.post("/api/photoshare/search", { search_query: query }),
  "shortvideo/search/general": (server, query) =>
    server.get(`/api/shortvideo/search/general?keyword=${encodeURIComponent(query)}`),
  "longvideo/search": (server, query) =>
    server.get(`/api/longvideo/search?country=US&query=${encodeURIComponent(query)}`),
};

async function costOf(send: Promise<Response>): Promise<number[]> {
  const earlier = { ...perfCounters };
  const response = await send;
  await response.arrayBuffer();
  assert.equal(response.status, 200);
  return COUNTED.map((name) => perfCounters[name] - earlier[name]);
}

describe("the work of a search", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer("demo", { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  function holdToCommon(world: string) {
    for (const [name, send] of Object.entries(SEARCHES)) {
      test(`${name} does at most ten times the work of a common query, ${world}`, async () => {
        const common = await costOf(send(server, COMMON));
        for (const [shape, query] of Object.entries(LONGEST_QUERIES)) {
          const cost = await costOf(send(server, query));
          for (const [index, counted] of COUNTED.entries()) {
            const [most, counts] = [AT_MOST * (common[index] as number), cost[index] as number];
            assert.ok(counts <= most, `${shape}: ${counts} ${counted}, a common query ${common[index]}`);
          }
        }
      });
    }
  }

  holdToCommon("in the demo world");

  test("the spellings of a word are made once for all platforms and kinds", async () => {
    const { spellingsGenerated: spellings, searchTermsLookedUp: lookups } = perfCounters;
    await costOf(server.get("/api/search?q=noodlels"));
    assert.equal(perfCounters.spellingsGenerated - spellings, spellingsOneEditAway("noodlels").length);
    assert.ok(perfCounters.searchTermsLookedUp - lookups > 5 * spellingsOneEditAway("noodlels").length);
  });

  describe("with thousands of words that begin alike", () => {
    before(async () => {
      const store = await server.openStore();
      try {
        for (const { platform, batch } of crowd()) await store.writer.write([toUnit(platform, batch)]);
      } finally {
        await store.close();
      }
    });

    holdToCommon("among many words that begin alike");
  });
});
