/**
 * An MCP server over a backend: a read-only tool per operation, records as resources, prompts for research. Lists and calls
 * are answered by us and not by the SDK's own registry, so that parameters are parsed, and mistakes explained, as over HTTP.
 */
import { McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { SERVICE_VERSION } from "#api/service-version.ts";
import { ApiError, ERRORS } from "#errors";
import type { RawInput } from "#api/input.ts";
import type { McpBackend } from "./backend.ts";
import { EXPORT_TOOL, exportText, exportToolOf } from "./export-tool.ts";
import { promptsFor } from "./prompts.ts";
import { parseResourceUri, resourceTemplates } from "./resources.ts";
import { answerText, splitArguments, toolOf, withoutSelection } from "./tools.ts";

const INSTRUCTIONS =
  "Read-only access to stored captures of short-video, long-video and photo-sharing platforms. Data are as old as captured_at says. Begin with search if you do not know an id. Null means unknown, not zero. Cite captured_at.";

const MAX_RESOURCE_LENGTH = 200_000;

export function createMcpServer(backend: McpBackend): McpServer {
  const { operations, exports } = backend;
  const mcp = new McpServer(
    { name: "triptych", title: "Triptych", version: SERVICE_VERSION },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  );
  const { server } = mcp;

  server.setRequestHandler("tools/list", () => ({
    tools: [...operations.map(toolOf), ...(exports === null ? [] : [exportToolOf(exports)])],
  }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    try {
      return { content: [{ type: "text", text: await callTool(params.name, params.arguments ?? {}) }] };
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      // The model can mend what it sent; a protocol error would not reach it.
      return { content: [{ type: "text", text: explain(error) }], isError: true };
    }
  });

  async function callTool(name: string, args: RawInput): Promise<string> {
    if (name === EXPORT_TOOL && exports !== null) return exportText(exports, args);
    const operation = operations.find(({ id }) => id === name);
    if (operation === undefined) throw invalid(`unknown tool ${name.slice(0, 100)}`);
    const { input, ...budget } = splitArguments(args);
    const result = await backend.run(operation, withoutSelection(operation, input));
    return answerText(operation, input, result, budget);
  }

  server.setRequestHandler("resources/list", () => ({ resources: [] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: resourceTemplates(operations) }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const found = parseResourceUri(uri, operations);
    if (found === null) throw invalid(`unknown resource ${uri.slice(0, 200)}`);
    const { operation, input } = found;
    try {
      const result = await backend.run(operation, input);
      const text = answerText(operation, input, result, { maxLength: MAX_RESOURCE_LENGTH, repeated: {} });
      return { contents: [{ uri, mimeType: "application/json", text }] };
    } catch (error) {
      const code = isOfRequest(error) ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
      throw new ProtocolError(code, explain(error));
    }
  });

  function explain(error: unknown): string {
    return isOfRequest(error) ? `${error.message} (${error.code})` : backend.reportFailure(error);
  }

  const prompts = promptsFor(operations);
  server.setRequestHandler("prompts/list", () => ({
    prompts: prompts.map(({ text: _text, ...prompt }) => prompt),
  }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (prompt === undefined) throw invalid(`unknown prompt ${params.name.slice(0, 100)}`);
    const values = params.arguments ?? {};
    const missing = prompt.arguments.find(({ name, required }) => required && !values[name]);
    if (missing !== undefined) throw invalid(`the prompt ${prompt.name} needs the argument ${missing.name}`);
    const text = prompt.text(values);
    return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
  });
  return mcp;
}

/** Whether the client can mend it; what else goes wrong is for the operator too. */
function isOfRequest(error: unknown): error is ApiError {
  return error instanceof ApiError && ERRORS[error.code].status < 500;
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
