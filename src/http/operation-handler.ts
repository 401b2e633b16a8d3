/**
 * Handles the requests of an operation: token, scopes, limits, cache, execution, in that order. Every operation passes
 * through here, GET and POST, so nothing goes around the limits or the cache.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Principal, TokenRegistry } from "#auth/tokens.ts";
import type { RawInput } from "#api/input.ts";
import type { Operation } from "#api/platform.ts";
import { ApiError } from "#errors";
import type { Permit, Rejection } from "#rate-limit/admission.ts";
import type { RateLimiter } from "#rate-limit/rate-limiter.ts";
import { bearerOf } from "#auth/authorize.ts";
import { compress, COMPRESS_FROM_BYTES } from "./compression.ts";
import { matchesTag, type RequestFields, type TemplateBody } from "./encode-response.ts";
import { createExecutor, type ExecutedResponse, type ExecutorServices, type TokenAccess } from "./execute-operation.ts";
import { readFormBody } from "./form-body.ts";
import type { Metrics } from "./metrics.ts";
import { acceptsJson, chooseEncoding, type Encoding } from "./negotiation.ts";
import { type CachedResponse, type CacheKey, minuteOf, type ResponseCache } from "./response-cache.ts";

export interface OperationServices extends ExecutorServices {
  tokens: TokenRegistry;
  limiter: RateLimiter;
  cache: ResponseCache;
  metrics: Metrics;
}

/** What a response depends on beside the URL and the body. */
const VARY = "Accept, Accept-Encoding, Authorization, Prefer";
/** Longer request bodies are not worth a place in the cache. */
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
      config: { operation: operation.name },
      handler: createOperationHandler(operation, services),
    });
  }
}

/** A client that was let in. */
interface Admitted {
  now: number;
  bearer: Principal;
  access: TokenAccess;
  permit: Permit;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function createOperationHandler(operation: Operation, services: OperationServices): Handler {
  const { endpoint } = operation;
  const { tokens, limiter, cache, metrics } = services;
  const { execute, accessOf } = createExecutor(operation, services);
  const isGet = endpoint.method === "GET";

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const now = Date.now();
    if (!acceptsJson(request.headers.accept))
      throw new ApiError("not_acceptable", "the Accept header must allow application/json");
    const verifying = bearerOf(request.query as RawInput, request.headers.authorization, tokens, now);
    const bearer = verifying instanceof Promise ? await verifying : verifying;
    const access = accessOf(bearer);
    const admission = limiter.acquire(bearer, endpoint.cost);
    setLimitHeaders(reply, limiter, bearer);
    if (!admission.ok) throw rejectionError(admission);
    try {
      return await respond(request, reply, { now, bearer, access, permit: admission });
    } finally {
      admission.release();
    }
  }

  async function respond(request: FastifyRequest, reply: FastifyReply, admitted: Admitted): Promise<FastifyReply> {
    const { now, bearer, access, permit } = admitted;
    const { headers } = request;
    const unknownAsNull = prefersUnknownAsNull(headers["prefer"]);
    const cacheable = cacheableText(request);
    const key = cacheable === null ? null : cache.key(`${access.key} ${unknownAsNull} ${cacheable}`, now);
    const encoding = chooseEncoding(headers["accept-encoding"]);
    const fields = { requestId: request.id, now };
    let response = cache.get(key, encoding);
    if (response === undefined) {
      const input = isGet ? (request.query as RawInput) : await readBody(request);
      const executed = await execute({ ...fields, unknownAsNull, input }, access);
      response = toCachedResponse(executed, now);
      const isStored = executed.validFor !== "request" && cache.set(key, response);
      metrics.countResponse("miss");
      reply.header("cache-status", isStored ? "triptych; fwd=miss; stored" : "triptych; fwd=miss");
    } else {
      metrics.countResponse("hit");
      reply.header("cache-status", "triptych; hit");
    }
    reply.headers(response.headers).header("vary", withVary(reply.getHeader("vary")));
    if (isGet && matchesTag(headers["if-none-match"], response.etag)) {
      // An unchanged response costs nothing of the daily quota.
      permit.refundDaily();
      setLimitHeaders(reply, limiter, bearer);
      reply.removeHeader("content-type");
      return reply.code(304).send();
    }
    return send(reply, response, encoding, { fields, key });
  }

