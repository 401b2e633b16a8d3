/**
 * Parses the strings of a query or form, or the values of a JSON body, to an endpoint's typed input. An error names the
 * parameter, its limit and its location; values are never clamped or guessed. Unknown parameters are ignored.
 */
import type { SchemaNode, Static, TObject } from "./schema.ts";
import { parseCountry, suggestCountry } from "#domain/country.ts";
import { suggestLanguage } from "#domain/language.ts";
import { ApiError, type ParameterError } from "#errors";

export type RawInput = Record<string, unknown>;

/** `reason` says why the value is invalid. */
type ParsedValue = { value: unknown } | { reason: string };

type InputError = ParameterError & { code: "missing_parameter" | "invalid_parameter" | "repeated_parameter" };

interface Parameter {
  name: string;
  required: boolean;
  fallback: unknown;
  /** Whether an empty string counts as absent. */
  emptyIsAbsent: boolean;
  /** A list in a JSON body; elsewhere one text with commas. */
  isList: boolean;
  parse(text: string): ParsedValue;
}

const INTEGER = /^\d{1,16}$/;

/** The parameters that must be sent: those with a default need not be. */
export function requiredParameters({
  properties,
  required = [],
}: Pick<SchemaNode, "properties" | "required">): string[] {
  return required.filter((name) => properties?.[name]?.default === undefined);
}

/** Compiles the schema to a parser. `location` is where the parameters are sent, or a function of their names. */
export function compileInput<Input extends TObject>(
  schema: Input,
  location: ParameterError["in"] | ((name: string) => ParameterError["in"]),
): (raw: RawInput) => Static<Input> {
  const locationOf = typeof location === "string" ? () => location : location;
  const properties: Record<string, SchemaNode> = schema.properties;
  const required = new Set(requiredParameters(schema));
  const parameters = Object.entries(properties).map(([name, property]): Parameter => {
    const fallback = property.default;
    return {
      name,
      required: required.has(name),
      fallback,
      emptyIsAbsent: !required.has(name) && fallback === undefined,
      isList: property.type === "array",
      parse: parserFor(property),
    };
  });

  return (raw) => {
    const input: Record<string, unknown> = {};
    const errors: InputError[] = [];
    for (const parameter of parameters) {
      const { name } = parameter;
      const fail = (code: InputError["code"], reason: string) =>
        errors.push({ code, in: locationOf(name), parameter: name, reason });
      const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
      if (value === undefined || value === null || (value === "" && parameter.emptyIsAbsent)) {
        if (parameter.required) fail("missing_parameter", "required");
        else if (parameter.fallback !== undefined) input[name] = parameter.fallback;
        continue;
      }
      const text = parameter.isList ? listText(value) : scalarText(value);
      if (text === null) {
        if (Array.isArray(value) && !parameter.isList) fail("repeated_parameter", "must be sent once");
        else if (parameter.isList) fail("invalid_parameter", "must be a list of texts");
        else fail("invalid_parameter", "must be a string or a number");
      } else if (text.trim() === "" && parameter.required) {
        fail("missing_parameter", "must not be empty");
      } else {
        const parsed = parameter.parse(text);
        if ("reason" in parsed) fail("invalid_parameter", parsed.reason);
        else if (losesDigits(value)) fail("invalid_parameter", LOST_DIGITS);
        else input[name] = parsed.value;
      }
    }
    const [first] = errors;
    if (first !== undefined) throw toInputError(first.code, errors);
    // The parsers were made from the schema.
    return input as Static<Input>;
  };
}

const WHERE: Readonly<Record<ParameterError["in"], string>> = {
  query: "in the query string",
  body: "in the request body",
  path: "in the path",
  header: "in the headers",
};

function toInputError(code: InputError["code"], errors: readonly InputError[]): ApiError {
  const sentences = errors.map(({ in: location, parameter, reason }) =>
    reason === "required" ? `${parameter} is required ${WHERE[location]}` : `${parameter} ${WHERE[location]} ${reason}`,
  );
  return new ApiError(code, sentences.join("; "), { errors: errors.map(({ code: _code, ...error }) => error) });
}

/** Forms have strings only; JSON bodies may have numbers and booleans. */
function scalarText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return null;
}

