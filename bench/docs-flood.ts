/**
 * Flood of one path, in a process of its own; prints the number of responses. Bodies are dropped unread: autocannon
 * reads a megabyte so slowly that it floods nobody.
 */
import { Agent, get } from "node:http";

export interface Flood {
  url: string;
  encoding: string;
  connections: number;
  seconds: number;
}

if (import.meta.main) {
  const { url, encoding, connections, seconds } = JSON.parse(process.argv[2] ?? "") as Flood;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const endsAt = performance.now() + seconds * 1_000;
  let responses = 0;
  const send = () =>
    new Promise<void>((resolve, reject) => {
      get(url, { agent, headers: { "accept-encoding": encoding } }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
        response.on("error", reject).on("end", resolve).resume();
      }).on("error", reject);
    });
  const client = async () => {
    for (; performance.now() < endsAt; responses++) await send();
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  process.stdout.write(String(responses));
}
