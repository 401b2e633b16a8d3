/** Which sources can fill a request, and how. Pure: the server and the thread of the live sources come to the same plans. */
import { parameterLocation } from "#api/endpoint.ts";
import { compileInput, type RawInput } from "#api/input.ts";
import type { Operation } from "#api/platform.ts";
import type { Credentials, Plan, PlanContext, PlanInput, Source } from "#api/source.ts";
import type { AskRequest } from "./live-port.ts";

export interface PlannerOptions {
  operations: readonly Operation[];
  credentials: Credentials;
  defaults: PlanContext["defaults"];
}

type Parse = (raw: RawInput) => Record<string, unknown>;

export class Planner {
  readonly #options: PlannerOptions;
  readonly #parsers = new Map<string, Parse | null>();

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  /** Null if the source cannot fill this input. */
  createPlan(source: Source, { operation, input }: Pick<AskRequest, "operation" | "input">): Plan | null {
    const createPlan = source.fills[operation];
    const parse = createPlan === undefined ? null : this.#parserOf(operation);
    if (createPlan === undefined || parse === null) return null;
    return createPlan(toTexts(parse(input)), this.contextOf(source));
  }

  contextOf(source: Source): PlanContext {
    const { credentials, defaults } = this.#options;
    return { now: Date.now(), credentials: credentialsOf(source, credentials), defaults };
  }

  #parserOf(name: string): Parse | null {
    let parse = this.#parsers.get(name);
    if (parse === undefined) {
      const endpoint = this.#options.operations.find((operation) => operation.name === name)?.endpoint;
      parse = endpoint === undefined ? null : compileInput(endpoint.input, parameterLocation(endpoint));
      this.#parsers.set(name, parse);
    }
    return parse;
  }
}

/** Those of the source, and no others. */
export function credentialsOf(source: Source, all: Credentials): Credentials {
  return Object.fromEntries(source.credentials.map((name) => [name, all[name] ?? ""]));
}

function toTexts(input: Record<string, unknown>): PlanInput {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(input))
    if (typeof value === "string" || typeof value === "number") texts[name] = String(value);
  return texts;
}
