/** Nodes are stopped and started one after the other under load, as a new release does it: no request fails. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { budget, IS_FULL } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { copyDemoStore } from "#testing/demo-store.ts";
import { makeNode } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { startBalancer } from "./cluster/balancer.ts";
import { operationNamed, sendRequest } from "./http-client.ts";
import { temporaryFolder, TEST_TOKEN } from "./test-server.ts";

/** Other tests run beside this one, except in a run of claims. */
const PER_SECOND = IS_FULL ? 200 : 25;
/** A node that takes long to answer on a busy machine is not down. */
const CHECK_TIMEOUT_MS = 60_000;
const { path, endpoint } = operationNamed("shortvideo/post/detail");
const PATHS = [
  `${path}?${new URLSearchParams(endpoint.example).toString()}`,
  "/api/search?q=street+food",
  "/api/longvideo/trending",
];

test(
  "two nodes are restarted in turn behind a balancer, and no request fails",
  { timeout: IS_FULL ? 900_000 : 180_000 },
  async () => {
    const folders = [temporaryFolder(), temporaryFolder()];
    const nodes = await Promise.all(
      folders.map(async (folder, index) => {
        const isCopied = copyDemoStore(folder.path);
        const env = {
          DATA_DIR: folder.path,
          API_TOKEN: TEST_TOKEN,
          LOG_LEVEL: "silent",
          RATE_LIMIT: "off",
          SEARCH_WAIT_MS: "10000",
          // The balancer's connections are those of all clients.
          TRUSTED_PROXIES: "127.0.0.1",
        };
        return makeNode(`node ${index}`, { ...env, DEMO: isCopied ? "off" : "on" });
      }),
    );
    const failures: string[] = [];
    let answered = 0;
    const done = new AbortController();
    const stops = budget("nodeStops");
    try {
      await Promise.all(nodes.map((node) => node.start()));
      const balancer = await startBalancer(
        nodes.map(({ address }) => address),
        CHECK_TIMEOUT_MS,
      );
      const send = async (index: number) => {
        const request = { path: PATHS[index % PATHS.length] as string };
        const outcome = await sendRequest(balancer.url, request).catch((error: unknown) => ({
          status: 0,
          text: String(error),
        }));
        if (outcome.status === 200) answered++;
        else failures.push(`${outcome.status} ${outcome.text.slice(0, 200)}`);
      };
      // At even distances, whether or not earlier ones were answered.
      const load = (async () => {
        const sent: Promise<void>[] = [];
        const startedAt = performance.now();
        while (!done.signal.aborted) {
          const due = Math.floor(((performance.now() - startedAt) / 1_000) * PER_SECOND);
          while (sent.length < due) sent.push(send(sent.length));
          await pause(5);
        }
        await Promise.all(sent);
      })();
      for (let stop = 0; stop < stops; stop++) {
        const node = nodes[stop % nodes.length] as (typeof nodes)[number];
        await node.stop();
        await node.start();
        // The next one stops when this one has answered again.
        const before = balancer.countResponses(node.address);
        await until(async () => balancer.countResponses(node.address) > before + 10);
      }
      done.abort();
      await load;
      await balancer.close();
    } finally {
      done.abort();
      for (const node of nodes) await node.stop();
      for (const folder of folders) folder.remove();
    }
    assert.deepEqual(failures.slice(0, 5), []);
    assert.ok(answered > stops * 10);
    reportClaim(
      "Restarts are not noticed",
      `${stops} SIGTERMs at ${PER_SECOND} requests a second behind two nodes: 0 of ${answered} failed`,
    );
  },
);
