/** MCP over standard input and output, for a client that starts this process. */
import { Transform, pipeline } from "node:stream";
import { setImmediate, setTimeout } from "node:timers/promises";
import { isJSONRPCNotification, isJSONRPCRequest, type Transport } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { McpBackend } from "./backend.ts";
import { createMcpServer } from "./mcp-server.ts";

/** How long calls that run when standard input ends may take. */
const LAST_CALLS_MS = 60_000;

/** Resolves when the client has closed standard input and every call is answered. */
export async function serveMcpOnStdio(backend: McpBackend, onError: (error: Error) => void): Promise<void> {
  const running = new Map<unknown, PromiseWithResolvers<void>>();
  // The transport closes itself at the end of its input, and then drops the calls that run.
  const input = new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    async flush(done) {
      // The last message is read first.
      await setImmediate();
      const answered = Promise.all([...running.values()].map(({ promise }) => promise));
      await Promise.race([answered, setTimeout(LAST_CALLS_MS, undefined, { ref: false })]);
      done();
    },
  });
  const transport = new StdioServerTransport(input, process.stdout);
  const closed = Promise.withResolvers<void>();
  const handle = serveStdio(() => createMcpServer(backend), { transport, maxSubscriptions: 0, onerror: onError });
  watchCalls(transport, running, closed.resolve);
  pipeline(process.stdin, input, () => undefined);
  await closed.promise;
  await handle.close();
  input.destroy();
}

/** Notes requests as they arrive and settles them as they are answered or cancelled. */
function watchCalls(
  transport: StdioServerTransport,
  running: Map<unknown, PromiseWithResolvers<void>>,
  onClose: () => void,
): void {
  const settle = (id: unknown) => {
    running.get(id)?.resolve();
    running.delete(id);
  };
  const { onmessage, onclose } = transport;
  const send = transport.send.bind(transport);
  const watched: Pick<Transport, "onmessage" | "onclose" | "send"> = {
    onmessage(message) {
      if (isJSONRPCRequest(message)) running.set(message.id, Promise.withResolvers());
      else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
        settle(message.params?.["requestId"]);
      onmessage?.(message);
    },
    async send(message) {
      await send(message);
      if (!("method" in message)) settle(message.id);
    },
    onclose() {
      onclose?.();
      onClose();
    },
  };
  Object.assign(transport, watched);
}
