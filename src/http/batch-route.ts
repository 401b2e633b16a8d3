/**
 * POST /api/batch: up to 100 look-ups in one request, each with its own status. Each costs what it costs alone; together
 * they take one slot of the token's concurrency.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RawInput } from "#api/input.ts";
import type { Operation } from "#api/platform.ts";
import { authenticate } from "#auth/authorize.ts";
import { redactTokens } from "#auth/token-format.ts";
import type { Principal } from "#auth/tokens.ts";
import { type Fields, isFields } from "#domain/fields.ts";
import { suggest } from "#domain/suggest.ts";
import { ApiError, ERRORS, problem } from "#errors";
import type { Admission } from "#rate-limit/admission.ts";
import { JSON_TYPE, TemplateBody } from "./encode-response.ts";
import { createExecutor, type Executor } from "./execute-operation.ts";
import { admit, isOnlyIfCached, type OperationServices, prefersUnknownAsNull } from "./operation-handler.ts";
import { toApiError } from "./problem-response.ts";
import { findRepeatedKey } from "./repeated-key.ts";
import { bodyOf } from "./request-parts.ts";
import { sendCompressed, streamCompressed } from "./send-compressed.ts";

const MAX_REQUESTS = 100;
/** Look-ups that wait for a live source together share its calls. The store alone is asked for one after the other. */
const MAX_TOGETHER = 50;
/** Characters. A longer response is sent while it is made: a hundred transcripts of long videos are hundreds of megabytes. */
const MAX_HELD = 1024 * 1024;

/** Without the API's prefix, as `triptych get` takes it, or with it. */
const PREFIX = /^\/?(?:api\/)?/;

interface AdmittedEntry {
  entry: unknown;
  admission: Admission;
}

export function registerBatch(
  app: FastifyInstance,
  operations: readonly Operation[],
  services: Omit<OperationServices, "cache">,
): void {
  const { tokens, limiter, live } = services;
  const together = live === null ? 1 : MAX_TOGETHER;
  const lookups = operations.filter(({ endpoint }) => endpoint.cost === "lookup");
  const executors = new Map<string, Executor>();

  // Every entry needs a scope of its own.
  app.post("/api/batch", { config: { operation: "batch", access: "token" } }, async (request, reply) => {
    const now = Date.now();
    const principal = await authenticate(request, tokens, now);
    const requests = readRequests(request);
    // A mistake costs as much as a look-up, so that it cannot be repeated without end.
    if (requests instanceof ApiError) {
      admit(limiter.acquire(principal, "lookup")).release();
      throw requests;
    }
    const texts = respondAll(request, principal, requests);
    let held = "";
    let next = await texts.next();
    while (next.done !== true && held.length <= MAX_HELD) {
      held += next.value;
      next = await texts.next();
    }
    reply.headers({ ...limiter.headers(principal), "content-type": JSON_TYPE, "cache-control": "no-store" });
    if (next.done === true) return sendCompressed(request, reply, held);
    return streamCompressed(request, reply, prepend(held + next.value, texts));
  });

  /** The parts of the whole response. */
  async function* respondAll(
    request: FastifyRequest,
    principal: Principal,
    requests: readonly unknown[],
  ): AsyncGenerator<string, void> {
    const unknownAsNull = prefersUnknownAsNull(request.headers["prefer"]);
    const onlyIfCached = isOnlyIfCached(request.headers["cache-control"]);
    yield '{"responses":[';
    for (let first = 0; first < requests.length; first += together) {
      const entries = admitTogether(principal, requests.slice(first, first + together));
      const responding = entries.map((entry) => respond(request, principal, entry, { unknownAsNull, onlyIfCached }));
      const responses = await Promise.all(responding);
      for (const { admission } of entries) if (admission.ok) admission.release();
      for (const [index, response] of responses.entries()) yield first + index === 0 ? response : `,${response}`;
    }
    yield "]}";
  }

  /** Each counts; the last keeps its slot of the concurrency limit for all. */
  function admitTogether(principal: Principal, entries: readonly unknown[]): AdmittedEntry[] {
    let admission: Admission | null = null;
    return entries.map((entry) => {
      if (admission?.ok === true) admission.release();
      admission = limiter.acquire(principal, "lookup");
      return { entry, admission };
    });
  }

  /** The response to one entry, as JSON. Does not reject. */
  async function respond(
    request: FastifyRequest,
    principal: Principal,
    { entry, admission }: AdmittedEntry,
    { unknownAsNull, onlyIfCached }: { unknownAsNull: boolean; onlyIfCached: boolean },
  ): Promise<string> {
    try {
      admit(admission);
      const { name, input } = readEntry(entry);
      const executor = executorOf(name);
      const access = executor.accessOf(principal);
      const fields = { requestId: request.id, now: Date.now() };
      const { body, headers } = await executor.execute(
        { ...fields, unknownAsNull, input, misplaced: [], onlyIfCached },
        access,
      );
      const text = (body instanceof TemplateBody ? body.render(fields) : body).toString("utf8");
      return `{"status":200,"last_modified":${JSON.stringify(headers["last-modified"] ?? null)},"body":${text}}`;
    } catch (error) {
      const known = toApiError(error);
      const { status } = ERRORS[known.code];
      if (status >= 500) request.log.error({ request_id: request.id, err: known.cause ?? known }, "batch entry failed");
      return redactTokens(JSON.stringify({ status, last_modified: null, body: problem(known, request.id) }));
    }
  }

  function executorOf(name: string): Executor {
    let executor = executors.get(name);
    if (executor === undefined) {
      const operation = lookups.find((candidate) => candidate.name === name);
      if (operation === undefined) throw notALookup(name, operations, lookups);
      executors.set(name, (executor = createExecutor(operation, services)));
    }
    return executor;
  }
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

function readRequests(request: FastifyRequest): readonly unknown[] | ApiError {
  const text = bodyOf(request)?.toString("utf8") ?? "";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return new ApiError("invalid_body", 'the request body must be JSON such as {"requests": […]}', { cause });
  }
  const repeated = findRepeatedKey(text);
  if (repeated !== null)
    return new ApiError("invalid_body", `the request body has the key ${JSON.stringify(repeated.slice(0, 100))} twice`);
  const requests = typeof value === "object" && value !== null && "requests" in value ? value.requests : undefined;
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > MAX_REQUESTS)
    return new ApiError(
      "invalid_body",
      `requests in the request body must be a list of 1 to ${MAX_REQUESTS} look-ups`,
      {
        errors: [{ in: "body", parameter: "requests", reason: `must have 1 to ${MAX_REQUESTS} entries` }],
      },
    );
  return requests;
}

function readEntry(entry: unknown): { name: string; input: RawInput } {
  const { operation, parameters = {} }: Fields = isFields(entry) ? entry : {};
  if (typeof operation !== "string" || !isFields(parameters))
    throw new ApiError(
      "invalid_body",
      'an entry must be such as {"operation": "longvideo/video/details", "parameters": {"video_id": "…"}}',
    );
  return { name: operation.replace(PREFIX, ""), input: parameters };
}

function notALookup(name: string, operations: readonly Operation[], lookups: readonly Operation[]): ApiError {
  const names = lookups.map((operation) => operation.name);
  const isOther = operations.some((operation) => operation.name === name);
  const near = suggest(name, names);
  const hint = near.length > 0 && !isOther ? `did you mean ${near.join(" or ")}?` : `a batch takes ${names.join(", ")}`;
  return new ApiError("invalid_parameter", `${name.slice(0, 100)} is no look-up; ${hint}`, {
    errors: [{ in: "body", parameter: "operation", reason: "must be a look-up" }],
  });
}
