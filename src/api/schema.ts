/**
 * Builds JSON Schemas with TypeBox's types. TypeBox itself is 370 modules, which every process and thread would load to
 * make a few plain objects: these builders return the same objects, and a test compares them with TypeBox's.
 */
import type { Type as TypeBox } from "typebox";

export type { Static, TInteger, TObject, TOptional, TProperties, TSchema } from "typebox";

type Schema = Record<string, unknown>;

/** A schema as it is read: the keywords that the schemas of this service have. */
export interface SchemaNode {
  type?: string;
  format?: string;
  description?: string;
  default?: string | number | boolean;
  const?: string | number;
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  /** Of a list. */
  minItems?: number;
  maxItems?: number;
  anyOf?: SchemaNode[];
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: unknown;
  /** Whether the value changes with every request. */
  "x-volatile"?: boolean;
}

const ANY_TEXT = "^.*$";
/** Not enumerable, so that it is not part of the schema. */
const OPTIONAL = "~optional";

const builders = {
  String: (options?: Schema) => ({ type: "string", ...options }),
  Integer: (options?: Schema) => ({ type: "integer", ...options }),
  Number: (options?: Schema) => ({ type: "number", ...options }),
  Boolean: (options?: Schema) => ({ type: "boolean", ...options }),
  Null: (options?: Schema) => ({ type: "null", ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Literal: (value: string | number, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Enum: (values: readonly unknown[], options?: Schema) => ({ enum: [...values], ...options }),
  Union: (schemas: readonly Schema[], options?: Schema) => ({ anyOf: [...schemas], ...options }),
  Array: (items: Schema, options?: Schema) => ({ type: "array", items, ...options }),
  Object(properties: Record<string, Schema>, options?: Schema) {
    const required = Object.keys(properties).filter((name) => properties[name]?.[OPTIONAL] !== true);
    return { type: "object", ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
  /** Of any texts as keys. */
  Record: (_key: Schema, values: Schema, options?: Schema) => ({
    type: "object",
    patternProperties: { [ANY_TEXT]: values },
    ...options,
  }),
  Unsafe: (schema: Schema) => schema,
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
};

export const Type = builders as unknown as Pick<typeof TypeBox, keyof typeof builders>;
