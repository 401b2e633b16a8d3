/** The HTTP server with its rate limiter and response cache: in a service of one process, or in each worker. */
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { RateLimiter } from "#rate-limit/rate-limiter.ts";
import type { RunAdmin } from "#http/admin/run-admin.ts";
import { FailedAttempts } from "#rate-limit/failed-attempts.ts";
import { FairQueue } from "#http/fair-queue.ts";
import type { LiveSources } from "#live/live-port.ts";
import type { Metrics } from "#http/metrics.ts";
import type { RecentErrors } from "#http/admin/recent-errors.ts";
import { createServer } from "#http/server.ts";
import type { RequestTracer } from "#http/trace-context.ts";
import { createProxyCheck } from "./trusted-proxies.ts";
import type { UsageCounter } from "#http/usage-counter.ts";
import type { UploadQueue } from "#http/uploads/upload-queue.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import type { Audit } from "#privacy/audit-log.ts";
import { type Config, PROGRAM } from "#config";
import type { ComputeRanking } from "#api/rankings.ts";
import { withTimeout } from "#domain/with-timeout.ts";
import { rankingPending } from "#errors";
import { cacheCounts } from "#store/sql/count-cache.ts";
import { cacheReaders } from "#store/sql/reader-cache.ts";
import { createExportAccess } from "./export-access.ts";
import type { ReadOnlyStore } from "./open-store.ts";
import { retentionSettings } from "./retention-settings.ts";
import { SearchThreads } from "./search-threads.ts";
import type { ReadOnlyServices } from "./services.ts";

export interface HttpServiceOptions {
  logger: Logger;
  queue: UploadQueue;
  /** Null if no live source is on. */
  live: LiveSources | null;
  metrics: Metrics;
  /** Whether this server has the route /metrics. */
  metricsPublic: boolean;
  runAdmin: RunAdmin;
  /** In the process that computes rankings; resolves when it is done. */
  computeRanking: ComputeRanking;
  recordAudit: Audit["record"];
  /** Count the requests of this server. */
  usage: UsageCounter;
  errors: RecentErrors;
  /** Null unless traces are sent. */
  tracer: RequestTracer | null;
}

export interface HttpService {
  /** Not listening yet. */
  server: FastifyInstance;
  /** Finishes requests, then reports what they spent of rate limits. Leaves the services open. */
  close(): Promise<void>;
}

/** With PostgreSQL, a client gets a 503 within two seconds at worst. */
const REQUEST_TIMEOUT_MS = 1_900;
/** A client waits no longer for rankings as of a day; they are kept for its next request. */
const RANKING_TIMEOUT_MS = 10_000;
/** A write by another node may be noticed late: cached responses are never older than this, nor are counts in new ones. */
const CACHE_MAX_AGE_MS = 1_000;
/** On PostgreSQL, of all workers together: half of the connections that read stay free for look-ups. */
const POSTGRES_SEARCHES = 8;
const WARN_EVERY_MS = 60_000;

