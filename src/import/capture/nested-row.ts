/**
 * Turns a table row back into the nested object it was flattened from: `authorMeta.name` and `hashtags/0/name` become
 * objects and lists. Empty cells are dropped, since a table cannot tell them from missing values, and so is R's `NA`.
 */
import { parseJson } from "#import/containers/parse-json.ts";
import { type Fields, isFields } from "./field-readers.ts";
import { parsePythonLiteral } from "./python-literal.ts";

type Branch = Record<string, unknown>;

/** Bounds the recursion; no export nests deeper. */
const MAX_DEPTH = 16;
const MAX_CELL_DEPTH = 100;

/** Where a word cannot be a value. */
const NUMBER_COLUMN = /(?:count|time|timestamp|duration|length|id)$/i;

/** Cells of columns that match `texts` stay as they are: a title may be `[2024]`. */
export function nestRow(row: Fields, texts?: RegExp): Fields {
  const root = createBranch();
  const cells = Object.entries(row);
  // `NA` may also be Namibia, or a caption.
  const hasMissing = cells.some(([column, cell]) => cell === "NA" && NUMBER_COLUMN.test(column));
  for (const [column, cell] of cells) {
    if (cell === "" || cell === null || cell === undefined || (cell === "NA" && hasMissing)) continue;
    const path = column.split(/[./]/, MAX_DEPTH);
    let branch = root;
    for (const name of path.slice(0, -1)) {
      const next = branch[name];
      branch = isBranch(next) ? next : (branch[name] = createBranch());
    }
    // A column that contradicts nested ones, such as `owner` beside `owner/id`, is dropped.
    const leaf = path.at(-1) ?? column;
    if (!isBranch(branch[leaf])) branch[leaf] = texts?.test(column) === true ? cell : parseCell(cell);
  }
  return withLists(root) as Fields;
}

function createBranch(): Branch {
  return { __proto__: null };
}

function isBranch(value: unknown): value is Branch {
  return isFields(value);
}

/** Some tools write a whole list or object into one cell, as JSON or as Python prints it. */
export function parseCell(cell: unknown): unknown {
  if (typeof cell !== "string" || !/^\s*(?:\[[\s\S]*\]|\{[\s\S]*\})\s*$/.test(cell)) return cell;
  for (const parse of [parseJson, parsePythonLiteral]) {
    try {
      return parse(cell, MAX_CELL_DEPTH);
    } catch {
      // It may be the other one, or a text in brackets.
    }
  }
  return cell;
}

/** `{0: …, 1: …}` is a list. */
function withLists(value: unknown): unknown {
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => [name, withLists(part)]);
  const isList = entries.length > 0 && entries.every(([name]) => /^\d{1,6}$/.test(name));
  return isList ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}
