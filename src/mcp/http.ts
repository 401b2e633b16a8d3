/** MCP over streamable HTTP, without sessions: every message is answered by itself, by any process or node. */
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { McpBackend } from "./backend.ts";
import { createMcpServer } from "./mcp-server.ts";

export async function handleMcpMessage(
  request: Request,
  backend: McpBackend,
  onError: (error: Error) => void,
): Promise<Response> {
  const handler = createMcpHandler(() => createMcpServer(backend), {
    // Nothing changes that a client could subscribe to, and a stream that never ends would hold a connection.
    maxSubscriptions: 0,
    onerror: onError,
  });
  return handler.fetch(request);
}
