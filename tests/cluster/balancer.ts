/** A minimal load balancer: round robin over ready nodes; a request lost with a dying node is retried once on another. */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const CHECK_INTERVAL_MS = 300;
const CHECK_TIMEOUT_MS = 1_800;
const KEEP_ALIVE_MS = 120_000;

interface Backend {
  url: string;
  isUp: boolean;
  responses: number;
  failedAt: number;
}

export interface Balancer {
  url: string;
  /** Requests sent to a second node. */
  retried: number;
  /** Responses of one node. */
  countResponses(url: string): number;
  close(): Promise<void>;
}

export async function startBalancer(urls: readonly string[], checkTimeoutMs = CHECK_TIMEOUT_MS): Promise<Balancer> {
  const backends: Backend[] = urls.map((url) => ({ url, isUp: true, responses: 0, failedAt: 0 }));
  const agent = new Agent({ keepAlive: true });
  let requests = 0;
  const stopping = new AbortController();
  const next = (except: Backend | null): Backend | null => {
    for (let step = 0; step < backends.length; step++) {
      const backend = backends[requests++ % backends.length] as Backend;
      if (backend.isUp && backend !== except) return backend;
    }
    return null;
  };
  const balancer: Balancer = {
    url: "",
    retried: 0,
    countResponses: (url) => backends.find((backend) => backend.url === url)?.responses ?? 0,
    async close() {
      stopping.abort();
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, lost: Backend | null): void => {
    const backend = next(lost);
    if (backend === null) {
      outgoing.writeHead(503, { "retry-after": "1" }).end("no node is ready");
      return;
    }
    let responded = false;
    const request = httpRequest(
      backend.url + (incoming.url ?? "/"),
      { method: "GET", agent, headers: incoming.headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", failed);
        // Forwarded once it is complete: until then the request can be retried on another node.
        response.on("end", () => {
          if (!response.complete) return failed();
          responded = true;
          backend.responses++;
          outgoing.writeHead(response.statusCode ?? 502, response.headers).end(Buffer.concat(chunks));
        });
      },
    );
    let hasFailed = false;
    const failed = () => {
      if (hasFailed || responded) return;
      hasFailed = true;
      backend.isUp = false;
      backend.failedAt = performance.now();
      if (lost !== null) return void outgoing.writeHead(502).end("two nodes failed");
      balancer.retried++;
      forward(incoming, outgoing, backend);
    };
    request.on("error", failed);
    request.end();
  };

  // Longer than the keep-alive of the nodes, whose headers are forwarded: else a client may reuse a closing connection.
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) =>
    forward(incoming, outgoing, null),
  );
  const check = async (backend: Backend) => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const ready = await isReady(backend.url, checkTimeoutMs);
      // A request that failed during the check is newer information.
      if (!ready || backend.failedAt < startedAt) backend.isUp = ready;
      await pause(CHECK_INTERVAL_MS, undefined, { ref: false });
    }
  };
  for (const backend of backends) void check(backend);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  balancer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return balancer;
}

async function isReady(url: string, timeoutMs: number): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(timeoutMs) })).ok;
  } catch {
    return false;
  }
}
