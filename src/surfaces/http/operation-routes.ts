/** A route per operation: token, limits, input, handler, answer, in that order. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { cursorsFor } from "#access/cursors.ts";
import type { RateLimits } from "#access/limits.ts";
import { PERSONAL_SCOPE } from "#access/scopes.ts";
import type { TokenRegistry } from "#access/tokens.ts";
import type { Defaults } from "#contract/endpoint.ts";
import { insufficientScope } from "#contract/insufficient-scope.ts";
import { prepare } from "#contract/invoke.ts";
import type { RawInput } from "#contract/input.ts";
import { type Operation, reachOf, readScope } from "#contract/platform.ts";
import { ApiError, unavailable } from "#errors";
import type { Store } from "#store/store.ts";
import { answerEncoder, matchesTag } from "./answer.ts";
import { authorize } from "./authorize.ts";
import { sendCompressed } from "./compression.ts";
import { readFormBody } from "./form-body.ts";
import { acceptsJson } from "./negotiation.ts";

export interface OperationServices {
  operations: readonly Operation[];
  store: Pick<Store, "of">;
  tokens: TokenRegistry;
  limits: RateLimits;
  cursorKey: Buffer;
  defaults: Defaults;
  /** How long an answer may take before the caller is told to come again; null where nothing is waited for. */
  patienceMs: number | null;
}

const VARY = ["Accept", "Accept-Encoding", "Authorization", "Prefer"];

export function registerOperations(app: FastifyInstance, services: OperationServices): void {
  for (const operation of services.operations) {
    app.route({
      method: operation.endpoint.method,
      url: operation.path,
      config: { operation: operation.name },
      handler: operationHandler(operation, services),
    });
  }
}

function operationHandler(operation: Operation, services: OperationServices) {
  const { endpoint } = operation;
  const { tokens, limits, defaults, patienceMs } = services;
  const invoke = prepare(operation);
  const encode = answerEncoder(operation);
  const reachWith = reachOf(operation, services.store);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const now = Date.now();
    if (!acceptsJson(request.headers.accept))
      throw new ApiError("not_acceptable", "the Accept header must allow application/json");
    const bearer = await authorize(request, tokens, now);
    const reach = reachWith((scope) => bearer.scopes.has(scope));
    if (reach.stores.length === 0) throw insufficientScope(operation.reads.map(readScope));

    const entered = limits.enter(bearer, endpoint.cost, now);
    const entry = entered instanceof Promise ? await entered : entered;
    reply.headers(limits.headers(bearer, now));
    if (!entry.ok) {
      const reason =
        entry.code === "unavailable"
          ? "the limit of this token is not known just now"
          : "the limit of this token is spent";
      throw new ApiError(entry.code, `${reason}; try again in ${entry.retryAfterS} s`, {
        headers: { "retry-after": String(entry.retryAfterS) },
      });
    }
    try {
      const unknownAsNull = prefersUnknownAsNull(request.headers["prefer"]);
      const answering = invoke(
        {
          reach,
          now,
          requestId: request.id,
          defaults,
          cursors: cursorsFor(services.cursorKey, operation.name, now),
          personal: bearer.scopes.has(PERSONAL_SCOPE),
          unknownAsNull,
        },
        await rawInput(request, operation),
      );
      const result = patienceMs === null ? await answering : await within(patienceMs, answering);
      const { text, etag } = encode(result.body);
      reply
        .type("application/json; charset=utf-8")
        .header("vary", [reply.getHeader("vary") ?? [], VARY].flat().join(", "));
      reply.headers(result.headers);
      if (unknownAsNull) reply.header("preference-applied", "unknown=null");
      if (result.asOf !== null && result.asOf > 0) reply.header("last-modified", new Date(result.asOf).toUTCString());
      if (endpoint.method !== "GET")
        return await sendCompressed(request, reply.header("cache-control", "no-store"), text);

      reply.header("etag", etag).header("cache-control", "private, max-age=30");
      if (matchesTag(request.headers["if-none-match"], etag)) {
        entry.refundDaily();
        reply.headers(limits.headers(bearer, now));
        return reply.removeHeader("content-type").code(304).send();
      }
      return await sendCompressed(request, reply, text);
    } finally {
      entry.release();
    }
  };
}

/** GET parameters travel in the query, POST parameters in the body; `fields` may stand in either. */
async function rawInput(request: FastifyRequest, { endpoint }: Operation): Promise<RawInput> {
  const query = request.query as RawInput;
  if (endpoint.method === "GET") return query;
  const body = request.body as Buffer | undefined;
  if (body === undefined) return query["fields"] === undefined ? {} : { fields: query["fields"] };
  const raw = await readFormBody(request.headers["content-type"] ?? "", body);
  return raw["fields"] === undefined && query["fields"] !== undefined ? { ...raw, fields: query["fields"] } : raw;
}

/** A store that is slow at every step of an answer must not keep its caller for the sum of them. */
async function within<Result>(ms: number, answering: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable("the store is slow just now; try again in 1 s", null)), ms);
  });
  try {
    return await Promise.race([answering, late]);
  } finally {
    clearTimeout(timer);
    // What comes after its time has nobody to tell.
    answering.catch(() => undefined);
  }
}

/** RFC 7240: a list of preferences; ours is one of them. */
function prefersUnknownAsNull(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  return String(header)
    .split(",")
    .some((preference) => preference.split(";")[0]?.replaceAll(/[\s"]/g, "").toLowerCase() === "unknown=null");
}
