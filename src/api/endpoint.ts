/**
 * An endpoint: its contract as data, and its handler. The HTTP router, OpenAPI document, CLI and reference pages all use
 * the same list. A handler has Readers only, so it cannot write: that of its platform, or, across platforms, those that
 * the client may read.
 */
import type { Static, TObject, TSchema } from "./schema.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { ParameterError } from "#errors";
import { ApiError } from "#errors";
import type { Natives } from "#store/records/port.ts";
import type { Reader } from "#store/store.ts";
import type { SearchStore } from "#store/search/port.ts";
import { compileInput, type RawInput } from "./input.ts";
import type { ResponseBody } from "./nullable.ts";
import type { ParseSiteUrl } from "./site-url.ts";

/** What a request costs of a token's rate limits: look-up 1, list 2, search 5. */
export type Cost = "lookup" | "list" | "search";

/** The contract of an endpoint. */
export interface EndpointDefinition {
  method: "GET" | "POST";
  /** Below `/api/<platform>/`, or `/api/` across platforms; equals the file's path below `endpoints/`. */
  path: string;
  summary: string;
  description: string;
  cost: Cost;
  /** It counts a list that may have as many entries as the store has records: it runs where searches do. */
  countsList?: true;
  input: TObject;
  output: TSchema;
  /** The body encoding that SPEC.md names for a POST; the others are accepted too. */
  form?: "multipart" | "urlencoded";
  /** Parameters that succeed on the demo data. */
  example: Record<string, string>;
  /** Present if the response is one page of a list. */
  pages?: Paging;
  /** Whether it reads rankings by growth, which a server computes some time after a write. */
  readsTrends?: true;
}

/** Where a response has its items and what the next page is requested with. Paths are such as `posts.edges`. */
export interface Paging {
  items: string;
  /** The path of the value for each parameter that requests the next page. */
  next: Readonly<Record<string, string>>;
  /** The path of a boolean, or of 1 and 0. Without it, empty values of `next` end the list. */
  more?: string;
  /** Pages have numbers: the next one is requested with the value in the response plus one. */
  increment?: true;
}

export interface Endpoint<Ctx extends RequestContext = Context> extends EndpointDefinition {
  /** Parses the input by its schema, then runs the handler. */
  handle(ctx: Ctx, raw: RawInput): Promise<EndpointResult<unknown>>;
}

export interface EndpointResult<Body> {
  /** Null stands for an unknown value; see nullable.ts. */
  body: ResponseBody<Body>;
  /** Capture time of the newest record in the response, Unix milliseconds; null for none. */
  lastModified: number | null;
  /** When what was asked for was last captured, if that differs from `lastModified`: a live source is asked when it is old. */
  capturedAt?: number | null;
  /** Response headers, such as the corrected spelling of a search. */
  headers?: Record<string, string>;
}

/** What every handler knows of the request beside its input. */
export interface RequestContext {
  /** The time of the request, Unix milliseconds. A response that depends on it is never cached. */
  now(): number;
  /** Start of the request's minute. A response that depends on it is cached until the minute ends. */
  minute(): number;
  /** Start of the request's hour: exact enough for most, and no response is cached longer. */
  hour: number;
  /** The time of the request, only for fields that the schema marks as volatile. */
  displayTime: number;
  requestId: string;
  defaults: Defaults;
  cursors: PageTokens;
  /** Whether the token has `read:personal`, which allows e-mail, phone and street of a profile. */
  personal: boolean;
  /** Where this operation's parameters are sent. */
  parameterLocation: ParameterError["in"];
}

/** For an endpoint of one platform. */
export interface Context<N extends Natives = Natives> extends RequestContext {
  store: Reader<N>;
}

/** The readers that a client's scopes allow. */
export interface Permitted {
  readers: readonly PlatformStore[];
  /** Searches these platforms only. */
  search: SearchStore;
  /** The other platforms: requesting one of them is forbidden rather than invalid. */
  denied: readonly PlatformName[];
}

export interface PlatformStore {
  platform: PlatformName;
  store: Reader;
}

/** What an endpoint that spans platforms must know of each. */
export interface PlatformTraits {
  /** Path segment, and name of the slice's folder. */
  name: PlatformName;
  parseSiteUrl: ParseSiteUrl;
  /** A post's id from another form of it, such as the code in its URL. */
  toPostId?: (text: string) => string;
  /** The pictures and videos of a post, each in its largest size. */
  listMedia(post: Post): PostMedia[];
}

export interface PostMedia {
  kind: "image" | "video";
  url: string;
  width: number | null;
  height: number | null;
}

/** For an endpoint that spans platforms. */
export interface CrossPlatformContext extends RequestContext, Permitted {
  platforms: readonly PlatformTraits[];
}

/** The operator's defaults for parameters that the client omits. */
export interface Defaults {
  language: string;
  country: string;
  timezone: string;
}

/** Signed, expiring tokens for the next page, bound to the operation and to the values in `bound`. */
export interface PageTokens {
  sign(bound: readonly string[], payload: unknown): string;
  /** The payload; null for a token that is forged, expired or of another operation. */
  verify(bound: readonly string[], token: string): unknown;
}

/** Checks the handler against the schemas of input and output. The parsed input never leaves this function untyped. */
export function endpoint<I extends TObject, O extends TSchema, Ctx extends RequestContext>(
  definition: Omit<EndpointDefinition, "input" | "output"> & {
    input: I;
    output: O;
    handle(ctx: Ctx, input: Static<I>): Promise<EndpointResult<Static<O>>>;
  },
): Endpoint<Ctx> {
  const parseInput = compileInput(definition.input, parameterLocation(definition));
  return { ...definition, handle: (ctx, raw) => definition.handle(ctx, parseInput(raw)) };
}

export function parameterLocation({ method }: Pick<EndpointDefinition, "method">): "query" | "body" {
  return method === "GET" ? "query" : "body";
}

/** An error that names the parameter and says what would be valid. */
export function parameterError(
  ctx: Pick<RequestContext, "parameterLocation">,
  code: "invalid_parameter" | "missing_parameter" | "invalid_cursor",
  parameter: string,
  reason: string,
): ApiError {
  const where = ctx.parameterLocation === "body" ? "request body" : "query string";
  return new ApiError(code, `${parameter} in the ${where} ${reason}`, {
    errors: [{ in: ctx.parameterLocation, parameter, reason }],
  });
}

/** The latest capture time of the records; null for none. */
export function latestCapture(records: Iterable<{ capturedAt: number } | null>): number | null {
  let latest: number | null = null;
  for (const record of records) {
    if (record !== null && (latest === null || record.capturedAt > latest)) latest = record.capturedAt;
  }
  return latest;
}
