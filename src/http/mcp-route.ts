/**
 * POST /mcp: the operations for language models, with the tokens, scopes and limits of the API. A message costs a look-up,
 * and an operation that it calls costs what it costs over HTTP.
 */
import { bodyOf } from "./request-parts.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Operation } from "#api/platform.ts";
import { readScope } from "#api/platform.ts";
import { authenticate } from "#auth/authorize.ts";
import type { Principal } from "#auth/tokens.ts";
import { ApiError } from "#errors";
import { EXPORT_KINDS } from "#export/kinds.ts";
import { exportSmall } from "#export/small-export.ts";
import type { McpBackend, McpExports } from "#mcp/backend.ts";
import { type ExportServices, requireReadable } from "./export-routes.ts";
import { createExecutor, type Executor } from "./execute-operation.ts";
import { admit, type OperationServices } from "./operation-handler.ts";
import { reportProblem } from "./problem-response.ts";

/** What the protocol reads of a request. The token is not its business. */
const PASSED_HEADERS = /^(?:accept|content-type|mcp-.+)$/;

export function registerMcpRoute(
  app: FastifyInstance,
  operations: readonly Operation[],
  services: Omit<OperationServices, "cache"> & { exports: Omit<ExportServices, "tokens" | "limiter"> },
): void {
  const { tokens, limiter, corsOrigins } = services;
  const executors = new Map<Operation, Executor>();

  // Every operation that a message calls needs a scope of its own.
  app.post("/mcp", { config: { operation: "mcp", access: "token" } }, async (request, reply) => {
    checkOrigin(request, corsOrigins);
    const principal = await authenticate(request, tokens, Date.now());
    for (let messages = countMessages(bodyOf(request)); messages > 0; messages--) {
      const admission = limiter.acquire(principal, "lookup");
      reply.headers(limiter.headers(principal));
      // An operation that the message calls takes a slot of the concurrency limit; the message itself needs none.
      admit(admission).release();
    }
    // Loaded by the first message: a service that nobody asks this way needs no memory for it.
    const { handleMcpMessage } = await import("#mcp/http.ts");
    const response = await handleMcpMessage(toWebRequest(request), backendFor(principal, request), (error) =>
      request.log.debug({ request_id: request.id, error: error.message }, "mcp"),
    );
    const contentType = response.headers.get("content-type");
    if (contentType !== null) reply.header("content-type", contentType);
    return reply
      .code(response.status)
      .headers({ ...limiter.headers(principal), "cache-control": "no-store" })
      .send(Buffer.from(await response.arrayBuffer()));
  });

  function backendFor(principal: Principal, message: FastifyRequest): McpBackend {
    return {
      operations: operations.filter(({ reads }) => reads.some((platform) => principal.scopes.has(readScope(platform)))),
      async run(operation, input) {
        const executor = executorOf(operation);
        const access = executor.accessOf(principal);
        const permit = admit(limiter.acquire(principal, operation.endpoint.cost));
        try {
          const request = { now: Date.now(), requestId: message.id, unknownAsNull: true, input, misplaced: [] };
          return await executor.run(request, access);
        } finally {
          permit.release();
        }
      },
      exports: exportsFor(principal),
      reportFailure(error) {
        const { message: text, code } = reportProblem(message, error);
        return `${text} (${code}, request_id ${message.id})`;
      },
    };
  }

  function exportsFor(principal: Principal): McpExports | null {
    if (!principal.scopes.has("export")) return null;
    const { platforms, acquireExport } = services.exports;
    return {
      kinds: EXPORT_KINDS,
      platforms: platforms.map(({ name }) => name),
      async run(request) {
        const readable = requireReadable(request.platforms, principal);
        const permit = admit(acquireExport(principal));
        try {
          return await exportSmall(services.exports, principal.keyId, { ...request, platforms: readable });
        } finally {
          permit.release();
        }
      },
    };
  }

  function executorOf(operation: Operation): Executor {
    let executor = executors.get(operation);
    if (executor === undefined) executors.set(operation, (executor = createExecutor(operation, services)));
    return executor;
  }
}

/** A browser sends the origin of its page: only pages that may read responses may send messages. */
function checkOrigin({ headers: { origin } }: FastifyRequest, corsOrigins: readonly string[]): void {
  if (origin === undefined || corsOrigins.includes(origin)) return;
  throw new ApiError(
    "origin_not_allowed",
    `pages of ${origin.slice(0, 200)} may not use /mcp; add it to CORS_ORIGINS`,
    {
      errors: [{ in: "header", parameter: "Origin", reason: "must be one of CORS_ORIGINS" }],
    },
  );
}

/** Several may come as one list. What is no JSON counts as one, and is refused later. */
function countMessages(body: Buffer | undefined): number {
  try {
    // As the protocol's own reader, which skips a byte order mark.
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return Array.isArray(value) ? Math.max(1, value.length) : 1;
  } catch {
    return 1;
  }
}

function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (PASSED_HEADERS.test(name) && typeof value === "string") headers.set(name, value);
  }
  const body = bodyOf(request);
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers,
    body: body === undefined ? null : new Uint8Array(body),
  });
}
