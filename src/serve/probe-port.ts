import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** Resolves with the port if nobody listens on it, or with a free one for 0. Rejects with the error of `listen`. */
export async function probePort(host: string, port: number): Promise<number> {
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return bound;
}
