/** Bare node:http: whatever is asked, the same bytes from a constant. What no service on Node can be faster than. */
import { once } from "node:events";
import { createServer } from "node:http";
import { KEEP_ALIVE_MS, serveRecorded } from "./http-recorded.ts";

await serveRecorded(({ status, headers, body }, port) => {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (_request, response) => {
    response.writeHead(status, headers).end(body);
  });
  return once(server.listen(port, "127.0.0.1"), "listening");
});
