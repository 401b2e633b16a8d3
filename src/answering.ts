/** The half of the service that answers requests. One process has it beside the upkeep; of several, each worker has it. */
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { RateLimits } from "#access/limits.ts";
import type { Metrics } from "#surfaces/http/metrics.ts";
import { createServer } from "#surfaces/http/server.ts";
import type { ImportQueue } from "#surfaces/ingest-http/import-queue.ts";
import type { Config } from "./config.ts";
import type { AnsweringHouse } from "./house.ts";

export interface AnsweringParts {
  logger: Logger;
  queue: ImportQueue;
  metrics: Metrics;
  /** Whether this server shows them. */
  metricsPublic: boolean;
}

export interface Answering {
  /** It does not listen yet. */
  server: FastifyInstance;
  /** First no more requests, then no shares of limits. The house is left open. */
  close(): Promise<void>;
}

/** With a store over the network, at worst a 503 comes within two seconds. */
const ANSWER_WITHIN_MS = 1_900;
/** A write by another node may be noticed late: no response is older than this. */
const CACHE_MAX_AGE_MS = 1_000;

export function openAnswering(config: Config, house: AnsweringHouse, parts: AnsweringParts): Answering {
  const { logger, queue, metrics, metricsPublic } = parts;
  const limits = new RateLimits(config.limits, house.store.leases);
  const server = createServer({
    operations: house.operations,
    store: house.store,
    cache: {
      maxBytes: config.cacheBytes,
      maxAgeMs: config.store === null ? null : CACHE_MAX_AGE_MS,
      dataVersion: () => house.store.stamp(),
    },
    tokens: house.tokens,
    limits,
    cursorKey: house.secrets.cursors,
    defaults: config.defaults,
    timeoutMs: config.store === null ? null : ANSWER_WITHIN_MS,
    logger,
    metrics,
    metricsPublic,
    ingest: { tokens: house.tokens, jobs: house.store.jobs, queue, maxBytes: config.ingestMaxBytes },
    corsOrigins: config.corsOrigins,
    connections: config.connections,
    ping: () => house.store.ping(),
  });
  const endSettling = keepSettling(limits);
  const endFollowing = house.tokens.follow(house.store.events);
  return {
    server,
    async close() {
      await server.close();
      await endSettling();
      await endFollowing();
    },
  };
}

const SETTLE_EVERY_MS = 500;

/** Shares of limits that are not used go back to the store. What it returns ends it, with all of them given back. */
function keepSettling(limits: RateLimits): () => Promise<void> {
  const timer = setInterval(() => limits.settle(Date.now()), SETTLE_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await limits.close(Date.now());
  };
}
