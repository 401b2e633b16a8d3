/**
 * `fields=userInfo(user(id,uniqueId),stats)`: the caller names the parts of an answer that it wants. Names are checked
 * against the answer's schema, so a typing mistake is refused and not answered with nothing.
 */
import type { TSchema } from "typebox";

/** Null takes the whole of what stands there. */
export type FieldTree = Map<string, FieldTree | null>;

interface Node {
  anyOf?: Node[];
  items?: Node;
  properties?: Record<string, Node>;
  additionalProperties?: unknown;
}

const MAX_LENGTH = 2_000;
const MAX_DEPTH = 16;

/** The tree, or a sentence that says what is wrong with the text. */
export function parseFields(text: string, output: TSchema): FieldTree | string {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  let at = 0;

  function list(node: Node | null, depth: number): FieldTree | string {
    if (depth > MAX_DEPTH) return `must not nest deeper than ${MAX_DEPTH}`;
    const tree: FieldTree = new Map();
    for (;;) {
      const name = /^[A-Za-z_]\w*/.exec(text.slice(at, at + 100))?.[0];
      if (name === undefined) return `has no field name at character ${at + 1}`;
      at += name.length;
      const below = node === null ? null : childOf(node, name);
      if (below === undefined) return `names ${name}, which this answer does not have`;
      if (text[at] === "(") {
        at++;
        const inner = list(below, depth + 1);
        if (typeof inner === "string") return inner;
        if (text[at] !== ")") return `lacks a ) at character ${at + 1}`;
        at++;
        tree.set(name, inner);
      } else tree.set(name, null);
      if (text[at] !== ",") return tree;
      at++;
    }
  }

  const tree = list(output, 0);
  if (typeof tree === "string") return tree;
  return at === text.length ? tree : `has an unexpected ${text[at]} at character ${at + 1}`;
}

/** The schema below a name; null where anything may stand; undefined where the name cannot stand. */
function childOf(node: Node, name: string): Node | null | undefined {
  if (node.anyOf !== undefined) {
    const found = node.anyOf.map((branch) => childOf(branch, name)).filter((child) => child !== undefined);
    return found.length > 0 ? found[0] : undefined;
  }
  if (node.items !== undefined) return childOf(node.items, name);
  if (node.properties === undefined) return "type" in node && node.type !== "object" ? undefined : null;
  if (Object.hasOwn(node.properties, name)) return node.properties[name];
  return node.additionalProperties === false ? undefined : null;
}

/** A copy that holds only what the tree names. Lists are gone through item by item. */
export function pickFields(value: unknown, tree: FieldTree | null): unknown {
  if (tree === null || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => pickFields(item, tree));
  const picked: Record<string, unknown> = {};
  for (const [name, below] of tree) {
    if (Object.hasOwn(value, name)) picked[name] = pickFields((value as Record<string, unknown>)[name], below);
  }
  return picked;
}