const LOST_DIGITS = "must be sent as a string: a number this large loses digits";

/** Ids may have more digits than a number of JSON keeps when it is read. */
function losesDigits(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(losesDigits);
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** Items have no commas themselves. */
function listText(value: unknown): string | null {
  if (!Array.isArray(value)) return scalarText(value);
  const items = value.map(scalarText);
  return items.some((item) => item === null || item.includes(",")) ? null : items.join(",");
}

function parserFor(schema: SchemaNode): (text: string) => ParsedValue {
  if (schema.type === "integer") return parseInteger(schema);
  if (schema.type === "array") return parseList(schema);
  if (schema.const !== undefined) return parseConstant(String(schema.const));
  if (schema.enum !== undefined) return parseChoice(schema.enum);
  if (schema.format === "bcp47") return parseLanguage;
  if (schema.format === "country") return parseCountryCode;
  if (schema.format === "date") return parseDay;
  if (schema.format === "as-of") return parseAsOf;
  return parseText(schema);
}

function parseInteger({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: SchemaNode) {
  const reason = `must be a whole number from ${minimum} to ${maximum}`;
  return (text: string): ParsedValue => {
    if (!INTEGER.test(text)) return { reason };
    const value = Number(text);
    return value < minimum || value > maximum ? { reason } : { value };
  };
}

function parseList({ minItems = 0, maxItems = 100 }: SchemaNode) {
  return (text: string): ParsedValue => {
    const items = text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
    return items.length < minItems || items.length > maxItems || !text.isWellFormed()
      ? { reason: `must be a list of ${minItems} to ${maxItems} texts` }
      : { value: items };
  };
}

function parseConstant(expected: string) {
  return (text: string): ParsedValue =>
    text === expected ? { value: text } : { reason: `must be exactly ${expected}` };
}

function parseChoice(choices: (string | number)[]) {
  const byFolded = new Map(choices.map((choice) => [String(choice).toLowerCase(), choice]));
  const reason = `must be one of ${choices.join(", ")}`;
  return (text: string): ParsedValue => {
    const value = byFolded.get(text.toLowerCase());
    return value === undefined ? { reason } : { value };
  };
}

function parseLanguage(text: string): ParsedValue {
  try {
    const [value] = Intl.getCanonicalLocales(text);
    // Longer language subtags, such as english, are well-formed but name no language.
    if (value !== undefined && text.length <= 35 && /^[a-z]{2,3}(?:-|$)/.test(value)) return { value };
  } catch {
    // Not a language tag.
  }
  return { reason: withHint("must be a language code (BCP 47), such as en or pt-BR", text, suggestLanguage) };
}

function parseCountryCode(text: string): ParsedValue {
  const value = parseCountry(text);
  if (value !== null) return { value };
  return { reason: withHint("must be a country code of two letters (ISO 3166), such as US", text, suggestCountry) };
}

/** Names are short: longer texts are not looked up. */
const MAX_NAME_LENGTH = 40;

function withHint(reason: string, text: string, suggest: (text: string) => string | null): string {
  const value = text.length <= MAX_NAME_LENGTH ? suggest(text) : null;
  return value === null ? reason : `${reason}; for ${text.trim()} send ${value}`;
}

function parseDay(text: string): ParsedValue {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse accepts 30 February as a day in March, so compare with what was sent.
  if (!Number.isNaN(start) && new Date(start).toISOString().startsWith(text)) return { value: text };
  return { reason: "must be a date such as 2026-11-15" };
}

function parseAsOf(text: string): ParsedValue {
  if (text.toLowerCase() === "newest") return { value: "newest" };
  const day = parseDay(text);
  return "reason" in day ? { reason: "must be a date such as 2026-11-15, or newest" } : day;
}

export function parseText({ minLength = 0, maxLength = 200 }: SchemaNode) {
  const reason =
    minLength > 0 ? `must have ${minLength} to ${maxLength} characters` : `must have at most ${maxLength} characters`;
  return (text: string): ParsedValue =>
    text.length < minLength || text.length > maxLength || !text.isWellFormed() || text.includes("\0")
      ? { reason: text.length > maxLength || text.length < minLength ? reason : "must be well-formed text" }
      : { value: text };
}
