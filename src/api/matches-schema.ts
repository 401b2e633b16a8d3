/**
 * Whether a value is what a schema of schema.ts describes. TypeBox tells it too, with 680 modules that every process
 * would load; a test compares the two. A keyword that is not known here is an error, so that none is left unchecked.
 */
import type { Static, TSchema } from "./schema.ts";

type Schema = Readonly<Record<string, unknown>>;
type Check<Operand> = (operand: Operand, value: unknown) => boolean;

interface Operands {
  type: string;
  const: unknown;
  enum: readonly unknown[];
  anyOf: readonly Schema[];
  items: Schema;
  required: readonly string[];
  properties: Readonly<Record<string, Schema>>;
  patternProperties: Readonly<Record<string, Schema>>;
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

/** As in JSON Schema, a keyword says nothing of values that are not of its type. */
const CHECKS: { readonly [Keyword in keyof Operands]: Check<Operands[Keyword]> } = {
  type: (type, value) => TYPES[type]?.(value) === true,
  const: (expected, value) => value === expected,
  enum: (values, value) => values.includes(value),
  anyOf: (schemas, value) => schemas.some((schema) => matches(schema, value)),
  items: (schema, value) => !Array.isArray(value) || value.every((item) => matches(schema, item)),
  required: (names, value) => !isObject(value) || names.every((name) => Object.hasOwn(value, name)),
  properties: (schemas, value) =>
    !isObject(value) ||
    Object.entries(schemas).every(([name, schema]) => !Object.hasOwn(value, name) || matches(schema, value[name])),
  // The keys of a record are any texts.
  patternProperties: (schemas, value) =>
    !isObject(value) ||
    Object.values(schemas).every((schema) => Object.values(value).every((item) => matches(schema, item))),
};

export function matchesSchema<Expected extends TSchema>(schema: Expected, value: unknown): value is Static<Expected> {
  return matches(schema as Record<string, unknown>, value);
}

function matches(schema: Schema, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, operand]) => {
    if (!Object.hasOwn(CHECKS, keyword)) throw new Error(`values are not checked for the keyword ${keyword}`);
    return (CHECKS[keyword as keyof Operands] as Check<unknown>)(operand, value);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
