/**
 * How an operation is answered: token, limits, input, handler, answer, in that order. It knows no framework: routes
 * hand it what was asked and send what it returns. What goes wrong is an answer too.
 */
import type { Entry, RateLimits } from "#access/limits.ts";
import type { Bearer, TokenRegistry } from "#access/tokens.ts";
import type { Operation } from "#contract/platform.ts";
import { ApiError } from "#errors";
import { matchesTag, textOf } from "./answer.ts";
import { type Asked, type Lasting, making, type MakingServices } from "./answer-making.ts";
import { bearerOf } from "./authorize.ts";
import { type Compressed, compressed } from "./compression.ts";
import { acceptsJson, chooseEncoding } from "./negotiation.ts";
import { problemAnswer } from "./problem-reply.ts";

export interface AnsweringServices extends MakingServices {
  tokens: TokenRegistry;
  limits: RateLimits;
  /** Told of what is our fault. */
  failed(requestId: string, cause: unknown): void;
}

export interface Reply {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  /** More headers, as they are written to the wire. */
  lines?: string;
  body: string | Buffer | null;
  /** Of the body in bytes, where it is known. */
  length?: number;
}

export interface Answered {
  reply: Reply;
  /** Null where the answer is for this request alone. */
  lasting: Lasting | null;
}

export interface Answering {
  answer(asked: Asked): Promise<Answered>;
  /** Gives once more what lasts, to a bearer who may read it. At once, unless limits or compression are waited for. */
  again(asked: Asked, bearer: Bearer, lasting: Lasting): Reply | Promise<Answered>;
}

/** A caller who was let in as far as the limits, with the answer that is there already. */
interface Begun {
  bearer: Bearer;
  entered: Entry | Promise<Entry>;
  lasting: Lasting;
}

/** What an answer depends on beside the address. */
export const VARY = "Accept, Accept-Encoding, Authorization, Prefer";

const JSON_TYPE = "application/json; charset=utf-8";

export function answering(operation: Operation, services: AnsweringServices): Answering {
  const { endpoint } = operation;
  const { tokens, limits } = services;
  const make = making(operation, services);
  const isGet = endpoint.method === "GET";

  async function respond(asked: Asked, begun: Begun | null): Promise<Answered> {
    // Filled on the way: a refusal says as much as is known by then.
    const headers: string[] = [];
    let entry: Entry | null = null;
    try {
      if (!acceptsJson(asked.accept))
        throw new ApiError("not_acceptable", "the Accept header must allow application/json");
      const bearer = begun?.bearer ?? (await bearerOf(asked.query, asked.authorization, tokens, asked.now));
      const reaches = make.reachesOf(bearer);
      const entered = begun?.entered ?? limits.enter(bearer, endpoint.cost, asked.now);
      entry = entered instanceof Promise ? await entered : entered;
      addStanding(headers, limits, bearer, asked.now);
      if (!entry.ok) throw refusalOf(entry);
      const made = begun === null ? await make.answer(asked, bearer, reaches) : { ...begun.lasting, lasts: true };
      const lasting = made.lasts ? made : null;
      if (isGet && matchesTag(asked.ifNoneMatch, made.etag)) {
        return { reply: notModified(made, { limits, bearer, entry, now: asked.now }), lasting };
      }
      headers.push("content-type", JSON_TYPE, ...made.headers);
      return { reply: await sized(headers, made, asked, begun?.lasting ?? null), lasting };
    } catch (error) {
      const { reply, fault } = problemAnswer(error, asked.requestId);
      if (fault !== null) services.failed(asked.requestId, fault);
      reply.headers.push(...headers);
      return { reply, lasting: null };
    } finally {
      if (entry?.ok === true) entry.release();
    }
  }

  return {
    answer: (asked) => respond(asked, null),
    again(asked, bearer, lasting) {
      const entered = limits.enter(bearer, endpoint.cost, asked.now);
      const isIn = !(entered instanceof Promise) && entered.ok;
      const form = formOf(lasting, asked.acceptEncoding);
      if (!isIn || form === "to be made" || !acceptsJson(asked.accept)) {
        return respond(asked, { bearer, entered, lasting });
      }
      entered.release();
      if (isGet && matchesTag(asked.ifNoneMatch, lasting.etag)) {
        return notModified(lasting, { limits, bearer, entry: entered, now: asked.now });
      }
      const { lines, length } = lasting;
      const headers: string[] = [];
      addStanding(headers, limits, bearer, asked.now);
      headers.push("content-type", JSON_TYPE, ...lasting.headers);
      if (form === "plain") {
        const body = lasting.bytes ?? textOf(lasting, asked.requestId);
        return { status: 200, headers, lines, body, length };
      }
      headers.push("content-encoding", form.encoding);
      return { status: 200, headers, lines, body: form.bytes };
    },
  };
}

function refusalOf({ code, retryAfterS }: Extract<Entry, { ok: false }>): ApiError {
  const reason =
    code === "unavailable" ? "the limit of this token is not known just now" : "the limit of this token is spent";
  return new ApiError(code, `${reason}; try again in ${retryAfterS} s`, {
    headers: { "retry-after": String(retryAfterS) },
  });
}

function addStanding(headers: string[], limits: RateLimits, bearer: Bearer, now: number): void {
  const policy = limits.policyOf(bearer);
  if (policy === null) return;
  headers.push("RateLimit-Policy", policy);
  const standing = limits.standingOf(bearer, now);
  if (standing !== null) headers.push("RateLimit", standing);
}

interface Charged {
  limits: RateLimits;
  bearer: Bearer;
  entry: Extract<Entry, { ok: true }>;
  now: number;
}

/** What has not changed costs nothing of the day. */
function notModified({ headers: own, lines }: Lasting, { limits, bearer, entry, now }: Charged): Reply {
  entry.refundDaily();
  const headers: string[] = [];
  addStanding(headers, limits, bearer, now);
  headers.push(...own);
  return { status: 304, headers, lines, body: null };
}

/** Compression takes longer than all the rest: what is given again is compressed once. */
function formOf({ pieces, packed }: Lasting, acceptEncoding: string | undefined): "plain" | "to be made" | Compressed {
  if (acceptEncoding === undefined) return "plain";
  const encoding = chooseEncoding(acceptEncoding);
  if (encoding === null) return "plain";
  // With the request's id in it, it is another answer each time.
  return pieces.length === 1 && packed !== null && packed.encoding === encoding ? packed : "to be made";
}

async function sized(
  headers: string[],
  made: Lasting,
  { acceptEncoding, requestId }: Asked,
  lasting: Lasting | null,
): Promise<Reply> {
  const { lines, length } = made;
  const body = made.bytes ?? textOf(made, requestId);
  const packed = acceptEncoding === undefined ? null : await compressed(body, acceptEncoding);
  if (packed === null) return { status: 200, headers, lines, body, length };
  if (lasting !== null && lasting.pieces.length === 1) lasting.packed = packed;
  headers.push("content-encoding", packed.encoding);
  return { status: 200, headers, lines, body: packed.bytes };
}
