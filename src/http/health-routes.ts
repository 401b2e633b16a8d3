/** Liveness, readiness and metrics. */
import type { FastifyInstance } from "fastify";
import { unavailable } from "#errors";
import type { Metrics } from "./metrics.ts";
import { PUBLIC } from "./route-access.ts";

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

interface HealthServices {
  ping: () => Promise<void>;
  metrics: Metrics;
  metricsPublic: boolean;
}

export function registerHealthRoutes(app: FastifyInstance, { ping, metrics, metricsPublic }: HealthServices): void {
  app.get("/healthz", { config: PUBLIC }, async (_request, reply) =>
    reply.header("cache-control", "no-store").send({ status: "ok" }),
  );

  app.get("/readyz", { config: PUBLIC }, async (request, reply) => {
    try {
      await ping();
    } catch (cause) {
      request.log.warn({ err: cause }, "store not ready");
      throw unavailable("the store is unavailable; retry in 1 s", cause);
    }
    return reply.header("cache-control", "no-store").send({ status: "ready" });
  });

  if (metricsPublic)
    app.get("/metrics", { config: PUBLIC }, async (_request, reply) => reply.type(METRICS_TYPE).send(metrics.render()));
}
