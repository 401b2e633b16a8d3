/**
 * The first of several processes: it keeps the house (store, imports, limits) and answers no request itself. Its
 * workers share the port; Node's cluster gives them connections in turn.
 */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { SharedBalances } from "#rate-limit/shared-balances.ts";
import { startBackgroundTasks, type BackgroundTasks } from "../background.ts";
import { callOnce } from "../call-once.ts";
import type { Config, LogLevel } from "#config";
import { openMetricsPort } from "../metrics-port.ts";
import type { Service } from "../service.ts";
import { AggregateMetrics } from "./aggregate-metrics.ts";
import { WorkerPool, type PrimaryHandlers } from "./worker-pool.ts";

export async function startPrimary(config: Config): Promise<Service> {
  // Before the store is opened: they load what they need meanwhile.
  const crew = new WorkerPool(config.workers);
  try {
    const upkeep = await startBackgroundTasks(config);
    try {
      return await startWorkerPool(config, crew, upkeep);
    } catch (error) {
      await upkeep.close();
      throw error;
    }
  } catch (error) {
    crew.kill();
    throw error;
  }
}

/** What workers are told when they open, and again when it changes. */
interface WorkerState {
  port: number;
  logLevel: LogLevel;
  uploadsFull: boolean;
}

async function startWorkerPool(config: Config, crew: WorkerPool, upkeep: BackgroundTasks): Promise<Service> {
  const { services: house, log, queue } = upkeep;
  const metrics = new AggregateMetrics();
  // For workers on a file; with PostgreSQL each of them is a node.
  const balances = new SharedBalances();
  const standing: WorkerState = { port: config.port, logLevel: config.logLevel, uploadsFull: false };
  const tellWhetherFull = () => {
    if (standing.uploadsFull === queue.isFull()) return;
    standing.uploadsFull = queue.isFull();
    for (const { link } of crew.members) link.notify("uploadsFull", standing.uploadsFull);
  };
  const duty: PrimaryHandlers = {
    answers: {
      exchangeRateLimits: (reports) => balances.exchange(reports),
      async upload({ key, origin, label }) {
        await queue.add(key, origin, label);
        tellWhetherFull();
        return null;
      },
      metrics: () => metrics.text(crew.members),
    },
    opening: () => ({
      config: { ...config, port: standing.port, logLevel: standing.logLevel },
      uploadsFull: standing.uploadsFull,
    }),
    lost(id, { error, ...loss }) {
      metrics.lost(id);
      log.error({ worker: id, ...loss, err: error }, "a worker ended; another takes its place");
    },
  };
  const closeMetricsPort = await openMetricsPort(config, () => metrics.text(crew.members));
  let address: string;
  try {
    address = await listen(config, crew, duty, standing);
  } catch (error) {
    await closeMetricsPort();
    throw error;
  }
  const timer = setInterval(tellWhetherFull, LOOK_EVERY_MS);
  const endEvents = house.store.events.subscribe((event) => {
    for (const { link } of crew.members) link.notify("changed", event);
  });
  // Last, so that a start that fails has begun no import.
  await queue.resume();
  return {
    startup: { url: address, bootstrapToken: upkeep.bootstrapToken, demoSeeded: upkeep.demoSeeded },
    log,
    setLogLevel(level) {
      log.level = standing.logLevel = level;
      for (const { link } of crew.members) link.notify("logLevel", level);
    },
    stop: callOnce(async () => {
      await crew.stop();
      clearInterval(timer);
      endEvents();
      await closeMetricsPort();
      await upkeep.close();
    }),
  };
}

/** How long an upload may be let in, or refused, after the queue has changed. */
const LOOK_EVERY_MS = 500;

/** A free port is found first, so that a worker that comes later gets the same; until it is used others may take it. */
const ATTEMPTS = 5;

async function listen(config: Config, crew: WorkerPool, duty: PrimaryHandlers, standing: WorkerState): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    if (config.port === 0) standing.port = await freePort(config.host);
    try {
      return await crew.open(duty);
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (config.port !== 0 || !taken || attempt === ATTEMPTS) throw error;
    }
  }
}

async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
