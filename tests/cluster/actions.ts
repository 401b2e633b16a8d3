/** What happens to a cluster in its life, each with the moment at which all that was away is there again. */
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { Cluster } from "../postgres/cluster.ts";
import type { Server } from "../postgres/server.ts";
import type { Balancer } from "./balancer.ts";
import type { ExpectedState } from "./expected-state.ts";
import type { Node } from "#testing/service-nodes.ts";

export interface ClusterContext {
  nodes: readonly Node[];
  cluster: Cluster;
  /** The database's address on a server. */
  urlOn: (server: Server) => string;
  balancer: Balancer;
  ledger: ExpectedState;
}

export interface Recovery {
  /** Monotonic milliseconds. */
  at: number;
  /** Whether what was away does its work again. */
  isUsed: () => Promise<boolean>;
}

export type Action = (stage: ClusterContext, round: number) => Promise<Recovery>;

const DOWN_MS = 1_500;
const FROZEN_MS = 3_000;

export const ACTIONS: Record<string, Action> = {
  "kill -9 a node": async ({ nodes, balancer }, round) => {
    const node = nodes[round % nodes.length] as Node;
    await node.kill();
    await pause(DOWN_MS);
    await node.start();
    const before = balancer.countResponses(node.address);
    return { at: performance.now(), isUsed: async () => balancer.countResponses(node.address) > before };
  },

  "stop a replica": async ({ cluster, urlOn }, round) => {
    const replica = cluster.replicas[round % cluster.replicas.length] as Server;
    await replica.halt();
    await pause(DOWN_MS);
    await replica.resume();
    const at = performance.now();
    const before = await readsOn(urlOn(replica));
    return { at, isUsed: async () => (await readsOn(urlOn(replica))) > before };
  },

  "restart the primary": async ({ cluster, ledger }) => {
    ledger.primaryGoesDown();
    await cluster.primary.halt();
    await cluster.primary.resume();
    ledger.primaryIsBack();
    return { at: performance.now(), isUsed: async () => true };
  },

  "freeze the primary": async ({ cluster, ledger }) => {
    ledger.primaryGoesDown();
    await cluster.primary.freeze();
    await pause(FROZEN_MS);
    await cluster.primary.thaw();
    ledger.primaryIsBack();
    return { at: performance.now(), isUsed: async () => true };
  },
};

/** How often records were looked up there; the checks of the nodes look up none. */
async function readsOn(url: string): Promise<number> {
  const client = new Client(url);
  try {
    await client.connect();
    const { rows } = await client.query(
      "SELECT sum(idx_scan)::int AS reads FROM pg_stat_user_tables WHERE relname IN ('records', 'post_lists')",
    );
    return (rows[0] as { reads: number }).reads;
  } finally {
    await client.end();
  }
}
