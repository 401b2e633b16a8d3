/**
 * The middle of a request's life, the same for every way in: input -> handler -> completed body. HTTP puts headers and
 * limits around it; the command line calls it as it is.
 */
import type { Reader } from "#store/store.ts";
import { ApiError } from "#errors";
import type { Context, Cursors, Defaults } from "./endpoint.ts";
import { type FieldTree, parseFields, pickFields } from "./fields.ts";
import { compileInput, type RawInput } from "./input.ts";
import type { Operation } from "./platform.ts";
import { compileFill } from "./unknown.ts";

export interface Caller {
  store: Reader;
  now: number;
  requestId: string;
  defaults: Defaults;
  cursors: Cursors;
  personal: boolean;
  /** The caller asked to see unknown values as null. */
  unknownAsNull: boolean;
}

export interface Result {
  body: unknown;
  asOf: number | null;
}

export type Invoke = (caller: Caller, raw: RawInput) => Promise<Result>;

/** Compiles an operation's schemas once. */
export function prepare({ endpoint }: Operation): Invoke {
  const place = endpoint.method === "GET" ? "query" : "body";
  const readInput = compileInput(endpoint.input, place);
  const fill = compileFill(endpoint.output);

  return async (caller, raw) => {
    const fields = readFields(raw);
    const input = readInput(raw);
    const ctx: Context = {
      store: caller.store,
      now: caller.now,
      requestId: caller.requestId,
      defaults: caller.defaults,
      cursors: caller.cursors,
      personal: caller.personal,
      place,
    };
    const { body, asOf } = await endpoint.handle(ctx, input as never);
    const complete = caller.unknownAsNull ? body : fill(body);
    return { body: pickFields(complete, fields), asOf };
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
