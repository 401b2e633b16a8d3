/** A response as rows and columns, for tables and CSV: one row per item of its list, or one for a single record. */
import { type FieldTree, parseFields } from "#api/fields.ts";
import { valueAt } from "#api/paging.ts";
import type { Operation } from "#api/platform.ts";
import type { SchemaNode } from "#api/schema.ts";
import { createCsvWriter } from "#domain/csv.ts";
import { printable } from "./printable.ts";
import { displayWidth, formatTable } from "./table.ts";

export interface Records {
  items: readonly unknown[];
  /** Paths such as `item.author.nickname`; empty for a list of plain values. */
  columns: string[];
  isList: boolean;
  /** Of a single record: the columns that are lists of objects, each with the columns of its own. */
  lists: ReadonlyMap<string, string[]>;
}

const NO_LISTS: Records["lists"] = new Map();

/** The columns are those of the schema that `fields` selects, whatever the items have: they are the same on every page. */
export function recordsOf(operation: Operation, body: unknown, fields: unknown): Records {
  const output: SchemaNode = operation.endpoint.output;
  const path = listPath(operation);
  const isList = path !== null || Array.isArray(body);
  const items = listAt(body, path);
  const schema = path === null ? output : schemaAt(output, path);
  const row = (isList ? schema?.items : schema) ?? {};
  const selection = typeof fields === "string" && fields !== "" ? parseFields(fields, operation.endpoint.output) : null;
  if (typeof selection === "string") throw new Error(`fields: ${selection}`);
  const prefix = path === null ? [] : path.split(".");
  const isChosen = (column: string) => isSelected([...prefix, ...column.split(".")], selection);
  const columns = leafPaths(objectBranch(row)).filter(isChosen);
  if (isList) return { items, columns, isList, lists: NO_LISTS };
  const lists = columns.flatMap((column): [string, string[]][] => {
    const inner = leafPaths(objectBranch(schemaAt(row, column)?.items ?? {}));
    return inner.length === 0 ? [] : [[column, inner.filter((name) => isChosen(`${column}.${name}`))]];
  });
  return { items, columns, isList, lists: new Map(lists) };
}

/** Where the list of a response is: its pages, the list that a look-up is named after, or the only list of objects. */
function listPath({ endpoint: { output, pages, cost }, name }: Operation): string | null {
  if (pages !== undefined) return pages.items;
  const lists = listsOf(output);
  if (cost === "lookup") return lists.find((property) => name.endsWith(`/${property}`)) ?? null;
  if (lists.length > 0) return lists.length === 1 ? (lists[0] ?? null) : null;
  // Rankings have theirs in an envelope, such as `data.list`.
  const inner = Object.entries(objectBranch(output).properties ?? {}).flatMap(([property, node]) =>
    listsOf(node).map((list) => `${property}.${list}`),
  );
  return inner.length === 1 ? (inner[0] ?? null) : null;
}

/** The properties that are lists of objects. */
function listsOf(node: SchemaNode): string[] {
  return Object.entries(objectBranch(node).properties ?? {})
    .filter(([, { items }]) => items !== undefined && objectBranch(items).properties !== undefined)
    .map(([property]) => property);
}

function listAt(body: unknown, path: string | null): readonly unknown[] {
  if (path === null) return Array.isArray(body) ? body : [body];
  const value = valueAt(body, path);
  return Array.isArray(value) ? value : [];
}

function schemaAt(output: SchemaNode, path: string): SchemaNode | undefined {
  let node: SchemaNode | undefined = output;
  for (const name of path.split(".")) node = node && objectBranch(node).properties?.[name];
  return node && objectBranch(node);
}

/** A value that may be null has its schema in one of several branches. */
function objectBranch(node: SchemaNode): SchemaNode {
  return node.anyOf?.find(({ properties, items }) => properties !== undefined || items !== undefined) ?? node;
}

function leafPaths(node: SchemaNode): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const inner = leafPaths(objectBranch(child));
    return inner.length === 0 ? [name] : inner.map((path) => `${name}.${path}`);
  });
}

/** Also if only a part of what is at the path is selected. */
function isSelected([name, ...rest]: readonly string[], selection: FieldTree | null): boolean {
  if (selection === null || name === undefined) return true;
  const inner = selection.get(name);
  return inner !== undefined && isSelected(rest, inner);
}

function cellsOf(item: unknown, columns: readonly string[]): (string | number | boolean | null)[] {
  return columns.map((column) => {
    const value = valueAt(item, column) ?? null;
    if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      return value;
    if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value.join(", ");
    return JSON.stringify(value);
  });
}

export function formatCsv({ items, columns }: Records, withHeader: boolean): string {
  if (columns.length === 0) return "";
  const { header, line } = createCsvWriter(columns);
  return (withHeader ? header : "") + items.map((item) => line(cellsOf(item, columns))).join("");
}

const MAX_CELL = 48;
const GAP = 2;

export interface TableText {
  text: string;
  /** Columns that had no room. */
  hidden: number;
}

/**
 * As many columns as fit: of a list as a table, of a single record one below the other, with a table for each list in it.
 * Empty columns and URLs go first.
 */
export function formatRecords(records: Records, columns: number, bold: (text: string) => string): TableText {
  const rows = records.items.map((item) => cellsOf(item, records.columns).map(printable));
  const filled = records.columns
    .map((name, index) => ({ name, cells: rows.map((row) => row[index] ?? "") }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  if (!records.isList) {
    const lines = filled
      .filter(({ name }) => !records.lists.has(name))
      .map(({ name, cells: [cell = ""] }) => [bold(name), cell]);
    const tables = [...records.lists].flatMap(([name, inner]): TableText[] => {
      const items = listAt(records.items[0], name);
      if (items.length === 0) return [];
      const table = formatRecords({ items, columns: inner, isList: true, lists: NO_LISTS }, columns, bold);
      return [{ ...table, text: `\n${bold(name)}\n${table.text}` }];
    });
    const parts = [{ text: formatTable(lines), hidden: 0 }, ...tables];
    return {
      text: parts.map(({ text }) => text).join(""),
      hidden: parts.reduce((sum, { hidden }) => sum + hidden, 0),
    };
  }
  const candidates = filled.filter(({ cells }) => !cells.some((cell) => /^https?:/.test(cell)));
  const shown = new Map<string, string[]>();
  let room = columns;
  for (const { name, cells } of proseSecond(candidates)) {
    const short = cells.map(shorten);
    const width = Math.max(...[name, ...short].map(displayWidth)) + GAP;
    if (width > room && shown.size > 0) continue;
    shown.set(name, short);
    room -= width;
  }
  const inOrder = candidates.flatMap(({ name }) => {
    const cells = shown.get(name);
    return cells === undefined ? [] : [{ name, cells }];
  });
  const lines = rows.map((_, index) => inOrder.map(({ cells }) => cells[index] ?? ""));
  return { text: formatTable([inOrder.map(({ name }) => bold(name)), ...lines]), hidden: filled.length - shown.size };
}

/** What people read, such as the text of a comment, gets its room before ids and counters, but after the first column. */
function proseSecond<Column extends { cells: readonly string[] }>(columns: readonly Column[]): Column[] {
  const [first, ...others] = columns;
  const prose = others.find(({ cells }) => cells.some((cell) => !/^[[{]/.test(cell) && cell.split(" ").length > 3));
  const rest = others.filter((column) => column !== prose);
  return [first, prose, ...rest].filter((column) => column !== undefined);
}

function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MAX_CELL ? text : `${characters.slice(0, MAX_CELL - 1).join("")}…`;
}
