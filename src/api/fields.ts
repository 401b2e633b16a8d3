/**
 * `fields=userInfo(user(id,uniqueId),stats)`: selects parts of a response. Names are checked against the response schema,
 * so a typo is an error rather than an empty response.
 */
import { isFields } from "#domain/fields.ts";
import { suggest } from "#domain/suggest.ts";
import type { SchemaNode, TSchema } from "./schema.ts";

/** Null selects the whole value. */
export type FieldTree = Map<string, FieldTree | null>;

const MAX_LENGTH = 2_000;
const MAX_DEPTH = 16;

/** Returns the tree, or the reason why the text is invalid. */
export function parseFields(text: string, output: TSchema): FieldTree | string {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  let at = 0;

  function parseList(node: SchemaNode | null, depth: number): FieldTree | string {
    if (depth > MAX_DEPTH) return `must not nest deeper than ${MAX_DEPTH}`;
    const tree: FieldTree = new Map();
    for (;;) {
      const name = /^[A-Za-z_]\w*/.exec(text.slice(at, at + 100))?.[0];
      if (name === undefined) return `expected a field name at character ${at + 1}`;
      at += name.length;
      const child = node === null ? null : childSchema(node, name);
      if (child === undefined) return unknownField(name, node === null ? [] : namesOf(node));
      if (text[at] === "(") {
        at++;
        const inner = parseList(child, depth + 1);
        if (typeof inner === "string") return inner;
        if (text[at] !== ")") return `expected ) at character ${at + 1}`;
        at++;
        addFields(tree, name, inner);
      } else addFields(tree, name, null);
      if (text[at] !== ",") return tree;
      at++;
    }
  }

  const tree = parseList(output, 0);
  if (typeof tree === "string") return tree;
  return at === text.length ? tree : `unexpected ${text[at]} at character ${at + 1}`;
}

/** Of an object with many fields, its first ones are named. */
const MAX_NAMES = 12;

function unknownField(name: string, names: readonly string[]): string {
  const [near] = suggest(name, names, 1);
  if (near !== undefined) return `unknown field ${name}; did you mean ${near}?`;
  if (names.length === 0) return `unknown field ${name}; there are no fields below this value`;
  const shown = names.slice(0, MAX_NAMES).join(", ");
  return `unknown field ${name}; there are ${shown}${names.length > MAX_NAMES ? ", …" : ""}`;
}

function namesOf(node: SchemaNode): string[] {
  if (node.anyOf !== undefined) return node.anyOf.flatMap(namesOf);
  return node.items === undefined ? Object.keys(node.properties ?? {}) : namesOf(node.items);
}

/** What is named twice is selected by both: pages need fields beside those that a client names. */
function addFields(tree: FieldTree, name: string, added: FieldTree | null): void {
  const known = tree.get(name);
  if (known === undefined || added === null) tree.set(name, added);
  else if (known !== null) for (const [child, inner] of added) addFields(known, child, inner);
}

/** The schema of a member; null if anything is allowed; undefined if the name is not. */
function childSchema(node: SchemaNode, name: string): SchemaNode | null | undefined {
  if (node.anyOf !== undefined) {
    return node.anyOf.map((branch) => childSchema(branch, name)).find((child) => child !== undefined);
  }
  if (node.items !== undefined) return childSchema(node.items, name);
  if (node.properties === undefined) return "type" in node && node.type !== "object" ? undefined : null;
  if (Object.hasOwn(node.properties, name)) return node.properties[name];
  return node.additionalProperties === false ? undefined : null;
}

/** Copies only what the tree selects; from a list, of every item. */
export function pickFields(value: unknown, tree: FieldTree | null): unknown {
  if (tree === null) return value;
  if (Array.isArray(value)) return value.map((item) => pickFields(item, tree));
  if (!isFields(value)) return value;
  const picked: Record<string, unknown> = {};
  for (const [name, child] of tree) {
    if (Object.hasOwn(value, name)) picked[name] = pickFields(value[name], child);
  }
  return picked;
}
