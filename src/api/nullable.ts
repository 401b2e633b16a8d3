/**
 * Unknown is not zero. A projection returns null for every unknown value; this module replaces it by the empty value of
 * the field's type, and an approximate count by its value, unless the client sends `Prefer: unknown=null`.
 */
import { Approximate } from "#domain/approximate.ts";
import type { SchemaNode, TSchema } from "./schema.ts";
import { RawJson } from "#domain/projection.ts";

/** A wire type in which any value may be null. Every field must be present; none may be added. */
export type Nullable<T> = T extends readonly (infer Item)[]
  ? Nullable<Item>[] | null
  : T extends object
    ? { [Key in keyof T]: Nullable<T[Key]> } | null
    : T extends number | string
      ? T | Approximate<T> | null
      : T | null;

/** A nullable wire type in which any object may be pre-rendered. */
export type ResponseBody<T> = T extends readonly (infer Item)[]
  ? ResponseBody<Item>[] | null
  : T extends object
    ? { [Key in keyof T]: ResponseBody<T[Key]> } | RawJson | null
    : T extends number | string
      ? T | Approximate<T> | null
      : T | null;

type Fill = (value: unknown) => unknown;

/** Compiles a schema to a function that fills unknown values in place and returns the value. */
export function compileDefaults(schema: TSchema): Fill {
  return compileNode(schema);
}

function compileNode(node: SchemaNode): Fill {
  if (node.anyOf !== undefined) {
    // All unions are of a schema and null.
    const fill = compileNode(node.anyOf.find(({ type }) => type !== "null") as SchemaNode);
    return (value) => (value == null ? null : fill(value));
  }
  if (node.properties !== undefined) return compileObject(node.properties, node.required ?? []);
  if (node.items !== undefined) return compileArray(node.items);
  const empty = emptyValue(node);
  return (value) => (value instanceof Approximate ? value.value : (value ?? empty));
}

function compileObject(properties: Record<string, SchemaNode>, required: string[]): Fill {
  const fields = Object.entries(properties).map(([name, node]) => ({
    name,
    fill: compileNode(node),
    isOptional: !required.includes(name),
  }));
  return (value) => {
    // Pre-rendered JSON is complete.
    if (value instanceof RawJson) return value;
    // Not checked, since it runs for every object of every response: the projection's type has it.
    const object = (value ?? {}) as Record<string, unknown>;
    for (const { name, fill, isOptional } of fields) {
      if (isOptional && object[name] === undefined) continue;
      object[name] = fill(object[name]);
    }
    return object;
  };
}

function compileArray(items: SchemaNode): Fill {
  const fill = compileNode(items);
  return (value) => {
    const list = (value ?? []) as unknown[];
    for (let index = 0; index < list.length; index++) list[index] = fill(list[index]);
    return list;
  };
}

/** The schema's `default`, else the empty value of its type. */
function emptyValue(node: SchemaNode): unknown {
  if (node.default !== undefined) return node.default;
  if (node.type === "string") return "";
  if (node.type === "integer" || node.type === "number") return 0;
  if (node.type === "boolean") return false;
  return null;
}
