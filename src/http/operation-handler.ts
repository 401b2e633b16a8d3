/**
 * Handles the requests of operations, GET and POST: authentication, rate limit, cache, execution, conditional response,
 * compression, in that order. No operation bypasses it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RawInput } from "#api/input.ts";
import { type Operation, readScope } from "#api/platform.ts";
import { authenticate } from "#auth/authorize.ts";
import type { TokenRegistry } from "#auth/tokens.ts";
import { ApiError } from "#errors";
import type { AskOutcome } from "#live/live-port.ts";
import type { Admission, Permit, Rejection } from "#rate-limit/admission.ts";
import type { RateLimiter } from "#rate-limit/rate-limiter.ts";
import { compress, COMPRESS_FROM_BYTES } from "./compression.ts";
import { matchesEtag, TemplateBody } from "./encode-response.ts";
import { createExecutor, type ExecutedResponse, type ExecutorServices, isQueued } from "./execute-operation.ts";
import { readFormBody, refuseInBoth } from "./form-body.ts";
import type { Metrics } from "./metrics.ts";
import { acceptsJson, chooseEncoding } from "./negotiation.ts";
import { bodyOf, queryOf } from "./request-parts.ts";
import { type CachedResponse, minuteOf, type ResponseCache } from "./response-cache.ts";

export interface OperationServices extends ExecutorServices {
  tokens: TokenRegistry;
  limiter: RateLimiter;
  cache: ResponseCache;
  metrics: Metrics;
  corsOrigins: readonly string[];
}

/** Longer request bodies are not used as cache keys. */
const MAX_CACHED_BODY = 4_096;

