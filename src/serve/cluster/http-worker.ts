/** One of several processes that answer on one port. It reads the store and asks the first process for all else. */
import type { RateLimitExchange } from "#domain/rate-bucket.ts";
import type { StoreEvent } from "#store/store.ts";
import { EventHub } from "#store/event-hub.ts";
import { Metrics } from "#http/metrics.ts";
import { METRICS_TYPE } from "#http/health-routes.ts";
import type { Logger } from "pino";
import { createHttpService } from "../http-service.ts";
import type { LogLevel } from "#config";
import { openReadOnlyServices } from "../services.ts";
import { openLog } from "../logging.ts";
import { openReadOnlyStore } from "../open-store.ts";
import type { PrimaryMethods, WorkerInit } from "./ipc-protocol.ts";
import { RemoteUploadQueue } from "./remote-upload-queue.ts";
import type { RpcChannel } from "./ipc-rpc.ts";

export class HttpWorker {
  readonly #first: RpcChannel<PrimaryMethods>;
  readonly #events = new EventHub();
  readonly #metrics = new Metrics();
  #uploadsFull = false;
  #logLevel: LogLevel = "silent";
  #log: Logger | null = null;
  #close: (() => Promise<void>) | null = null;

  constructor(first: RpcChannel<PrimaryMethods>) {
    this.#first = first;
  }

  async open({ config, uploadsFull }: WorkerInit): Promise<string> {
    const first = this.#first;
    this.#uploadsFull = uploadsFull;
    this.#logLevel = config.logLevel;
    const rateLimits: RateLimitExchange = { exchange: (reports) => first.call("exchangeRateLimits", reports) };
    const store = await openReadOnlyStore(config, { rateLimits, events: this.#events });
    const house = openReadOnlyServices(config, store);
    const lines = openLog({ ...config, logLevel: "silent" });
    const { logger: log } = lines;
    const answering = createHttpService(config, house, {
      logger: log,
      queue: new RemoteUploadQueue(store.jobs, config.dataDir, first, () => this.#uploadsFull),
      metrics: this.#metrics,
      metricsPublic: false,
    });
    const { server } = answering;
    if (config.metrics === "public") {
      server.get("/metrics", async (_request, reply) =>
        reply.type(METRICS_TYPE).send(await first.call("metrics", null)),
      );
    }
    this.#log = log;
    this.#close = async () => {
      await answering.close();
      await house.close();
      lines.close();
    };
    try {
      const address = await server.listen({ host: config.host, port: config.port });
      // The first process has a line for where all of them listen; and what it told meanwhile counts.
      log.level = this.#logLevel;
      return address;
    } catch (error) {
      // It may be told to open again, on another port.
      await this.close();
      throw error;
    }
  }

  metrics(): string {
    return this.#metrics.text();
  }

  hearOf(event: StoreEvent): null {
    this.#events.tell(event);
    return null;
  }

  setUploadsFull(full: boolean): null {
    this.#uploadsFull = full;
    return null;
  }

  setLogLevel(level: LogLevel): null {
    this.#logLevel = level;
    if (this.#log !== null) this.#log.level = level;
    return null;
  }

  async close(): Promise<void> {
    await this.#close?.();
    this.#close = null;
  }
}
