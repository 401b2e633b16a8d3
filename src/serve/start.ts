/** Starts a service: everything in this process, or a primary with workers (cluster/). */
import type { FastifyInstance } from "fastify";
import type { Config } from "#config";
import { Metrics } from "#http/metrics.ts";
import { startBackgroundTasks } from "./background.ts";
import { callOnce } from "./call-once.ts";
import { openMetricsPort } from "./metrics-port.ts";
import type { OnProgress, Service } from "./service.ts";
import { openTracing } from "./tracing.ts";

/** A service whose server is in this process. */
export interface StartedService extends Service {
  server: FastifyInstance;
}

export async function startService(config: Config, onProgress?: OnProgress): Promise<Service> {
  if (config.workers === 1) return start(config, onProgress);
  const { startPrimary } = await import("./cluster/primary.ts");
  return startPrimary(config, onProgress);
}

/** Everything in this process. */
export async function start(config: Config, onProgress?: OnProgress): Promise<StartedService> {
  const background = await startBackgroundTasks(config, onProgress);
  const { services, log, queue, live } = background;
  // First no more requests, then no more imports, then the store.
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeNext of closers) await closeNext();
    await background.close();
  };
  try {
    // The primary of several processes serves no requests and does not load it.
    const { createHttpService } = await import("./http-service.ts");
    const tracing = await openTracing(config, log);
    const metrics = new Metrics(background.metrics);
    const http = createHttpService(config, services, {
      logger: log,
      queue,
      live,
      metrics,
      metricsPublic: config.metrics === "public",
      runAdmin: background.runAdmin,
      computeRanking: background.computeRanking,
      recordAudit: services.recordAudit,
      usage: background.usage,
      errors: background.errors,
      tracer: tracing,
    });
    closers.push(() => http.close());
    if (tracing !== null) closers.push(() => tracing.close());
    closers.push(await openMetricsPort(config, async () => metrics.render()));
    const url = await http.server.listen({ host: config.host, port: config.port });
    // Last, so that a failed start leaves no import running and no token that nobody was shown.
    await queue.resume();
    const startup = await background.describeStart(url);
    return {
      server: http.server,
      startup,
      log,
      setLogLevel: (level) => void (log.level = level),
      reopenLog: () => background.reopenLog(),
      stop: callOnce(close),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
