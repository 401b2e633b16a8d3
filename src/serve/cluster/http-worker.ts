/** One of several processes that serve the same port. It only reads the store; the primary does the rest. */
import type { LogLevel } from "#config";
import { METRICS_TYPE } from "#http/health-routes.ts";
import { RecentErrors } from "#http/admin/recent-errors.ts";
import { type MetricFamily, Metrics } from "#http/metrics.ts";
import { PUBLIC } from "#http/route-access.ts";
import { UsageCounter } from "#http/usage-counter.ts";
import { EventHub } from "#store/write/event-hub.ts";
import type { StoreEvent } from "#store/write/events.ts";
import { createHttpService } from "../http-service.ts";
import { type Log, openLog } from "../logging.ts";
import { openReadOnlyStore } from "../open-store.ts";
import { openReadOnlyServices } from "../services.ts";
import { openTracing } from "../tracing.ts";
import type { PrimaryChannel, WorkerInit } from "./ipc-protocol.ts";
import { openRemoteSources } from "./remote-sources.ts";
import { RemoteUploadQueue } from "./remote-upload-queue.ts";

const REPORT_EVERY_MS = 1_000;

export class HttpWorker {
  readonly #primary: PrimaryChannel;
  readonly #events = new EventHub();
  readonly #metrics = new Metrics();
  readonly #usage = new UsageCounter();
  readonly #errors = new RecentErrors();
  #fullTokens: readonly string[] = [];
  #logLevel: LogLevel = "silent";
  #log: Log | null = null;
  #close: (() => Promise<void>) | null = null;

  constructor(primary: PrimaryChannel) {
    this.#primary = primary;
  }

  async start({ config, fullTokens }: WorkerInit): Promise<string> {
    const primary = this.#primary;
    this.#fullTokens = fullTokens;
    this.#logLevel = config.logLevel;
    const store = await openReadOnlyStore(config, {
      rateLimits: { exchange: (reports) => primary.call("exchangeRateLimits", [...reports]) },
      events: this.#events,
    });
    const services = openReadOnlyServices(config, store);
    // Silent until it listens: the primary logs the URL once for all workers.
    const log = openLog({ ...config, logLevel: "silent" });
    const tracing = await openTracing(config, log.logger);
    const http = createHttpService(config, services, {
      logger: log.logger,
      queue: new RemoteUploadQueue(config.dataDir, primary, (token) => this.#fullTokens.includes(token)),
      live: openRemoteSources(config, primary),
      metrics: this.#metrics,
      metricsPublic: false,
      runAdmin: async (request) => {
        // What this worker has counted is part of the response.
        await this.#report();
        return primary.call("admin", request);
      },
      computeRanking: async (day) => void (await primary.call("computeRanking", day)),
      recordAudit: async (event) => void (await primary.call("recordAudit", event)),
      usage: this.#usage,
      errors: this.#errors,
      tracer: tracing,
    });
    if (config.metrics === "public") {
      http.server.get("/metrics", { config: PUBLIC }, async (_request, reply) =>
        reply.type(METRICS_TYPE).send(await primary.call("metrics", null)),
      );
    }
    this.#log = log;
    const reportTimer = setInterval(() => void this.#report(), REPORT_EVERY_MS);
    this.#close = async () => {
      await http.close();
      clearInterval(reportTimer);
      await this.#report();
      await tracing?.close();
      await services.close();
      log.close();
    };
    try {
      // Every worker opens the port for itself, and the kernel spreads connections over them.
      const listenOptions = { host: config.host, port: config.port, reusePort: true };
      const url = await http.server.listen(listenOptions);
      // As last set: it may have changed since `config` was sent.
      log.logger.level = this.#logLevel;
      return url;
    } catch (error) {
      // The primary may start it again on another port.
      await this.close();
      throw error;
    }
  }

  metrics(): MetricFamily[] {
    return this.#metrics.families();
  }

  emit(event: StoreEvent): void {
    this.#events.emit(event);
  }

  setFullTokens(tokens: readonly string[]): void {
    this.#fullTokens = tokens;
  }

  setLogLevel(level: LogLevel): void {
    this.#logLevel = level;
    if (this.#log !== null) this.#log.logger.level = level;
  }

  reopenLog(): void {
    this.#log?.reopen();
  }

  logError(error: Error): void {
    this.#log?.logger.error({ err: error }, "IPC message failed");
  }

  async #report(): Promise<void> {
    const usage = this.#usage.take();
    const errors = this.#errors.take();
    if (usage.length === 0 && errors.length === 0) return;
    // The primary has exited, and this process exits with it.
    await this.#primary.call("reportRequests", { usage, errors }).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#close?.();
    this.#close = null;
  }
}
