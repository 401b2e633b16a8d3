import type { Server } from "node:http";
import { METRICS_TYPE } from "#http/health-routes.ts";
import type { Config } from "#config";

/** Serves metrics on a port of their own, if METRICS names one. Returns a stop function. */
export async function openMetricsPort(config: Config, render: () => Promise<string>): Promise<() => Promise<void>> {
  if (typeof config.metrics === "string") return async () => undefined;
  const server = await listenForMetrics(render, config.metrics);
  return async () => void server.close();
}

async function listenForMetrics(
  render: () => Promise<string>,
  { host, port }: { host: string; port: number },
): Promise<Server> {
  // Loaded on demand: an import of node:http loads Node's HTTP client too, a seventh of what a service loads at its start.
  const { createServer } = await import("node:http");
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const isFound = request.url === "/metrics";
      response.writeHead(isFound ? 200 : 404, { "content-type": METRICS_TYPE });
      if (!isFound) response.end();
      else
        render().then(
          (text) => response.end(text),
          () => response.destroy(),
        );
    });
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}
