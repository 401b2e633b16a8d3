/** MCP over standard input and output, for a client that starts this process. */
import { once } from "node:events";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpBackend } from "./backend.ts";
import { createMcpServer } from "./mcp-server.ts";

/** Resolves when the client closes standard input. */
export async function serveMcpOnStdio(backend: McpBackend, onError: (error: Error) => void): Promise<void> {
  const ended = once(process.stdin, "end");
  const handle = serveStdio(() => createMcpServer(backend), { maxSubscriptions: 0, onerror: onError });
  await ended;
  await handle.close();
}
