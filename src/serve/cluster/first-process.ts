/**
 * The first of several processes: it keeps the house (store, imports, limits) and answers no request itself. Its
 * workers share the port; Node's cluster gives them connections in turn.
 */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { SharedBalances } from "#rate-limit/shared-balances.ts";
import { openUpkeep, type Upkeep } from "../background.ts";
import { callOnce } from "../call-once.ts";
import type { Config, LogLevel } from "#config";
import { openMetricsPort } from "../metrics-port.ts";
import type { Service } from "../service.ts";
import { CrewMetrics } from "./crew-metrics.ts";
import { Crew, type Duty } from "./crew.ts";

export async function startWorkers(config: Config): Promise<Service> {
  // Before the store is opened: they load what they need meanwhile.
  const crew = new Crew(config.workers);
  try {
    const upkeep = await openUpkeep(config);
    try {
      return await startCrew(config, crew, upkeep);
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
interface Standing {
  port: number;
  logLevel: LogLevel;
  uploadsFull: boolean;
}

async function startCrew(config: Config, crew: Crew, upkeep: Upkeep): Promise<Service> {
  const { house, log, queue } = upkeep;
  const metrics = new CrewMetrics();
  // For workers on a file; with PostgreSQL each of them is a node.
  const balances = new SharedBalances();
  const standing: Standing = { port: config.port, logLevel: config.logLevel, uploadsFull: false };
  const tellWhetherFull = () => {
    if (standing.uploadsFull === queue.isFull()) return;
    standing.uploadsFull = queue.isFull();
    for (const { link } of crew.members) link.tell("uploadsFull", standing.uploadsFull);
  };
  const duty: Duty = {
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
    for (const { link } of crew.members) link.tell("changed", event);
  });
  // Last, so that a start that fails has begun no import.
  await queue.resume();
  return {
    welcome: { address, newToken: upkeep.newToken, demoFilled: upkeep.demoFilled },
    log,
    setLogLevel(level) {
      log.level = standing.logLevel = level;
      for (const { link } of crew.members) link.tell("logLevel", level);
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

async function listen(config: Config, crew: Crew, duty: Duty, standing: Standing): Promise<string> {
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
