/** Reads the beginning of a JSON value whose end has not arrived: the current path and the scalars along it. */
import { isFields } from "#domain/fields.ts";
import type { Scalar } from "./document.ts";
import { parseJson } from "./parse-json.ts";
import { UnreadableError } from "./unreadable-error.ts";

/** The member names that lead to the innermost open container of `text`, which ends with that container's bracket. */
export function openContainerPath(text: string): string[] {
  const names: (string | null)[] = [];
  let lastString = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const start = at;
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
      lastString = text.slice(start, at + 1);
    } else if (character === ":") names[names.length - 1] = lastString;
    else if (character === "{" || character === "[") names.push(null);
    else if (character === "}" || character === "]") names.pop();
  }
  return names.slice(0, -1).flatMap((name) => (name === null ? [] : [parseName(name)]));
}

/** The text itself if it is broken: then the whole value is refused at its end. */
function parseName(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value !== "object";
}

/** The scalar members of the objects along `path`, where inner ones win; `text` ends with an open array. */
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
    if (!isFields(value)) break;
    for (const [member, inner] of Object.entries(value)) if (isScalar(inner)) scalars.set(member, inner);
    value = name === null ? null : value[name];
  }
  return Object.fromEntries(scalars);
}
