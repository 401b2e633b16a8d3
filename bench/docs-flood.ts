/**
 * Flood of one path, in a process of its own: told what to do by its argument, it prints how many responses came. Bodies
 * are counted and dropped, since autocannon reads a megabyte so slowly that it floods nobody.
 */
import { connect } from "node:net";

export interface Flood {
  address: string;
  path: string;
  encoding: string;
  connections: number;
  seconds: number;
}

if (import.meta.main) {
  const flood = JSON.parse(process.argv[2] ?? "") as Flood;
  const endsAt = performance.now() + flood.seconds * 1_000;
  const counts = await Promise.all(Array.from({ length: flood.connections }, () => sendUntil(endsAt, flood)));
  process.stdout.write(String(counts.reduce((sum, count) => sum + count, 0)));
}

/** Sends the next request when the response is complete; resolves to the number of responses. */
function sendUntil(endsAt: number, { address, path, encoding }: Flood): Promise<number> {
  const { hostname, port, host } = new URL(address);
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    let responses = 0;
    let head = "";
    /** Bytes of the body that are still to come; null until the headers are complete. */
    let missing: number | null = null;
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setTimeout(endsAt - performance.now(), () => socket.destroy());
    socket.on("error", reject).on("close", () => resolve(responses));
    socket.on("data", (chunk) => {
      if (missing === null) {
        head += chunk.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(`not the document: ${head.slice(0, end)}`);
        missing = Number(/^content-length: (\d+)/im.exec(head)?.[1]) - (head.length - end - 4);
      } else missing -= chunk.length;
      if (performance.now() > endsAt) socket.destroy();
      if (missing > 0) return;
      responses++;
      [head, missing] = ["", null];
      socket.write(request);
    });
  });
}
