/** Live sources of several nodes on one store: limits hold for all of them together, and a kill loses no count. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { programEnvironment } from "#testing/program-environment.ts";
import { until } from "#testing/until.ts";
import { Upstream } from "#testing/upstream.ts";
import { respondAsYoutube, YOUTUBE_HOST } from "#testing/youtube-api.ts";
import { freshStoreDatabase } from "./postgres/databases.ts";
import { startTestServer, temporaryFolder, TEST_TOKEN, type TestServer } from "./test-server.ts";

const KEY = "invented-key-0123456789";
const REQUESTS = budget("liveRequests");
const ALLOWED = REQUESTS / 2;
/** Of the clients together. */
const CONCURRENT = 60;

let upstream: Upstream;
before(async () => {
  upstream = await Upstream.start([YOUTUBE_HOST], respondAsYoutube);
});
after(() => upstream.close());

function startNode(env: Record<string, string>): Promise<TestServer> {
  return startTestServer(
    [],
    {
      LIVE_SOURCES: "youtube-data-api",
      YOUTUBE_API_KEY: KEY,
      LIVE_QUOTAS: `youtube-data-api.searches=${ALLOWED},youtube-data-api.units=1000000`,
      RATE_LIMIT: "off",
      ...env,
    },
    (config) => {
      config.live.dial = upstream.dial;
      config.live.deadlineMs = 600_000;
      config.live.callTimeoutMs = 600_000;
    },
  );
}

/** No word is near another or begins it, so that none is found for another. */
function word(index: number): string {
  return hash("sha1", String(index), "hex")
    .slice(0, 16)
    .replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "");
}

/** Different searches, in turn to each node. Returns how many were filled, and what the others were told. */
async function searchAll(nodes: readonly TestServer[]): Promise<{ filled: number; told: Set<string> }> {
  let next = 0;
  let filled = 0;
  const told = new Set<string>();
  const client = async () => {
    for (let index = next++; index < REQUESTS; index = next++) {
      const node = nodes[index % nodes.length] as TestServer;
      const response = await node.get(`/api/longvideo/search?query=${word(index)}`);
      assert.equal(response.status, 200);
      await response.arrayBuffer();
      const status = response.headers.get("cache-status") ?? "";
      if (status.startsWith("store; fwd=miss; stored")) filled++;
      else told.add(status);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, client));
  return { filled, told };
}

async function checkLimits(nodes: readonly TestServer[]): Promise<void> {
  upstream.reset(respondAsYoutube);
  const { filled, told } = await searchAll(nodes);
  const searches = upstream.calls.filter(({ path }) => path === "/youtube/v3/search").length;
  assert.deepEqual([filled, searches], [ALLOWED, ALLOWED], [...told].join("\n"));
  assert.equal(told.size, 1, [...told].join("\n"));
  assert.match([...told].join("\n"), /has no quota left/);
  assert.ok(upstream.mostConcurrent <= 16, `${upstream.mostConcurrent} calls at a time`);
  const store = await (nodes[0] as TestServer).openStore();
  const use = await store.sources.listUse();
  await store.close();
  const used = Object.fromEntries(use.map((row) => [row.budget, row.used]));
  assert.deepEqual(used, { searches: ALLOWED, units: upstream.calls.length - searches });
  reportClaim(
    `${REQUESTS} different requests to a live source respect 16 calls at a time and the quota, nodes: ${nodes.length}`,
    `${searches} of ${ALLOWED} allowed searches, at most ${upstream.mostConcurrent} calls at a time`,
  );
}

test("different requests respect 16 calls at a time and the quota to the unit", async () => {
  const node = await startNode({});
  try {
    await checkLimits([node]);
  } finally {
    await node.close();
  }
});

test("so do two nodes on PostgreSQL, together", async () => {
  const database = await freshStoreDatabase();
  const one = await startNode({ STORE_URL: database.url });
  const other = await startNode({ STORE_URL: database.url, PEPPER_FILE: join(one.dataDir, "pepper") });
  try {
    await checkLimits([one, other]);
    upstream.reset();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? one : other).get("/api/longvideo/video/details?video_id=tarnShared1"),
      ),
    );
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
    assert.equal(upstream.calls.length, 1, "one call for equal requests to both");
  } finally {
    await other.close();
    await one.close();
    await database.drop();
  }
});

test("a node that is killed loses no entry of the ledger", async () => {
  upstream.reset(() => "hang");
  const folder = temporaryFolder();
  const env = {
    PORT: "0",
    API_TOKEN: TEST_TOKEN,
    DEMO: "off",
    LOG_LEVEL: "silent",
    DATA_DIR: folder.path,
    LIVE_SOURCES: "youtube-data-api",
    YOUTUBE_API_KEY: KEY,
    SEARCH_THREADS: "0",
  };
  const script = join(import.meta.dirname, "../testing/live-node.ts");
  const child = spawn(
    process.execPath,
    [script, JSON.stringify({ env, live: { dial: upstream.dial, callTimeoutMs: 600_000 } })],
    {
      env: programEnvironment({}),
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [output] = (await once(child.stdout, "data")) as [Buffer];
  const url = output.toString().trim();
  const requests = Array.from({ length: 30 }, (_, index) =>
    fetch(`${url}/api/longvideo/search?query=${word(index)}`, {
      headers: { authorization: `Bearer ${TEST_TOKEN}` },
    }).catch(() => null),
  );
  await until(async () => upstream.calls.length === 16);
  child.kill("SIGKILL");
  await once(child, "exit");
  await Promise.all(requests);
  const store = openSqliteStore(folder.path);
  const [use] = await store.sources.listUse();
  await store.close();
  folder.remove();
  assert.deepEqual([use?.budget, use?.used], ["searches", 16]);
  reportClaim("a killed node loses no entry of the ledger of live sources", `${use?.used} of 16 calls counted`);
});