export function registerOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  services: OperationServices,
): void {
  for (const operation of operations) {
    app.route({
      method: operation.endpoint.method,
      url: operation.path,
      config: { operation: operation.name, access: operation.reads.map(readScope) },
      handler: createOperationHandler(operation, services),
    });
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function createOperationHandler(operation: Operation, services: OperationServices): Handler {
  const { tokens, limiter, cache, metrics, searchQueue } = services;
  const { method, cost } = operation.endpoint;
  const isGet = method === "GET";
  const isSearch = isQueued(operation);
  const { execute, accessOf, readThrough } = createExecutor(operation, services);
  const vary = [
    ...(services.corsOrigins.length > 0 ? ["Origin"] : []),
    "Accept, Accept-Encoding, Authorization, Cookie, Prefer",
  ];
  const commonHeaders = { vary: vary.join(", ") };

  return async (request, reply) => {
    const now = Date.now();
    const { headers } = request;
    if (!acceptsJson(headers.accept))
      throw new ApiError("not_acceptable", "the Accept header must allow application/json");
    const principal = await authenticate(request, tokens, now);
    const access = accessOf(principal);
    const admission = limiter.acquire(principal, cost);
    reply.headers(limiter.headers(principal));
    const permit = admit(admission);
    try {
      const unknownAsNull = prefersUnknownAsNull(headers["prefer"]);
      const encoding = chooseEncoding(headers["accept-encoding"]);
      const requestFields = { requestId: request.id, now };
      const requestKey = cacheableKey(request);
      const key = requestKey === null ? null : cache.key(`${access.key} ${unknownAsNull} ${requestKey}`, now);
      const onlyIfCached = isOnlyIfCached(headers["cache-control"]);
      const live = access.live && !onlyIfCached ? readThrough : null;
      let response = cache.get(key, encoding);
      let cacheStatus = "triptych; hit";
      let outcome: AskOutcome | undefined;
      let isStorable = true;
      if (response !== undefined) metrics.countResponse("hit");
      else {
        // Parses neither parameters nor body of a search that has no place.
        if (isSearch) searchQueue.refuseIfFull(access.keyId);
        const input = await inputOf(request);
        const misplaced = isGet ? [] : Object.keys(queryOf(request)).filter((name) => name !== "fields");
        const run = () => execute({ ...requestFields, unknownAsNull, input, misplaced, onlyIfCached }, access);
        const executed = await (request.span === null ? run() : request.span.measure("execute", run));
        response = toCachedResponse(executed, now);
        ({ outcome } = executed);
        isStorable = mayBeStored(executed);
        const isStored = isStorable && cache.set(key, response);
        metrics.countResponse("miss");
        cacheStatus = isStored ? "triptych; fwd=miss; stored" : "triptych; fwd=miss";
      }
      if (live !== null) {
        const { capturedAt } = response;
        const { age, cacheStatus: storeStatus } = live.headers(await inputOf(request), { capturedAt, outcome }, now);
        if (age !== undefined) reply.header("age", age);
        cacheStatus = `${storeStatus}, ${cacheStatus}`;
      }
      reply.headers(response.headers).header("cache-status", cacheStatus);

      if (isGet && matchesEtag(headers["if-none-match"], response.etag)) {
        // An unchanged response costs nothing of the daily quota.
        permit.refundDaily();
        reply.headers(limiter.headers(principal)).removeHeader("content-type");
        return reply.code(304).send();
      }

      if (response.encoding !== null) return reply.header("content-encoding", response.encoding).send(response.body);
      const isTemplate = response.body instanceof TemplateBody;
      const body = response.body instanceof TemplateBody ? response.body.render(requestFields) : response.body;
      if (encoding === null || body.length < COMPRESS_FROM_BYTES) return reply.send(body);
      const compressed = await compress(body, encoding, "fast");
      if (isStorable && !isTemplate) cache.set(key, { ...response, body: compressed, encoding });
      return reply.header("content-encoding", encoding).send(compressed);
    } finally {
      permit.release();
    }
  };

  async function inputOf(request: FastifyRequest): Promise<RawInput> {
    return isGet ? queryOf(request) : readInput(request);
  }

  function mayBeStored({ outcome, validFor, isNothing }: ExecutedResponse): boolean {
    // What a source filled was written after the key was made: the next request has another key.
    if (outcome !== undefined || validFor === "request") return false;
    // A source may still fill it for the next client.
    return readThrough === null || !isNothing;
  }

  function toCachedResponse(executed: ExecutedResponse, now: number): CachedResponse {
    const { etag, headers, body, validFor, capturedAt } = executed;
    return {
      etag,
      capturedAt,
      headers: { ...headers, ...commonHeaders },
      body,
      encoding: null,
      minute: validFor === "minute" ? minuteOf(now) : null,
    };
  }
}

/** The request's URL and body; null if too long for the cache. */
function cacheableKey(request: FastifyRequest): string | null {
  const url = request.raw.url ?? "";
  const body = bodyOf(request);
  if (body === undefined) return url;
  if (body.length > MAX_CACHED_BODY) return null;
  return `${url} ${request.headers["content-type"] ?? ""} ${body.toString("latin1")}`;
}

/** The parameters of a POST are in its body; `fields` may also be in the query. */
async function readInput(request: FastifyRequest): Promise<RawInput> {
  const query = queryOf(request);
  const { fields } = query;
  const body = bodyOf(request);
  const input = body === undefined ? {} : await readFormBody(request.headers["content-type"] ?? "", body);
  refuseInBoth(query, input);
  return input["fields"] === undefined && fields !== undefined ? { ...input, fields } : input;
}

/** A directive of the request's Cache-Control (RFC 9111). */
export function isOnlyIfCached(header: string | undefined): boolean {
  return header !== undefined && /(?:^|[\s,])only-if-cached(?:$|[\s,])/i.test(header);
}

/** Looks for ours in a list of preferences (RFC 7240). */
export function prefersUnknownAsNull(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  return String(header)
    .split(",")
    .some((preference) => preference.split(";")[0]?.replaceAll(/[\s"]/g, "").toLowerCase() === "unknown=null");
}

const REJECTIONS: Readonly<Record<Rejection["code"], string>> = {
  rate_limited: "rate limit exceeded",
  too_many_concurrent: "too many concurrent requests",
  service_unavailable: "rate limiter unavailable",
};

/** Throws what the limiter rejects. */
export function admit(admission: Admission): Permit {
  if (admission.ok) return admission;
  const { code, retryAfterS } = admission;
  throw new ApiError(code, `${REJECTIONS[code]}; retry in ${retryAfterS} s`, {
    headers: { "retry-after": String(retryAfterS) },
  });
}
