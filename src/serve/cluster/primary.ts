/**
 * The primary of several processes: it owns the store for writing, imports and rate limits, and serves no requests.
 * Its workers share the port.
 */
import { errorCode } from "#domain/error-code.ts";
import type { Config, LogLevel } from "#config";
import { SharedBalances } from "#rate-limit/shared-balances.ts";
import { type BackgroundTasks, startBackgroundTasks } from "../background.ts";
import { callOnce } from "../call-once.ts";
import { openMetricsPort } from "../metrics-port.ts";
import { probePort } from "../probe-port.ts";
import type { OnProgress, Service } from "../service.ts";
import { AggregateMetrics } from "./aggregate-metrics.ts";
import { type PrimaryHandlers, WorkerPool } from "./worker-pool.ts";

/** How often workers learn which tokens fill the upload queue. */
const QUEUE_CHECK_MS = 500;

/** A free port may be taken by another program before a worker listens on it. */
const FREE_PORT_ATTEMPTS = 5;

export async function startPrimary(config: Config, onProgress?: OnProgress): Promise<Service> {
  // Before the store is opened, so that the first worker loads its code meanwhile.
  const pool = new WorkerPool(config.workers);
  try {
    const background = await startBackgroundTasks(config, onProgress);
    try {
      return await startWorkers(config, pool, background);
    } catch (error) {
      await background.close();
      throw error;
    }
  } catch (error) {
    pool.kill();
    throw error;
  }
}

/** Sent to workers when they start and when it changes. */
interface WorkerState {
  port: number;
  logLevel: LogLevel;
  fullTokens: string[];
}

async function startWorkers(config: Config, pool: WorkerPool, background: BackgroundTasks): Promise<Service> {
  const { services, log, queue, live, runAdmin } = background;
  const metrics = new AggregateMetrics(background.metrics);
  // Used by workers on a SQLite file; on PostgreSQL they exchange balances through the database.
  const balances = new SharedBalances();
  const state: WorkerState = { port: config.port, logLevel: config.logLevel, fullTokens: [] };
  const reportQueue = () => {
    const fullTokens = queue.fullTokens();
    if (state.fullTokens.join() === fullTokens.join()) return;
    state.fullTokens = fullTokens;
    for (const { channel } of pool.started) channel.notify("fullTokens", fullTokens);
  };
  const handlers: PrimaryHandlers = {
    methods: {
      exchangeRateLimits: (reports) => balances.exchange(reports),
      async addUpload(upload) {
        const key = await queue.add(upload);
        reportQueue();
        return key;
      },
      metrics: () => metrics.text(pool.started),
      admin: runAdmin,
      async recordAudit(event) {
        await services.recordAudit(event);
        return null;
      },
      reportRequests({ usage, errors }) {
        background.usage.add(usage);
        for (const error of errors) background.errors.add(error);
        return null;
      },
      async computeRanking(day) {
        await background.computeRanking(day);
        return null;
      },
      askSource: async (request) => live?.ask(request) ?? { state: "none" },
    },
    workerInit: () => ({
      config: { ...config, port: state.port, logLevel: state.logLevel },
      fullTokens: state.fullTokens,
    }),
    onWorkerExit({ id, error, ...exit }) {
      metrics.workerExited(id);
      log.error({ worker: id, ...exit, err: error }, "worker exited; replacing it");
    },
    onProtocolError: (error) => log.error({ err: error }, "IPC message failed"),
  };
  const closeMetricsPort = await openMetricsPort(config, () => metrics.text(pool.started));
  let url: string;
  try {
    url = await startPool(config, pool, handlers, state);
  } catch (error) {
    await closeMetricsPort();
    throw error;
  }
  const queueTimer = setInterval(reportQueue, QUEUE_CHECK_MS);
  const unsubscribe = services.store.events.subscribe((event) => {
    for (const { channel } of pool.started) channel.notify("storeEvent", event);
  });
  // Last, so that a failed start leaves no import running and no token that nobody was shown.
  await queue.resume();
  const startup = await background.describeStart(url);
  return {
    startup,
    log,
    setLogLevel(level) {
      log.level = state.logLevel = level;
      for (const { channel } of pool.started) channel.notify("logLevel", level);
    },
    reopenLog() {
      background.reopenLog();
      for (const { channel } of pool.started) channel.notify("reopenLog", null);
    },
    stop: callOnce(async () => {
      await pool.stop();
      clearInterval(queueTimer);
      unsubscribe();
      await closeMetricsPort();
      await background.close();
    }),
  };
}

async function startPool(
  config: Config,
  pool: WorkerPool,
  handlers: PrimaryHandlers,
  state: WorkerState,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    // Listening with SO_REUSEPORT, as workers do, would not fail on a port that another such service uses.
    state.port = await probePort(config.host, config.port);
    try {
      return await pool.start(handlers);
    } catch (error) {
      const isTaken = errorCode(error) === "EADDRINUSE";
      if (config.port !== 0 || !isTaken || attempt === FREE_PORT_ATTEMPTS) throw error;
    }
  }
}
