/** The half of the service that answers requests. One process has it beside the upkeep; of several, each worker has it. */
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { RateLimiter } from "#rate-limit/rate-limiter.ts";
import type { Metrics } from "#http/metrics.ts";
import { createServer } from "#http/server.ts";
import type { ImportQueue } from "#http/uploads/import-queue.ts";
import type { Config } from "#config";
import type { ReadOnlyServices } from "./services.ts";

export interface HttpServiceOptions {
  logger: Logger;
  queue: ImportQueue;
  metrics: Metrics;
  /** Whether this server shows them. */
  metricsPublic: boolean;
}

export interface HttpService {
  /** It does not listen yet. */
  server: FastifyInstance;
  /** Ends requests first, then reports what they spent of rate limits. The house is left open. */
  close(): Promise<void>;
}

/** With a store over the network, at worst a 503 comes within two seconds. */
const REQUEST_TIMEOUT_MS = 1_900;
/** A write by another node may be noticed late: no response is older than this. */
const CACHE_MAX_AGE_MS = 1_000;

export function createHttpService(config: Config, house: ReadOnlyServices, parts: HttpServiceOptions): HttpService {
  const { logger, queue, metrics, metricsPublic } = parts;
  const limiter = new RateLimiter(config.limits, house.store.rateLimits);
  const server = createServer({
    operations: house.operations,
    store: house.store,
    cache: {
      maxBytes: config.cacheBytes,
      maxAgeMs: config.store === null ? null : CACHE_MAX_AGE_MS,
      dataVersion: () => house.store.dataVersion(),
    },
    tokens: house.tokens,
    limiter,
    cursorKey: house.secrets.cursors,
    defaults: config.defaults,
    timeoutMs: config.store === null ? null : REQUEST_TIMEOUT_MS * (config.store.timeoutFactor ?? 1),
    logger,
    metrics,
    metricsPublic,
    ingest: { tokens: house.tokens, jobs: house.store.jobs, queue, maxBytes: config.ingestMaxBytes },
    corsOrigins: config.corsOrigins,
    connections: config.connections,
    ping: () => house.store.ping(),
  });
  const stopExchange = limiter.start();
  const endFollowing = house.tokens.subscribe(house.store.events);
  return {
    server,
    async close() {
      await server.close();
      await stopExchange();
      await endFollowing();
    },
  };
}
