/**
 * Unknown is not zero. A projection writes `null` wherever a value is not known; what the caller sees in its place
 * is decided here, once: the empty value of the field's type, or null for callers who ask with `Prefer: unknown=null`.
 */
import type { TSchema } from "typebox";
import { RawJson } from "#domain/projection.ts";

/** A wire type in which any value may still be unknown. Every field must be written out; none may be added. */
export type Nullable<T> = T extends readonly (infer Item)[]
  ? Nullable<Item>[] | null
  : T extends object
    ? { [Key in keyof T]: Nullable<T[Key]> } | null
    : T | null;

type Fill = (value: unknown) => unknown;

interface SchemaNode {
  type?: string;
  default?: unknown;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  const?: unknown;
}

/** Compiles a schema to a function that completes a draft in place and returns it. */
export function compileDefaults(schema: TSchema): Fill {
  return fillFor(schema);
}

function fillFor(node: SchemaNode): Fill {
  const branches = node.anyOf;
  if (branches !== undefined) {
    const known = branches.filter((branch) => branch.type !== "null");
    const inner = known.length === 1 && known[0] !== undefined ? fillFor(known[0]) : (value: unknown) => value;
    if (known.length < branches.length) return (value) => (value == null ? null : inner(value));
    return inner;
  }
  if (node.type === "object" && node.properties !== undefined) return fillObject(node.properties, node.required ?? []);
  if (node.type === "array") return fillArray(node.items);
  const empty = emptyValue(node);
  return (value) => value ?? empty;
}

function fillObject(properties: Record<string, SchemaNode>, required: string[]): Fill {
  const names = Object.keys(properties);
  const fills = names.map((name) => fillFor(properties[name] as SchemaNode));
  const optional = names.map((name) => !required.includes(name));
  return (value) => {
    // Written out, it is complete.
    if (value instanceof RawJson) return value;
    const object = (value ?? {}) as Record<string, unknown>;
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      if (optional[index] && object[name] === undefined) continue;
      object[name] = (fills[index] as Fill)(object[name]);
    }
    return object;
  };
}

function fillArray(items: SchemaNode | undefined): Fill {
  const fill = items === undefined ? undefined : fillFor(items);
  return (value) => {
    const list = (value ?? []) as unknown[];
    if (fill !== undefined) for (let index = 0; index < list.length; index++) list[index] = fill(list[index]);
    return list;
  };
}

/** A schema's `default` is what stands for an unknown value; without one, the empty value of the type. */
function emptyValue(node: SchemaNode): unknown {
  if (node.default !== undefined) return node.default;
  if (node.const !== undefined) return node.const;
  if (node.type === "string") return "";
  if (node.type === "integer" || node.type === "number") return 0;
  if (node.type === "boolean") return false;
  return null;
}
