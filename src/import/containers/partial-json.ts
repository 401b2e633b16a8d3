/** What can be said of a JSON value whose end has not been read: where we stand in it and which scalars have passed. */
import type { Scalar } from "./document.ts";
import { parseJson } from "./parse-json.ts";
import { UnreadableError } from "./unreadable-error.ts";

/** The member names that lead to the last container left open by `text`, which ends with that container's opener. */
export function openContainerPath(text: string): string[] {
  const path: string[] = [];
  const names: (string | null)[] = [];
  let lastString = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"') {
      const from = at;
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
      lastString = text.slice(from, at + 1);
    } else if (sign === ":") names[names.length - 1] = lastString;
    else if (sign === "{" || sign === "[") names.push(null);
    else if (sign === "}" || sign === "]") names.pop();
  }
  for (const name of names.slice(0, -1)) if (name !== null) path.push(String(JSON.parse(name)));
  return path;
}

/** The scalar members of the objects along `path`, inner ones over outer ones, in a text that ends with an open array. */
export function scalarsOnPath(text: string, path: readonly string[], maxDepth: number): Record<string, Scalar> {
  const scalars = new Map<string, Scalar>();
  let value: unknown;
  try {
    value = parseJson(`${text}]${"}".repeat(path.length)}`, maxDepth);
  } catch (error) {
    if (error instanceof UnreadableError) return {};
    throw error;
  }
  for (const name of [...path, null]) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) break;
    for (const [member, inner] of Object.entries(value)) {
      if (inner === null || typeof inner !== "object") scalars.set(member, inner as Scalar);
    }
    value = name === null ? null : (value as Record<string, unknown>)[name];
  }
  return Object.fromEntries(scalars);
}
