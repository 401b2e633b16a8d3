/**
 * A balancer as small as one can be: nodes take turns, a node that is not ready or not there is left out, and a read
 * that a dying node left unanswered is asked of another one, once.
 */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const CHECK_EVERY_MS = 300;
const CHECK_WITHIN_MS = 1_800;
const KEEP_ALIVE_MS = 120_000;

interface Backend {
  address: string;
  up: boolean;
  answered: number;
  failedAt: number;
}

export interface Balancer {
  address: string;
  /** Reads that were asked of a second node. */
  retried: number;
  /** Answers that a node gave since it was last counted. */
  countResponses(address: string): number;
  close(): Promise<void>;
}

export async function startBalancer(addresses: readonly string[]): Promise<Balancer> {
  const backends: Backend[] = addresses.map((address) => ({ address, up: true, answered: 0, failedAt: 0 }));
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const ending = new AbortController();
  const next = (except: Backend | null): Backend | null => {
    for (let step = 0; step < backends.length; step++) {
      const backend = backends[turn++ % backends.length] as Backend;
      if (backend.up && backend !== except) return backend;
    }
    return null;
  };
  const balancer: Balancer = {
    address: "",
    retried: 0,
    countResponses: (address) => backends.find((backend) => backend.address === address)?.answered ?? 0,
    async close() {
      ending.abort();
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse, lost: Backend | null): void => {
    const backend = next(lost);
    if (backend === null) {
      outgoing.writeHead(503, { "retry-after": "1" }).end("no node is ready");
      return;
    }
    let answering = false;
    const asked = httpRequest(
      backend.address + (incoming.url ?? "/"),
      { method: "GET", agent, headers: incoming.headers },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("error", failed);
        // Passed on when it is whole: until then another node may still be asked.
        answer.on("end", () => {
          if (!answer.complete) return failed();
          answering = true;
          backend.answered++;
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(parts));
        });
      },
    );
    let over = false;
    const failed = () => {
      if (over || answering) return;
      over = true;
      backend.up = false;
      backend.failedAt = performance.now();
      if (lost !== null) return void outgoing.writeHead(502).end("two nodes were lost");
      balancer.retried++;
      pass(incoming, outgoing, backend);
    };
    asked.on("error", failed);
    asked.end();
  };

  // Longer than nodes announce in headers that are passed on: else a caller may meet a connection that is being closed.
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) =>
    pass(incoming, outgoing, null),
  );
  const check = async (backend: Backend) => {
    while (!ending.signal.aborted) {
      const began = performance.now();
      const ready = await isReady(backend.address);
      // A failure that came while the check was under way is the newer word.
      if (!ready || backend.failedAt < began) backend.up = ready;
      await pause(CHECK_EVERY_MS, undefined, { ref: false });
    }
  };
  for (const backend of backends) void check(backend);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  balancer.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return balancer;
}

async function isReady(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(CHECK_WITHIN_MS) })).ok;
  } catch {
    return false;
  }
}
