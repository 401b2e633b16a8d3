/** Starts a service: everything in this process, or a primary with workers (cluster/). */
import type { FastifyInstance } from "fastify";
import type { Config } from "#config";
import { Metrics } from "#http/metrics.ts";
import { startBackgroundTasks } from "./background.ts";
import { callOnce } from "./call-once.ts";
import { openMetricsPort } from "./metrics-port.ts";
import type { Service } from "./service.ts";

/** A service whose server is in this process. */
export interface StartedService extends Service {
  server: FastifyInstance;
}

export async function startService(config: Config): Promise<Service> {
  if (config.workers === 1) return start(config);
  const { startPrimary } = await import("./cluster/primary.ts");
  return startPrimary(config);
}

/** Everything in this process. */
export async function start(config: Config): Promise<StartedService> {
  const background = await startBackgroundTasks(config);
  const { services, log, queue } = background;
  // First no more requests, then no more imports, then the store.
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeNext of closers) await closeNext();
    await background.close();
  };
  try {
    // The primary of several processes serves no requests and does not load it.
    const { createHttpService } = await import("./http-service.ts");
    const metrics = new Metrics();
    const http = createHttpService(config, services, {
      logger: log,
      queue,
      metrics,
      metricsPublic: config.metrics === "public",
    });
    closers.push(() => http.close());
    closers.push(await openMetricsPort(config, async () => metrics.render()));
    const url = await http.server.listen({ host: config.host, port: config.port });
    // Last, so that a failed start leaves no import running.
    await queue.resume();
    return {
      server: http.server,
      startup: { url, bootstrapToken: background.bootstrapToken, demoSeeded: background.demoSeeded },
      log,
      setLogLevel: (level) => void (log.level = level),
      stop: callOnce(close),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
