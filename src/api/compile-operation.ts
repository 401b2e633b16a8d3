/**
 * Executes an operation: parses the input, runs the handler, completes the body. HTTP adds headers and limits around it;
 * the CLI calls it as it is.
 */
import { suggest } from "#domain/suggest.ts";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { ApiError } from "#errors";
import { parameterLocation, type Permitted, type RequestContext } from "./endpoint.ts";
import { type FieldTree, parseFields, pickFields } from "./fields.ts";
import type { RawInput } from "./input.ts";
import { compileDefaults } from "./nullable.ts";
import type { Operation } from "./platform.ts";
import { ignoredHeader } from "./response-headers.ts";
import type { SchemaNode } from "./schema.ts";

export interface Invocation extends Pick<RequestContext, "requestId" | "defaults" | "cursors" | "personal"> {
  /** Unix milliseconds. */
  now: number;
  permitted: Permitted;
  /** The same readers in mode "json"; used where the whole body is sent. Defaults to `permitted`. */
  permittedRaw?: Permitted;
  /** The client prefers null for unknown values. */
  unknownAsNull: boolean;
  /** Names of parameters that were sent elsewhere than in `raw`, and so are ignored. */
  misplaced?: readonly string[];
}

export interface Result {
  body: unknown;
  lastModified: number | null;
  /** When what was asked for was last captured. */
  capturedAt: number | null;
  headers: Record<string, string>;
  /** How long the response stays the same while nothing is written. */
  validFor: Validity;
}

export type Execute = (invocation: Invocation, raw: RawInput) => Promise<Result>;

/** Until the end of the request's hour or minute, or for this request only. */
export type Validity = "hour" | "minute" | "request";

/** Compiles an operation's schemas once. */
export function compileOperation(operation: Operation): Execute {
  const { endpoint } = operation;
  const location = parameterLocation(endpoint);
  const fillDefaults = compileDefaults(endpoint.output);
  const known = new Set(parameterNames(operation));

  return async (invocation, raw) => {
    const { permitted, permittedRaw = permitted, unknownAsNull, misplaced = [] } = invocation;
    const fields = readFields(raw);
    const { context, validity } = createContext(invocation, location);
    const readers = unknownAsNull || fields !== null ? permitted : permittedRaw;
    const unknown = Object.keys(raw).filter((name) => !known.has(name));
    const {
      body,
      lastModified,
      capturedAt = lastModified,
      headers,
    } = await handle(context, readers, raw).catch((error: unknown) => {
      throw explainMissing(error, unknown, misplaced);
    });
    const complete = unknownAsNull ? body : fillDefaults(body);
    return {
      body: pickFields(complete, fields),
      lastModified,
      capturedAt,
      headers: { ...headers, ...ignoredHeader([...unknown, ...misplaced]) },
      validFor: validity(),
    };
  };

  /** Rejects for an error in the input too, which `handle` of the operation throws. */
  async function handle(...request: Parameters<Operation["handle"]>): ReturnType<Operation["handle"]> {
    return operation.handle(...request);
  }

  function readFields(raw: RawInput): FieldTree | null {
    const text = raw["fields"];
    if (text === undefined || text === null || text === "") return null;
    const tree = typeof text === "string" ? parseFields(text, endpoint.output) : "must be sent once";
    if (typeof tree !== "string") return tree;
    throw new ApiError("invalid_parameter", `fields: ${tree}`, {
      errors: [{ in: location, parameter: "fields", reason: tree }],
    });
  }
}

/** All parameters that the operation takes. */
export function parameterNames({ endpoint }: Pick<Operation, "endpoint">): string[] {
  return [...Object.keys(endpoint.input.properties), "fields"];
}

/** Adds to the error for a missing parameter where it was sent instead, or the name that it may have been sent under. */
function explainMissing(error: unknown, unknown: readonly string[], misplaced: readonly string[]): unknown {
  if (!(error instanceof ApiError) || error.code !== "missing_parameter") return error;
  const hints = error.errors.flatMap(({ parameter }) => {
    if (misplaced.includes(parameter)) return `${parameter} was sent in the query string`;
    const near = unknown.find((name) => isNear(name, parameter));
    return near === undefined ? [] : `${near.slice(0, 60)} is no parameter; did you mean ${parameter}?`;
  });
  if (hints.length === 0) return error;
  const { code, message, errors, headers } = error;
  return new ApiError(code, [message, ...hints].join("; "), { errors, headers });
}

/** A part of the name, or a typing mistake. */
function isNear(name: string, parameter: string): boolean {
  const isPart = name.length >= 2 && parameter.toLowerCase().includes(name.toLowerCase());
  return isPart || (parameter.length >= 4 && suggest(name, [parameter]).length > 0);
}

/** Also tracks how precisely the handler reads the clock, which limits how long its response is valid. */
function createContext(
  { now, requestId, defaults, personal, cursors }: Invocation,
  location: RequestContext["parameterLocation"],
): { context: RequestContext; validity: () => Validity } {
  let validity: Validity = "hour";
  const context: RequestContext = {
    now() {
      validity = "request";
      return now;
    },
    minute() {
      if (validity === "hour") validity = "minute";
      return now - (now % MINUTE_MS);
    },
    hour: now - (now % HOUR_MS),
    displayTime: now,
    parameterLocation: location,
    requestId,
    defaults,
    personal,
    cursors,
  };
  return { context, validity: () => validity };
}

/** Paths of the fields that the schema marks as changing with every request. */
export function volatilePaths(schema: SchemaNode, path: string[] = []): string[][] {
  if (schema["x-volatile"] === true) return [path];
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => volatilePaths(child, [...path, name]));
}
