/** Failures of a cluster. Each action ends when what had failed is up again. */
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { Cluster } from "../postgres/cluster.ts";
import type { Server } from "../postgres/server.ts";
import { writeUntilGone } from "../postgres/unflushed-log.ts";
import type { Balancer } from "./balancer.ts";
import type { ExpectedState } from "./expected-state.ts";
import type { Node } from "#testing/service-nodes.ts";

export interface ClusterContext {
  nodes: readonly Node[];
  cluster: Cluster;
  /** The database's URL on a server. */
  urlOn: (server: Server) => string;
  balancer: Balancer;
  state: ExpectedState;
}

export interface Recovery {
  /** Monotonic milliseconds. */
  at: number;
  /** Whether what had failed is used again. */
  isUsed: () => Promise<boolean>;
}

export type Action = (context: ClusterContext, round: number) => Promise<Recovery>;

const DOWN_MS = 1_500;
const FROZEN_MS = 3_000;
/** Longer than the lag that records or tokens may have. */
const KILLED_MS = 6_000;
const WRITING_MS = 3_000;

/** Its replicas were fresh, so that no read may fail. */
export const KILLED_PRIMARY = "kill -9 the primary";

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

  "restart the primary": async ({ cluster, state }) => {
    state.primaryGoesDown();
    await cluster.primary.halt();
    await cluster.primary.resume();
    state.primaryIsBack();
    return { at: performance.now(), isUsed: async () => true };
  },

  [KILLED_PRIMARY]: async ({ cluster, urlOn, state }) => {
    const writing = writeUntilGone(urlOn(cluster.primary));
    await pause(WRITING_MS);
    state.primaryGoesDown();
    await cluster.primary.kill();
    await writing;
    await pause(KILLED_MS);
    await cluster.primary.resume();
    state.primaryIsBack();
    return { at: performance.now(), isUsed: async () => true };
  },

  "freeze the primary": async ({ cluster, state }) => {
    state.primaryGoesDown();
    await cluster.primary.freeze();
    await pause(FROZEN_MS);
    await cluster.primary.thaw();
    state.primaryIsBack();
    return { at: performance.now(), isUsed: async () => true };
  },
};

/** Index scans on that server; health checks cause none. */
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
