/**
 * The composition root of the service: config -> house (store, access) -> surfaces. One process does it all, or a first
 * one keeps the house and workers answer (src/workers).
 */
import type { FastifyInstance } from "fastify";
import { Metrics } from "#http/metrics.ts";
import { startBackgroundTasks } from "./background.ts";
import { callOnce } from "./call-once.ts";
import type { Config } from "#config";
import { openMetricsPort } from "./metrics-port.ts";
import type { Service } from "./service.ts";

/** A service whose server is in this process. */
export interface StartedService extends Service {
  server: FastifyInstance;
}

/** In as many processes as the setting says. */
export async function startService(config: Config): Promise<Service> {
  if (config.workers === 1) return start(config);
  const { startPrimary: startWorkers } = await import("./cluster/primary.ts");
  return startWorkers(config);
}

/** Opens the house, fills it on the first start, and listens: all of it in this process. */
export async function start(config: Config): Promise<StartedService> {
  const upkeep = await startBackgroundTasks(config);
  const { services: house, log, queue } = upkeep;
  // In the order they are closed again: first no more requests, then no more imports, then no store.
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of opened) await end();
    await upkeep.close();
  };
  try {
    // A first process among several answers nothing and has no use for it.
    const { createHttpService: openAnswering } = await import("./http-service.ts");
    const metrics = new Metrics();
    const answering = openAnswering(config, house, {
      logger: log,
      queue,
      metrics,
      metricsPublic: config.metrics === "public",
    });
    opened.push(() => answering.close());
    opened.push(await openMetricsPort(config, async () => metrics.text()));
    const address = await answering.server.listen({ host: config.host, port: config.port });
    // Last, so that a start that fails has begun no import.
    await queue.resume();
    return {
      server: answering.server,
      startup: { url: address, bootstrapToken: upkeep.bootstrapToken, demoSeeded: upkeep.demoSeeded },
      log,
      setLogLevel: (level) => void (log.level = level),
      stop: callOnce(close),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
