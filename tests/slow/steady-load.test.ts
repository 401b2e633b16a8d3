/** A service at half of what it can do, for a while, with imports beside it: memory and descriptors stay where they were. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import autocannon from "autocannon";
import { budget, IS_FULL } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { makeNode } from "#testing/service-nodes.ts";
import { PROJECTIONS } from "#platforms/registry.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { OPERATIONS } from "../http-client.ts";
import { createIngestToken, push } from "../ingest-client.ts";
import { query, temporaryFolder, TEST_TOKEN } from "../test-server.ts";
import { GOOD_REQUESTS, WORLD } from "../world.ts";

const SECONDS = budget("steadySeconds");
const CONNECTIONS = 20;
/** Of the run, before the first measure: compiled code, caches and heaps grow at first. */
const WARM_UP = 0.25;
/** Between two measures of a heap that is collected now and then; a short run ends before it has reached its size. */
const MAX_GROWTH = IS_FULL ? 1.15 : 2;

const PATHS = OPERATIONS.filter(({ endpoint }) => endpoint.method === "GET").map(
  ({ name, path }) => `${path}?${query(GOOD_REQUESTS[name] ?? {})}`,
);

async function fillStore(dataDir: string): Promise<void> {
  const store = openSqliteStore(dataDir, "full", Date.now, PROJECTIONS);
  for (const { platform, batch } of WORLD) await store.writer.write(platform, batch);
  await store.close();
}

test(
  `${SECONDS} s at half load leave memory and descriptors flat`,
  { skip: process.platform === "linux" ? false : "memory and descriptors are read from /proc" },
  async () => {
    const home = temporaryFolder();
    const dataDir = join(home.path, "data");
    const token = await createIngestToken(dataDir);
    await fillStore(dataDir);
    const node = await makeNode("steady", {
      DATA_DIR: dataDir,
      API_TOKEN: TEST_TOKEN,
      RATE_LIMIT: "off",
      DEMO: "off",
      LOG_LEVEL: "silent",
    });
    try {
      await node.start();
      const load = (duration: number, overallRate?: number) =>
        autocannon({
          url: node.address,
          connections: CONNECTIONS,
          duration,
          ...(overallRate !== undefined && { overallRate }),
          requests: PATHS.map((path) => ({ path, headers: { authorization: `Bearer ${TEST_TOKEN}` } })),
        });
      const peak = await load(2);
      const rate = Math.round(peak.requests.average / 2);
      const before = await measureAfter(SECONDS * WARM_UP);
      const after = await measureAfter(SECONDS * (1 - WARM_UP));
      assert.ok(after.memoryMb <= before.memoryMb * MAX_GROWTH, `${before.memoryMb} MB grew to ${after.memoryMb} MB`);
      assert.ok(after.descriptors <= before.descriptors + 4, `${before.descriptors} grew to ${after.descriptors}`);
      reportClaim(
        "at half load memory and descriptors stay flat",
        `${SECONDS} s at ${rate}/s: ${before.memoryMb} to ${after.memoryMb} MB, ${before.descriptors} to ${after.descriptors} descriptors`,
      );

      /** Loads the service for so long, with an upload every second, and measures when it is idle again. */
      async function measureAfter(seconds: number): Promise<{ memoryMb: number; descriptors: number }> {
        let number = 0;
        const timer = setInterval(() => void push(node.address, token, [number++]).catch(() => undefined), 1_000);
        const { non2xx, errors } = await load(seconds, rate);
        clearInterval(timer);
        assert.deepEqual([non2xx, errors], [0, 0]);
        const status = readFileSync(`/proc/${node.pid}/status`, "utf8");
        const memoryMb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
        return { memoryMb, descriptors: readdirSync(`/proc/${node.pid}/fd`).length };
      }
    } finally {
      await node.kill();
      home.remove();
    }
  },
);
