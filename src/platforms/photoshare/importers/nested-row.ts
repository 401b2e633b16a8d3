/** A table's row back to the object it was made from: `owner/username` and `hashtags/0` name members and elements. */
import { type Fields } from "#import/capture/field-readers.ts";

const MAX_DEPTH = 8;
const MAX_ELEMENTS = 1_000;

/** Empty cells are left out: a table has no other way to say that something is missing. */
export function nestedRow(row: Fields): Fields {
  const root: Fields = Object.create(null) as Fields;
  for (const [column, cell] of Object.entries(row)) {
    if (cell !== "") put(root, column.split("/").slice(0, MAX_DEPTH), cell);
  }
  return root;
}

function put(root: Fields, path: readonly string[], cell: unknown): void {
  let holder: Fields | unknown[] = root;
  for (const [depth, name] of path.entries()) {
    const key = Array.isArray(holder) ? elementAt(name) : name;
    // A column that contradicts another, such as `owner` beside `owner/id`, is left out.
    if (key === undefined || key === "__proto__") return;
    const members = holder as Record<string, unknown>;
    if (depth === path.length - 1) {
      members[key] ??= cell;
      return;
    }
    members[key] ??= /^\d+$/.test(path[depth + 1] ?? "") ? [] : (Object.create(null) as Fields);
    const next: unknown = members[key];
    if (next === null || typeof next !== "object") return;
    holder = next as Fields | unknown[];
  }
}

function elementAt(name: string): string | undefined {
  return /^\d{1,4}$/.test(name) && Number(name) < MAX_ELEMENTS ? name : undefined;
}
