/**
 * Rows of tables that were made from nested objects: `authorMeta.name` and `hashtags/0/name` go back to objects and
 * lists. An empty cell says nothing, so it goes.
 */
import { type Fields, isFields } from "#import/capture/field-readers.ts";

type Branch = Record<string, unknown>;

function isBranch(value: unknown): value is Branch {
  return isFields(value);
}

export function unflattened(row: Fields): Fields {
  const root: Branch = Object.create(null) as Branch;
  for (const [column, cell] of Object.entries(row)) {
    if (cell === "" || cell === null || cell === undefined) continue;
    const path = column.split(/[./]/);
    let branch = root;
    for (const name of path.slice(0, -1)) {
      const next = branch[name];
      branch = isBranch(next) ? next : (branch[name] = Object.create(null) as Branch);
    }
    branch[path.at(-1) ?? column] = parsedCell(cell);
  }
  return withLists(root) as Fields;
}

/** Lists that a table could not spread stand in one cell as JSON. */
function parsedCell(cell: unknown): unknown {
  if (typeof cell !== "string" || !/^\s*\[[\s\S]*\]\s*$/.test(cell)) return cell;
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
}

/** `{0: …, 1: …}` is a list. */
function withLists(value: unknown): unknown {
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => [name, withLists(part)]);
  const isList = entries.length > 0 && entries.every(([name]) => /^\d{1,6}$/.test(name));
  return isList ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}
