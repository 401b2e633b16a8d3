/** A service at half of what it can do, for a while, with imports beside it: memory and descriptors stay where they were. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import autocannon from "autocannon";
import { USAGE_FILE } from "#store/tokens/usage.sqlite.ts";
import { budget, IS_FULL } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { countDescriptors, memoryMb } from "#testing/processes.ts";
import { makeNode, SMALL_HEAP } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { OPERATIONS } from "../http-client.ts";
import { createIngestToken, push } from "../ingest-client.ts";
import { fillStore, query, temporaryFolder, TEST_TOKEN } from "../test-server.ts";
import { GOOD_REQUESTS, WORLD } from "../world.ts";

/** A run of its own may take longer: see docs/promises.md. */
const SECONDS = Number(process.env["STEADY_SECONDS"] ?? budget("steadySeconds"));
const CONNECTIONS = 20;
/** Of the run, before the first measure: compiled code, caches and heaps grow at first. */
const WARM_UP = 0.25;
const SETTLED_SECONDS = 30;
/** Between two measures of a heap that is collected now and then; a short run ends before it has reached its size. */
const MAX_GROWTH = IS_FULL ? 1.15 : 2;

const PATHS = OPERATIONS.filter(({ endpoint }) => endpoint.method === "GET").map(
  ({ name, path }) => `${path}?${query(GOOD_REQUESTS[name] ?? {})}`,
);

test(
  `${SECONDS} s at half load leave memory and descriptors flat`,
  { skip: process.platform === "linux" ? false : "memory and descriptors are read from /proc" },
  async () => {
    const home = temporaryFolder();
    const dataDir = join(home.path, "data");
    const token = await createIngestToken(dataDir);
    await fillStore(dataDir, WORLD);
    const settings = { API_TOKEN: TEST_TOKEN, RATE_LIMIT: "off", DEMO: "off", LOG_LEVEL: "silent" };
    const node = await makeNode("steady", { DATA_DIR: dataDir, ...settings }, SMALL_HEAP);
    const pid = () => node.pid ?? assert.fail("the service has ended");
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
      const peak = await load(IS_FULL ? 2 : 1);
      // Not the average of its seconds: on a busy machine a short load may have counted none of them.
      const rate = Math.max(CONNECTIONS, Math.round(peak.requests.total / peak.duration / 2));
      await push(node.address, token, [0]);
      const warm = await loadFor(SECONDS * WARM_UP);
      // From the first time that usage is written on, its file stays open.
      await until(async () => existsSync(join(dataDir, USAGE_FILE)));
      const before = { memoryMb: warm, descriptors: await settledDescriptors() };
      const after = await loadFor(SECONDS * (1 - WARM_UP));
      assert.ok(after <= before.memoryMb * MAX_GROWTH, `${before.memoryMb} MB grew to ${after} MB`);
      // Connections are being closed, and the last imports have threads.
      await until(async () => countDescriptors(pid()) <= before.descriptors + 4);
      reportClaim(
        "at half load memory and descriptors stay flat",
        `${SECONDS} s at ${rate}/s: ${before.memoryMb} to ${after} MB, ${before.descriptors} to ${countDescriptors(pid())} descriptors`,
      );

      /** With an upload every second. Returns the least memory at the end: threads that compute rankings come and go. */
      async function loadFor(seconds: number): Promise<number> {
        let number = 1;
        const seen: number[] = [];
        const timer = setInterval(() => {
          seen.push(memoryMb(pid()));
          void push(node.address, token, [number++]).catch(() => undefined);
        }, 1_000);
        // What autocannon returns can be awaited, and is no promise.
        const { statusCodeStats = {}, errors } = await Promise.resolve(load(seconds, rate)).finally(() =>
          clearInterval(timer),
        );
        assert.equal(errors, 0);
        // A machine that does other things meanwhile may have to reject searches.
        assert.deepEqual(
          Object.keys(statusCodeStats).filter((status) => status !== "200" && status !== "503"),
          [],
        );
        return Math.min(memoryMb(pid()), ...seen.slice(-SETTLED_SECONDS));
      }

      /** The fewest of a while: a connection or a thread may be about to end. */
      async function settledDescriptors(): Promise<number> {
        const seen: number[] = [];
        for (let sample = 0; sample < 30; sample++) {
          seen.push(countDescriptors(pid()));
          await pause(50);
        }
        return Math.min(...seen);
      }
    } finally {
      await node.kill();
      home.remove();
    }
  },
);
