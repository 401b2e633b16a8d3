/**
 * An endpoint is data: what it promises on top, how it keeps the promise in `handle`. HTTP router, OpenAPI document,
 * command line and reference pages all read the same list. A handler holds a Reader, so it cannot write: that of its
 * platform, or, where it spans platforms, those of all that the caller may read.
 */
import type { Static, TObject, TSchema } from "typebox";
import type { PlatformName } from "#domain/record.ts";
import type { ParameterError } from "#errors";
import { ApiError } from "#errors";
import type { Natives, Reader } from "#store/store.ts";
import type { Nullable } from "./nullable.ts";

/** What a request costs of a token's limits: look-up 1, list 2, search 5. */
export type Cost = "lookup" | "list" | "search";

/** What an endpoint promises. */
export interface EndpointDefinition {
  method: "GET" | "POST";
  /** Below `/api/<platform>/`, or below `/api/` where it spans platforms; the same as the file's path below `endpoints/`. */
  path: string;
  summary: string;
  description: string;
  cost: Cost;
  input: TObject;
  output: TSchema;
  /** The body encoding that SPEC.md names for a POST; the others are taken too. */
  form?: "multipart" | "urlencoded";
  /** Parameters that give an answer on the demo world. */
  example: Record<string, string>;
}

export interface Endpoint<Ctx extends RequestContext = Context> extends EndpointDefinition {
  handle(ctx: Ctx, input: never): Promise<EndpointResult<unknown>>;
}

export interface EndpointResult<Body> {
  /** Null marks what is not known; see unknown.ts. */
  body: Nullable<Body>;
  /** Capture time of the newest record in the answer, Unix milliseconds; null for none. */
  asOf: number | null;
  /** What the answer says beside its body, such as the spelling that was searched instead. */
  headers?: Record<string, string>;
}

/** What any handler may know of the request beside its input. */
export interface RequestContext {
  /** The time of the request, Unix milliseconds. A response that depends on it is never cached. */
  now(): number;
  /** When its minute began: a response that depends on it is cached until the minute ends. */
  minute(): number;
  /** When its hour began: exact enough for most, and every response is cached no longer than that. */
  hour: number;
  /** The same instant, for nothing but to be shown where the schema says that it changes with every call. */
  answeredAt: number;
  requestId: string;
  defaults: Defaults;
  cursors: PageTokens;
  /** The token has `read:personal`: e-mail, phone and street of a profile may be shown. */
  personal: boolean;
  /** Where this operation's parameters travel. */
  place: ParameterError["in"];
}

/** For an endpoint of one platform. */
export interface Context<N extends Natives = Natives> extends RequestContext {
  store: Reader<N>;
}

/** How far a caller may read. */
export interface Permitted {
  /** The platforms whose scope the caller has. */
  readers: readonly PlatformStore[];
  /** The names of the others: asking for one of them is no mistake, but not allowed. */
  denied: readonly PlatformName[];
}

export interface PlatformStore {
  platform: PlatformName;
  store: Reader;
}

/** For an endpoint that spans platforms. */
export interface CrossPlatformContext extends RequestContext, Permitted {}

/** What the operator set for callers who do not say. */
export interface Defaults {
  language: string;
  country: string;
  timezone: string;
}

/** Signed, opaque, expiring tokens for the next page, bound to the operation and to `bound`. */
export interface PageTokens {
  sign(bound: readonly string[], payload: unknown): string;
  /** The payload; null for a token that was changed, is foreign or has expired. */
  verify(bound: readonly string[], token: string): unknown;
}

/** Ties the types of input, output and handler together, then forgets them: lists hold plain `Endpoint`s. */
export function endpoint<I extends TObject, O extends TSchema, Ctx extends RequestContext>(
  definition: Omit<EndpointDefinition, "input" | "output"> & {
    input: I;
    output: O;
    handle(ctx: Ctx, input: Static<I>): Promise<EndpointResult<Static<O>>>;
  },
): Endpoint<Ctx> {
  return definition;
}

/** A refusal that names the parameter and says what would be right. */
export function parameterError(
  ctx: Pick<RequestContext, "place">,
  code: "invalid_parameter" | "missing_parameter" | "invalid_cursor",
  parameter: string,
  reason: string,
): ApiError {
  const where = ctx.place === "body" ? "request body" : "query string";
  return new ApiError(code, `${parameter} in the ${where} ${reason}`, {
    errors: [{ in: ctx.place, parameter, reason }],
  });
}

/** The newest capture among the records of an answer. */
export function latestCapture(records: Iterable<{ capturedAt: number } | null>): number | null {
  let latest: number | null = null;
  for (const record of records) {
    if (record !== null && (latest === null || record.capturedAt > latest)) latest = record.capturedAt;
  }
  return latest;
}
