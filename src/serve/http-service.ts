/** The HTTP server with its rate limiter and response cache: in a service of one process, or in each worker. */
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { RateLimiter } from "#rate-limit/rate-limiter.ts";
import type { RunAdmin } from "#http/admin/run-admin.ts";
import type { Metrics } from "#http/metrics.ts";
import { createServer } from "#http/server.ts";
import type { UploadQueue } from "#http/uploads/upload-queue.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import type { Config } from "#config";
import type { ReadOnlyServices } from "./services.ts";

export interface HttpServiceOptions {
  logger: Logger;
  queue: UploadQueue;
  metrics: Metrics;
  /** Whether this server has the route /metrics. */
  metricsPublic: boolean;
  runAdmin: RunAdmin;
}

export interface HttpService {
  /** Not listening yet. */
  server: FastifyInstance;
  /** Finishes requests, then reports what they spent of rate limits. Leaves the services open. */
  close(): Promise<void>;
}

/** With PostgreSQL, a client gets a 503 within two seconds at worst. */
const REQUEST_TIMEOUT_MS = 1_900;
/** A write by another node may be noticed late: cached responses are never older than this. */
const CACHE_MAX_AGE_MS = 1_000;

export function createHttpService(
  config: Config,
  services: ReadOnlyServices,
  { logger, queue, metrics, metricsPublic, runAdmin }: HttpServiceOptions,
): HttpService {
  const limiter = new RateLimiter(config.limits, services.store.rateLimits);
  const server = createServer({
    operations: services.operations,
    store: services.store,
    cache: {
      maxBytes: config.cacheBytes,
      maxAgeMs: config.store === null ? null : CACHE_MAX_AGE_MS,
      dataVersion: () => services.store.dataVersion(),
    },
    tokens: services.tokens,
    limiter,
    cursorKey: services.secrets.cursors,
    defaults: config.defaults,
    timeoutMs: config.store === null ? null : REQUEST_TIMEOUT_MS * (config.store.timeoutFactor ?? 1),
    logger,
    metrics,
    metricsPublic,
    ingest: { tokens: services.tokens, jobs: services.store.jobs, queue, maxBytes: config.ingestMaxBytes },
    exports: { platforms: PLATFORMS, store: services.store, pseudonyms: services.secrets.pseudonyms },
    corsOrigins: config.corsOrigins,
    connections: config.connections,
    runAdmin,
    ping: () => services.store.ping(),
  });
  const stopLimiter = limiter.start();
  const unsubscribe = services.tokens.subscribe(services.store.events);
  return {
    server,
    async close() {
      await server.close();
      await stopLimiter();
      await unsubscribe();
    },
  };
}
