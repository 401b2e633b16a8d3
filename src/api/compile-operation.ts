/**
 * The middle of a request's life, the same for every way in: input -> handler -> completed body. HTTP puts headers and
 * limits around it; the command line calls it as it is.
 */
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { ApiError } from "#errors";
import type { Permitted, RequestContext } from "./endpoint.ts";
import { type FieldTree, parseFields, pickFields } from "./fields.ts";
import { compileInput, type RawInput } from "./input.ts";
import type { Operation } from "./platform.ts";
import { compileDefaults } from "./nullable.ts";

export interface Invocation extends Omit<RequestContext, "place" | "now" | "minute" | "hour" | "answeredAt"> {
  /** Unix milliseconds. */
  now: number;
  permitted: Permitted;
  /** The same, with records written out; for callers who take whole answers. Without it they are drawn. */
  permittedRaw?: Permitted;
  /** The caller asked to see unknown values as null. */
  unknownAsNull: boolean;
}

export interface Result {
  body: unknown;
  asOf: number | null;
  headers: Record<string, string>;
  /** How long the response stays the same while nothing is written. */
  validFor: Validity;
}

export type Execute = (caller: Invocation, raw: RawInput) => Promise<Result>;

/** To the end of the hour or minute of the request, or for this request alone. */
export type Validity = "hour" | "minute" | "request";

const NO_HEADERS = {};

/** Notices how exactly a handler looks at the clock. */
class ClockTrackingContext implements RequestContext {
  readonly #now: number;
  readonly hour: number;
  readonly answeredAt: number;
  readonly place: RequestContext["place"];
  readonly requestId: string;
  readonly defaults: RequestContext["defaults"];
  readonly personal: boolean;
  /** They change with the hour, as all answers may. */
  readonly cursors: RequestContext["cursors"];
  validFor: Validity = "hour";

  constructor(caller: Invocation, place: RequestContext["place"]) {
    this.#now = caller.now;
    this.hour = caller.now - (caller.now % HOUR_MS);
    this.answeredAt = caller.now;
    this.place = place;
    this.requestId = caller.requestId;
    this.defaults = caller.defaults;
    this.personal = caller.personal;
    this.cursors = caller.cursors;
  }

  now(): number {
    this.validFor = "request";
    return this.#now;
  }

  minute(): number {
    if (this.validFor === "hour") this.validFor = "minute";
    return this.#now - (this.#now % MINUTE_MS);
  }
}

/** Compiles an operation's schemas once. */
export function compileOperation(operation: Operation): Execute {
  const { endpoint } = operation;
  const place = endpoint.method === "GET" ? "query" : "body";
  const readInput = compileInput(endpoint.input, place);
  const fill = compileDefaults(endpoint.output);

  return async (caller, raw) => {
    const fields = readFields(raw);
    const input = readInput(raw);
    const { permitted: reach, permittedRaw: writtenReach = reach, unknownAsNull } = caller;
    const request = new ClockTrackingContext(caller, place);
    const wanted = unknownAsNull || fields !== null ? reach : writtenReach;
    const { body, asOf, headers = NO_HEADERS } = await operation.handle(request, wanted, input);
    const complete = unknownAsNull ? body : fill(body);
    return { body: pickFields(complete, fields), asOf, headers, validFor: request.validFor };
  };

  function readFields(raw: RawInput): FieldTree | null {
    const text = raw["fields"];
    if (text === undefined || text === null || text === "") return null;
    const tree = typeof text === "string" ? parseFields(text, endpoint.output) : "must be sent once";
    if (typeof tree !== "string") return tree;
    throw new ApiError("invalid_parameter", `fields ${tree}`, {
      errors: [{ in: place, parameter: "fields", reason: tree }],
    });
  }
}

/** Paths of an answer's parts that change with every call, as the schema marks them. */
export function volatilePaths(schema: object, path: string[] = []): string[][] {
  const node = schema as { "x-volatile"?: boolean; properties?: Record<string, object> };
  if (node["x-volatile"] === true) return [path];
  return Object.entries(node.properties ?? {}).flatMap(([name, below]) => volatilePaths(below, [...path, name]));
}
