import { createServer, type Server } from "node:http";
import { METRICS_TYPE } from "#http/health-routes.ts";
import type { Config } from "#config";

/** A listener for metrics on loopback, if a port is configured. Returns its stop function. */
export async function openMetricsPort(config: Config, text: () => Promise<string>): Promise<() => Promise<void>> {
  if (typeof config.metrics !== "number") return async () => undefined;
  const server = await serveMetrics(text, config.metrics);
  return async () => void server.close();
}

function serveMetrics(text: () => Promise<string>, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const found = request.url === "/metrics";
      response.writeHead(found ? 200 : 404, { "content-type": METRICS_TYPE });
      if (!found) response.end();
      else
        text().then(
          (metrics) => response.end(metrics),
          () => response.destroy(),
        );
    });
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