  async function send(
    reply: FastifyReply,
    response: CachedResponse,
    encoding: Encoding | null,
    { fields, key }: { fields: RequestFields; key: CacheKey | null },
  ): Promise<FastifyReply> {
    const { body } = response;
    if (response.encoding !== null) {
      return reply.header("content-encoding", response.encoding).send(body);
    }
    const payload = isTemplate(body) ? body.render(fields) : body;
    if (encoding === null || Buffer.byteLength(payload) < COMPRESS_FROM_BYTES) return reply.send(payload);
    const bytes = await compress(Buffer.from(payload), encoding, "fast");
    if (!isTemplate(body)) cache.set(key, { ...response, body: bytes, encoding });
    return reply.header("content-encoding", encoding).send(bytes);
  }

  return handle;
}

function isTemplate(body: CachedResponse["body"]): body is TemplateBody {
  return !Buffer.isBuffer(body);
}

/** Text without holes becomes bytes once, which all requests share. */
function toCachedResponse({ etag, headers, body, validFor }: ExecutedResponse, now: number): CachedResponse {
  const [text = ""] = body.chunks;
  return {
    etag,
    headers,
    body: body.fields.length === 0 ? Buffer.from(text) : body,
    encoding: null,
    minute: validFor === "minute" ? minuteOf(now) : null,
  };
}

/** What the request asks for, as it was written; null where it is too long to be kept. */
function cacheableText(request: FastifyRequest): string | null {
  const url = request.raw.url ?? "";
  const body = request.body as Buffer | undefined;
  if (body === undefined) return url;
  if (body.length > MAX_CACHED_BODY) return null;
  return `${url} ${request.headers["content-type"] ?? ""} ${body.toString("latin1")}`;
}

/** GET parameters travel in the query, POST parameters in the body; `fields` may stand in either. */
async function readBody(request: FastifyRequest): Promise<RawInput> {
  const query = request.query as RawInput;
  const body = request.body as Buffer | undefined;
  if (body === undefined) return query["fields"] === undefined ? {} : { fields: query["fields"] };
  const raw = await readFormBody(request.headers["content-type"] ?? "", body);
  return raw["fields"] === undefined && query["fields"] !== undefined ? { ...raw, fields: query["fields"] } : raw;
}

/** RFC 7240: a list of preferences; ours is one of them. */
function prefersUnknownAsNull(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  return String(header)
    .split(",")
    .some((preference) => preference.split(";")[0]?.replaceAll(/[\s"]/g, "").toLowerCase() === "unknown=null");
}

function withVary(present: string | number | string[] | undefined): string {
  return present === undefined ? VARY : `${String(present)}, ${VARY}`;
}

function setLimitHeaders(reply: FastifyReply, limiter: RateLimiter, bearer: Principal): void {
  const policy = limiter.rateLimitPolicyHeader(bearer);
  const header = limiter.rateLimitHeader(bearer);
  if (policy !== null) reply.header("ratelimit-policy", policy);
  if (header !== null) reply.header("ratelimit", header);
}

const REASONS: Readonly<Record<Rejection["code"], string>> = {
  rate_limited: "rate limit exceeded",
  too_many_concurrent: "too many concurrent requests",
  service_unavailable: "rate limiter unavailable",
};

function rejectionError({ code, retryAfterS }: Rejection): ApiError {
  return new ApiError(code, `${REASONS[code]}; retry in ${retryAfterS} s`, {
    headers: { "retry-after": String(retryAfterS) },
  });
}
