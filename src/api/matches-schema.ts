/**
 * Whether a value is what a schema of schema.ts describes. TypeBox tells it too, with 680 modules that every process
 * would load; a test compares the two. A keyword that is not known here is an error, so that none is left unchecked.
 */
import { isFields } from "#domain/fields.ts";
import type { Static, TSchema } from "./schema.ts";

type Schema = Partial<Operands>;
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
  object: isFields,
};

/** As in JSON Schema, a keyword says nothing of values that are not of its type. */
const CHECKS: { readonly [Keyword in keyof Operands]: Check<Operands[Keyword]> } = {
  type: (type, value) => TYPES[type]?.(value) === true,
  const: (expected, value) => value === expected,
  enum: (values, value) => values.includes(value),
  anyOf: (schemas, value) => schemas.some((schema) => matches(schema, value)),
  items: (schema, value) => !Array.isArray(value) || value.every((item) => matches(schema, item)),
  required: (names, value) => !isFields(value) || names.every((name) => Object.hasOwn(value, name)),
  properties: (schemas, value) =>
    !isFields(value) ||
    Object.entries(schemas).every(([name, schema]) => !Object.hasOwn(value, name) || matches(schema, value[name])),
  // The keys of a record are any texts.
  patternProperties: (schemas, value) =>
    !isFields(value) ||
    Object.values(schemas).every((schema) => Object.values(value).every((item) => matches(schema, item))),
};

export function matchesSchema<Expected extends TSchema>(schema: Expected, value: unknown): value is Static<Expected> {
  return matches(schema, value);
}

function matches(schema: Schema, value: unknown): boolean {
  return Object.keys(schema).every((keyword) => {
    if (!isKeyword(keyword)) throw new Error(`values are not checked for the keyword ${keyword}`);
    return matchesKeyword(keyword, schema, value);
  });
}

function isKeyword(name: string): name is keyof Operands {
  return Object.hasOwn(CHECKS, name);
}

function matchesKeyword<Keyword extends keyof Operands>(
  keyword: Keyword,
  { [keyword]: operand }: { readonly [Name in Keyword]?: Operands[Name] },
  value: unknown,
): boolean {
  return operand === undefined || CHECKS[keyword](operand, value);
}