export function createHttpService(
  config: Config,
  services: ReadOnlyServices,
  {
    logger,
    queue,
    live,
    metrics,
    metricsPublic,
    runAdmin,
    computeRanking,
    recordAudit,
    usage,
    errors,
    tracer,
  }: HttpServiceOptions,
): HttpService {
  /** Exports are recorded after their responses. */
  const recording = new Set<Promise<void>>();
  const limiter = new RateLimiter(config.limits, services.store.rateLimits);
  const searchThreads = openThreads(config, services, logger);
  const searchQueue = createSearchQueue(config, searchThreads, metrics, logger);
  const server = createServer({
    operations: services.operations,
    store: config.store === null || config.cacheBytes === 0 ? services.store : withCachedCounts(services.store),
    cache: {
      maxBytes: config.cacheBytes,
      maxAgeMs: config.store === null ? null : CACHE_MAX_AGE_MS,
      dataVersion: () => services.store.dataVersion(),
    },
    tokens: services.tokens,
    limiter,
    searchQueue,
    searchThreads,
    cursorKey: services.secrets.cursors,
    defaults: config.defaults,
    timeoutMs: config.store === null ? null : REQUEST_TIMEOUT_MS * (config.store.timeoutFactor ?? 1),
    live:
      live === null
        ? null
        : {
            sources: live,
            deadlineMs: config.live.deadlineMs,
            maxAgeMs: config.live.maxAgeMs,
            noteWrite: () => services.store.noteWrite(),
          },
    computeRanking: (day) => withTimeout(RANKING_TIMEOUT_MS, computeRanking(day), () => rankingPending(day)),
    logger,
    metrics,
    metricsPublic,
    ingest: { tokens: services.tokens, jobs: services.store.jobs, queue, maxBytes: config.ingestMaxBytes },
    exports: {
      platforms: PLATFORMS,
      pseudonyms: services.secrets.pseudonyms,
      ...createExportAccess(services.store, retentionSettings(config), async (event) => {
        const recorded = recordAudit(event);
        recording.add(recorded);
        await recorded.finally(() => recording.delete(recorded));
      }),
    },
    corsOrigins: config.corsOrigins,
    console: config.console ? { program: PROGRAM } : null,
    runAdmin,
    usage,
    errors,
    tracer,
    securityContact: config.securityContact,
    publicUrl: config.publicUrl,
    connections: { ...config.connections, isTrustedProxy: createProxyCheck(config.trustedProxies) },
    failedAttempts: config.limits === "off" ? null : new FailedAttempts(config.maxFailedAttempts),
    ping: () => services.store.ping(),
  });
  // A start does not wait for the threads: until they are ready, searches run on this one.
  server.addHook("onListen", async () => searchThreads?.start());
  const stopLimiter = limiter.start();
  const unsubscribe = services.tokens.subscribe(services.store.events);
  return {
    server,
    async close() {
      await server.close();
      await Promise.allSettled(recording);
      await searchThreads?.close();
      await stopLimiter();
      await unsubscribe();
    },
  };
}

/** Most pages of a long list count it, which takes the server longer than all else together. */
function withCachedCounts(store: ReadOnlyStore): ReadOnlyStore {
  const options = { dataVersion: () => store.dataVersion(), maxAgeMs: CACHE_MAX_AGE_MS };
  return { ...store, reader: cacheReaders((platform, mode) => cacheCounts(store.reader(platform, mode), options)) };
}

/** Null where searches block nothing, or are meant to run on this thread. */
function openThreads(config: Config, { secrets }: ReadOnlyServices, logger: Logger): SearchThreads | null {
  if (config.store !== null || config.searches.threads === 0) return null;
  return new SearchThreads(config, secrets.cursors, (error) =>
    logger.error({ err: error }, "search thread failed; starting another"),
  );
}

function createSearchQueue(
  { store, workers, searches: { maxMs } }: Config,
  threads: SearchThreads | null,
  metrics: Metrics,
  logger: Logger,
): FairQueue {
  const withoutThreads =
    store === null ? Number.POSITIVE_INFINITY : Math.max(2, Math.ceil(POSTGRES_SEARCHES / workers));
  const concurrency = () => (threads === null ? withoutThreads : Math.max(1, threads.ready));
  let warnedAt = Number.NEGATIVE_INFINITY;
  const queue = new FairQueue(
    { concurrency, maxMs },
    {
      onStart: (waitedS) => metrics.recordSearchWait(waitedS),
      onShed(reason) {
        metrics.countShedSearch(reason);
        const now = performance.now();
        if (now - warnedAt < WARN_EVERY_MS) return;
        warnedAt = now;
        logger.warn({ waiting: queue.length }, "searches rejected: more arrive than can be executed");
      },
    },
  );
  metrics.watchSearches({ waiting: () => queue.length, threads: () => threads?.ready ?? 0 });
  return queue;
}
