/**
 * What an answer costs, in work and not in seconds: statements, records read apart, records drawn, characters written
 * out. Counts repeat exactly, so that an answer which begins to cost more is noticed whatever the machine does.
 */
import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { perfCounters } from "#domain/perf-counters.ts";
import { startTestServer, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { sendRequest, operationNamed } from "./http-client.ts";

interface Cost {
  statements: number;
  parsed: number;
  drawn: number;
  /** At most: what stands around the records. */
  written: number;
}

/** Looking whether anything was written is one statement of each. */
const COSTS: Record<string, { parameters: string; cost: Cost }> = {
  "shortvideo/post/detail": {
    parameters: "videoId=7300000000000000001",
    cost: { statements: 2, parsed: 0, drawn: 0, written: 0 },
  },
  "shortvideo/user/info-with-region": {
    parameters: "uniqueId=nora.lindqvist",
    cost: { statements: 3, parsed: 0, drawn: 0, written: 0 },
  },
  "longvideo/video/details": {
    parameters: "video_id=demoVideo01",
    cost: { statements: 2, parsed: 0, drawn: 0, written: 0 },
  },
  "photoshare/get-profile": {
    parameters: "username_or_url=luna.marchetti",
    cost: { statements: 3, parsed: 0, drawn: 0, written: 200 },
  },
  // The page, and the neighbours of its last post for the cursor.
  "shortvideo/music/posts": {
    parameters: "musicId=7100000000000000001&count=30",
    cost: { statements: 3, parsed: 0, drawn: 0, written: 150 },
  },
  // The same, and the post for the platform's own number of comments.
  "shortvideo/post/comments": {
    parameters: "videoId=7300000000000000001&count=50",
    cost: { statements: 4, parsed: 1, drawn: 0, written: 300 },
  },
};

describe("work", () => {
  let server: TestServer;
  before(async () => {
    // The clock stands still: a verified token is verified again a second later, at the cost of a statement, as is what the
    // service writes and looks up every few seconds.
    mock.timers.enable({ apis: ["Date", "setInterval", "setTimeout"], now: Date.now() });
    server = await startTestServer("demo");
    // Proves the token, so that no request pays for it.
    await server.get("/api/shortvideo/post/detail?videoId=1");
  });
  after(async () => {
    mock.timers.reset();
    await server.close();
  });

  async function costOf(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<Cost & { status: number; length: number }> {
    const keep = { authorization: `Bearer ${TEST_TOKEN}`, ...headers };
    const { statements, recordsParsed: parsed, recordsRendered: drawn, charactersSerialised: written } = perfCounters;
    const { status, body } = await sendRequest(server.url, { path, headers: keep });
    return {
      status,
      length: body.length,
      statements: perfCounters.statements - statements,
      parsed: perfCounters.recordsParsed - parsed,
      drawn: perfCounters.recordsRendered - drawn,
      written: perfCounters.charactersSerialised - written,
    };
  }

  for (const [name, { parameters, cost }] of Object.entries(COSTS)) {
    test(`${name} joins pre-rendered JSON, and caches the response`, async () => {
      const path = `${operationNamed(name).path}?${parameters}`;
      const first = await costOf(path);
      assert.equal(first.status, 200);
      const { statements, parsed, drawn } = first;
      assert.deepEqual([statements, parsed, drawn], [cost.statements, cost.parsed, cost.drawn]);
      assert.ok(first.written <= cost.written, `${first.written} characters of ${first.length} were serialised`);
      await costOf(path);
      const again = await costOf(path);
      // Whether anything was written, and nothing else.
      assert.deepEqual(again, { status: 200, length: first.length, statements: 1, parsed: 0, drawn: 0, written: 0 });
    });
  }

  test("a post of any platform and its comments cost five statements, the count of what is stored included", async () => {
    const { status, statements } = await costOf("/api/post?platform=photoshare&id=3382845430393690647");
    // Whether anything was written, the post, the page, the count and the authors.
    assert.deepEqual([status, statements], [200, 5]);
  });

  test("a longer page costs no more statements", async () => {
    const { path } = operationNamed("shortvideo/music/posts");
    const short = await costOf(`${path}?musicId=7100000000000000001&count=2`);
    const long = await costOf(`${path}?musicId=7100000000000000001&count=11`);
    assert.ok(long.length > 3 * short.length);
    assert.equal(long.statements, short.statements);
    assert.equal(long.parsed + long.drawn, 0);
  });
});
