/**
 * Asks as fast as it is answered, over kept connections, for a given time; prints how many answers were 200 and how
 * many were not. A process of its own, so that what it costs is not counted to a node's event loop.
 */
import { Agent, get } from "node:http";

export interface CallerOrder {
  addresses: string[];
  paths: string[];
  token: string;
  connections: number;
  seconds: number;
}

export interface CallerFigures {
  answered: number;
  failed: number;
  seconds: number;
}

const order = JSON.parse(process.argv[2] ?? "") as CallerOrder;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const headers = { authorization: `Bearer ${order.token}` };
const figures: CallerFigures = { answered: 0, failed: 0, seconds: 0 };
const began = performance.now();
const end = began + order.seconds * 1_000;
await Promise.all(Array.from({ length: order.connections }, (_, index) => call(index)));
figures.seconds = (performance.now() - began) / 1_000;
agent.destroy();
process.stdout.write(JSON.stringify(figures));

async function call(index: number): Promise<void> {
  const address = order.addresses[index % order.addresses.length] as string;
  for (let step = index; performance.now() < end; step += order.connections) {
    const status = await statusOf(address + (order.paths[step % order.paths.length] as string));
    if (status === 200) figures.answered++;
    else figures.failed++;
  }
}

function statusOf(address: string): Promise<number> {
  return new Promise((resolve) => {
    get(address, { agent, headers }, (answer) => {
      answer.on("end", () => resolve(answer.statusCode ?? 0)).resume();
    }).on("error", () => resolve(0));
  });
}
