/** Load by autocannon, in a process of its own: each connection sends its next request when the last is answered. */
import autocannon from "autocannon";
import { fork } from "node:child_process";
import { once } from "node:events";
import { type Target, usageOf } from "./processes.ts";

export interface LoadRequest {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Load {
  requests: readonly LoadRequest[];
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

interface LoadFigures {
  responses: number;
  perSecond: number;
  /** Responses other than 2xx and 304, and requests without a response. */
  errors: number;
}

export interface Round extends LoadFigures {
  /** Processor time of the target per request, in microseconds. */
  cpuMicros: number;
}

/** Fails if any response is wrong: errors are cheap to send, and would make the target look fast. */
export async function sendLoad({ name, url, pid }: Target, load: Load): Promise<Round> {
  const driver = fork(import.meta.filename, { serialization: "advanced" });
  const before = usageOf(pid).cpuSeconds;
  driver.send({ ...load, url });
  const exit = once(driver, "exit");
  const reply = await Promise.race([once(driver, "message"), exit.then(() => null)]);
  if (reply === null) throw new Error(`the load driver failed on ${name}`);
  const cpuSeconds = usageOf(pid).cpuSeconds - before;
  await exit;
  const figures = reply[0] as LoadFigures;
  if (figures.errors > 0) throw new Error(`${name}: ${figures.errors} of ${figures.responses} responses failed`);
  return { ...figures, cpuMicros: (cpuSeconds * 1e6) / figures.responses };
}

if (import.meta.main) {
  const [load] = (await once(process, "message")) as [Load & { url: string }];
  process.send?.(await drive(load));
  process.disconnect();
}

async function drive({ url, requests, headers, connections, seconds }: Load & { url: string }): Promise<LoadFigures> {
  const perClient = Math.ceil(requests.length / connections);
  let clients = 0;
  let wrong = 0;
  let startedAt = 0;
  let responses = 0;
  const options: autocannon.Options = {
    url,
    connections,
    duration: seconds,
    // Left to themselves all connections would walk the same list in step.
    setupClient(client) {
      const first = (clients++ * perClient) % requests.length;
      const own = requests.slice(first, first + perClient);
      client.setRequests(own.map((request) => ({ ...request, headers: { ...headers, ...request.headers } })));
    },
  };
  const { errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error: unknown, result) => (error ? reject(error) : resolve(result)));
    instance.on("start", () => (startedAt = performance.now()));
    instance.on("response", (_client, status) => {
      responses++;
      if (status >= 300 && status !== 304) wrong++;
    });
  });
  const perSecond = (responses * 1_000) / (performance.now() - startedAt);
  return { responses, perSecond, errors: wrong + errors + timeouts };
}
