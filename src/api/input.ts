/**
 * From the strings of a query or a form (or the values of a JSON body) to an endpoint's typed input. Refuses with
 * the parameter's name, its limit and the place it was looked for; never clamps, never guesses. Unknown parameters
 * are ignored.
 */
import type { TObject } from "typebox";
import { ApiError, type ParameterError } from "#errors";
import { COUNTRIES } from "./countries.ts";

export type RawInput = Record<string, unknown>;

interface ParameterSchema {
  type?: string;
  default?: unknown;
  const?: string;
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
}

type Verdict = { value: unknown } | { reason: string };

interface Parameter {
  name: string;
  required: boolean;
  fallback: unknown;
  /** Empty text stands for "not given". */
  emptyIsAbsent: boolean;
  read(text: string): Verdict;
}

const INTEGER = /^\d{1,16}$/;

/** Prepares the reading of one endpoint's input. */
export function compileInput(schema: TObject, place: ParameterError["in"]): (raw: RawInput) => Record<string, unknown> {
  const properties = schema.properties as Record<string, ParameterSchema>;
  const required = new Set((schema.required ?? []) as string[]);
  const parameters = Object.entries(properties).map(([name, property]): Parameter => {
    const fallback = property.default;
    return {
      name,
      required: required.has(name) && fallback === undefined,
      fallback,
      emptyIsAbsent: !required.has(name) && fallback === undefined,
      read: readerFor(property),
    };
  });

  return (raw) => {
    const input: Record<string, unknown> = {};
    let errors:
      | (ParameterError & { code: "missing_parameter" | "invalid_parameter" | "repeated_parameter" })[]
      | undefined;
    for (const parameter of parameters) {
      const { name } = parameter;
      const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
      if (given === undefined || given === null || (given === "" && parameter.emptyIsAbsent)) {
        if (parameter.required)
          (errors ??= []).push({ code: "missing_parameter", in: place, parameter: name, reason: "required" });
        else if (parameter.fallback !== undefined) input[name] = parameter.fallback;
        continue;
      }
      const text = scalarText(given);
      if (text === null) {
        const repeated = Array.isArray(given);
        (errors ??= []).push({
          code: repeated ? "repeated_parameter" : "invalid_parameter",
          in: place,
          parameter: name,
          reason: repeated ? "must be sent once" : "must be a text or a number",
        });
        continue;
      }
      if (text === "" && parameter.required) {
        (errors ??= []).push({ code: "missing_parameter", in: place, parameter: name, reason: "must not be empty" });
        continue;
      }
      const verdict = parameter.read(text);
      if ("reason" in verdict)
        (errors ??= []).push({ code: "invalid_parameter", in: place, parameter: name, reason: verdict.reason });
      else input[name] = verdict.value;
    }
    if (errors !== undefined) throw refusal(errors, place);
    return input;
  };
}

function refusal(
  errors: (ParameterError & { code: "missing_parameter" | "invalid_parameter" | "repeated_parameter" })[],
  place: ParameterError["in"],
): ApiError {
  const where = place === "body" ? "in the request body" : "in the query string";
  const sentences = errors.map(({ parameter, reason }) =>
    reason === "required" ? `${parameter} is required ${where}` : `${parameter} ${where} ${reason}`,
  );
  const first = errors[0] as (typeof errors)[number];
  return new ApiError(first.code, sentences.join("; "), {
    errors: errors.map(({ in: location, parameter, reason }) => ({ in: location, parameter, reason })),
  });
}

/** Forms carry text; JSON bodies may carry numbers and booleans too. */
function scalarText(given: unknown): string | null {
  if (typeof given === "string") return given;
  if (typeof given === "number" || typeof given === "boolean") return String(given);
  return null;
}

function readerFor(schema: ParameterSchema): (text: string) => Verdict {
  if (schema.type === "integer") return readInteger(schema);
  if (schema.const !== undefined) return readExactly(schema.const);
  if (schema.enum !== undefined) return readChoice(schema.enum);
  if (schema.format === "bcp47") return readLanguage;
  if (schema.format === "country") return readCountry;
  return readText(schema);
}

function readInteger({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: ParameterSchema) {
  const reason = `must be a whole number from ${minimum} to ${maximum}`;
  return (text: string): Verdict => {
    if (!INTEGER.test(text)) return { reason };
    const value = Number(text);
    return value < minimum || value > maximum ? { reason } : { value };
  };
}

function readExactly(expected: string) {
  return (text: string): Verdict => (text === expected ? { value: text } : { reason: `must be exactly ${expected}` });
}

function readChoice(choices: (string | number)[]) {
  const byFolded = new Map(choices.map((choice) => [String(choice).toLowerCase(), choice]));
  const reason = `must be one of ${choices.join(", ")}`;
  return (text: string): Verdict => {
    const value = byFolded.get(text.toLowerCase());
    return value === undefined ? { reason } : { value };
  };
}

function readLanguage(text: string): Verdict {
  try {
    const [value] = Intl.getCanonicalLocales(text);
    if (value !== undefined && text.length <= 35) return { value };
  } catch {
    // Not a language tag: refused below.
  }
  return { reason: "must be a language code (BCP 47), such as en or pt-BR" };
}

function readCountry(text: string): Verdict {
  // Only ASCII letters are looked up: others may grow into two letters when they are made capital.
  const value = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : "";
  if (COUNTRIES.has(value)) return { value };
  return { reason: "must be a country code of two letters (ISO 3166), such as US" };
}

function readText({ minLength = 0, maxLength = 200 }: ParameterSchema) {
  const reason =
    minLength > 0 ? `must have ${minLength} to ${maxLength} characters` : `must have at most ${maxLength} characters`;
  return (text: string): Verdict =>
    text.length < minLength || text.length > maxLength || !text.isWellFormed() || text.includes("\0")
      ? { reason: text.length > maxLength || text.length < minLength ? reason : "must be well-formed text" }
      : { value: text };
}
