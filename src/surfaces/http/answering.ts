/**
 * How an operation is answered: token, limits, input, handler, answer, in that order. It knows no framework: routes
 * hand it what was asked and send what it returns. What goes wrong is an answer too.
 */
import { bearerOf } from "#access/authorize.ts";
import type { Entry, RateLimits } from "#access/limits.ts";
import type { Bearer, TokenRegistry } from "#access/tokens.ts";
import type { Operation } from "#contract/platform.ts";
import { ApiError } from "#errors";
import { JSON_TYPE, matchesTag, textOf } from "./answer.ts";
import { type Asked, making, type MakingServices } from "./answer-making.ts";
import { COMPRESS_FROM_BYTES, compressed } from "./compression.ts";
import { acceptsJson, chooseEncoding } from "./negotiation.ts";
import { problemAnswer } from "./problem-reply.ts";
import type { Lasting, Remembered } from "./remembered.ts";

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
  /**
   * In place of lines and body: all that is left of the answer, as it goes over the wire. It is lent: whoever takes the
   * reply copies it at once.
   */
  wire?: Buffer;
}

export interface Answered {
  reply: Reply;
  /** In the form in which it went, unless it came in that form; null where the answer is for this request alone. */
  lasting: Lasting | null;
}

export interface Answering {
  answer(asked: Asked): Promise<Answered>;
  /** Gives once more what lasts, to a bearer who may read it. At once, unless limits or compression are waited for. */
  again(asked: Asked, bearer: Bearer, kept: Remembered<unknown>): Reply | Promise<Answered>;
}

/** A caller who was let in as far as the limits, with the answer that is there already. */
interface Begun {
  bearer: Bearer;
  entered: Entry | Promise<Entry>;
  kept: Lasting;
}

/** What an answer depends on beside the address. */
export const VARY = "Accept, Accept-Encoding, Authorization, Prefer";

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
      const proving = begun?.bearer ?? bearerOf(asked.query, asked.authorization, tokens, asked.now);
      const bearer = proving instanceof Promise ? await proving : proving;
      const reaches = make.reachesOf(bearer);
      const entered = begun?.entered ?? limits.enter(bearer, endpoint.cost, asked.now);
      entry = entered instanceof Promise ? await entered : entered;
      addStanding(headers, limits, bearer, asked.now);
      if (!entry.ok) throw refusalOf(entry);
      const made = begun === null ? await make.answer(asked, bearer, reaches) : { ...begun.kept, lasts: false };
      if (isGet && matchesTag(asked.ifNoneMatch, made.etag)) {
        const reply = notModified(made.lines, { limits, bearer, entry, now: asked.now });
        return { reply, lasting: made.lasts ? made : null };
      }
      const body = asked.acceptEncoding === undefined ? made.body : await formFor(asked, made.body);
      const reply = replyOf(headers, made.lines, body, asked);
      // With something of the request in it, what was compressed is for this request alone.
      const lasting = isCut(made.body) ? made : { ...made, body };
      return { reply, lasting: made.lasts || lasting.body !== made.body ? lasting : null };
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
    again(asked, bearer, kept) {
      if (!acceptsJson(asked.accept)) return respond(asked, null);
      const entered = limits.enter(bearer, endpoint.cost, asked.now);
      const isIn = !(entered instanceof Promise) && entered.ok;
      if (!isIn || !isInForm(kept, asked.acceptEncoding)) {
        return respond(asked, { bearer, entered, kept: kept.copy() });
      }
      entered.release();
      if (isGet && matchesTag(asked.ifNoneMatch, kept.etag)) {
        return notModified(kept.lines(), { limits, bearer, entry: entered, now: asked.now });
      }
      const headers: string[] = [];
      addStanding(headers, limits, bearer, asked.now);
      const wire = kept.wire();
      if (wire !== null) return { status: 200, headers, body: null, wire };
      const { lines, body } = kept.copy();
      return replyOf(headers, lines, body, asked);
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
function notModified(lines: string, { limits, bearer, entry, now }: Charged): Reply {
  entry.refundDaily();
  const headers: string[] = [];
  addStanding(headers, limits, bearer, now);
  return { status: 304, headers, lines, body: null };
}

function isInForm({ encoding, bodyLength }: Remembered<unknown>, acceptEncoding: string | undefined): boolean {
  const wanted = acceptEncoding === undefined ? null : chooseEncoding(acceptEncoding);
  return encoding === wanted || (encoding === null && bodyLength < COMPRESS_FROM_BYTES);
}

/** Compressed, where the caller can read it and the text is long enough. */
async function formFor(asked: Asked, body: Lasting["body"]): Promise<Lasting["body"]> {
  if ("encoding" in body) return body;
  return (await compressed(textOf(body, asked), asked.acceptEncoding)) ?? body;
}

function isCut(body: Lasting["body"]): boolean {
  return !("encoding" in body) && body.between.length > 0;
}

function replyOf(headers: string[], lines: string, body: Lasting["body"], asked: Asked): Reply {
  headers.push("content-type", JSON_TYPE);
  if (!("encoding" in body)) return { status: 200, headers, lines, body: textOf(body, asked) };
  headers.push("content-encoding", body.encoding);
  return { status: 200, headers, lines, body: body.bytes };
}
