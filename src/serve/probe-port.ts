import { once } from "node:events";
import { createServer } from "node:net";

/** Resolves with the port if nobody listens on it, or with a free one for 0. Rejects with the error of `listen`. */
export async function probePort(host: string, port: number): Promise<number> {
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the server listens on no port");
  return address.port;
}
