/** Many rows in one statement: by COPY where none of them is held, else with an array for each column. */
import { linesOf } from "./copy-lines.ts";
import type { Sql } from "./sql.ts";
import type { Value } from "./statement.ts";

export interface Column<Row> {
  name: string;
  /** JSON goes as text; it holds no line ends, so a column of it needs no quoting. */
  type: "text" | "json" | "bigint" | "boolean" | "double precision" | "tsvector";
  of: (row: Row) => string | number | boolean | null;
}

export interface Table<Row> {
  name: string;
  /** The names of the columns of the key: a row that is held under it is replaced. */
  key: readonly string[];
  columns: readonly Column<Row>[];
  /** Of the columns that are replaced: what becomes of one; the new value when absent. */
  replaced?: Record<string, string>;
}

/** The parameters of one statement are limited in size by the protocol: this many rows stay far below. */
const ROWS = 5_000;

/** Rows that are written out at once. */
const LINES = 500;

/** Adds rows of which none is held under its key. They may be made as they are taken, while the server writes. */
export async function insert<Row>(sql: Sql, { name, columns }: Table<Row>, rows: Iterable<Row>): Promise<void> {
  const parts = linesOf(columns, rows, LINES);
  const first = parts.next();
  if (first.done === true) return;
  const names = columns.map((column) => column.name);
  await sql.copy(`COPY ${name} (${names.join(", ")}) FROM STDIN`, withFirst(first.value, parts));
}

function* withFirst<Part>(first: Part, others: Iterable<Part>): Generator<Part> {
  yield first;
  yield* others;
}

/** Adds rows, or replaces those that are held under their keys. Rows must have different keys. */
export async function upsert<Row>(sql: Sql, table: Table<Row>, rows: readonly Row[]): Promise<void> {
  const text = statementFor(table);
  const sent: Promise<number>[] = [];
  for (let start = 0; start < rows.length; start += ROWS) {
    const part = rows.slice(start, start + ROWS);
    sent.push(sql.run(text, ...table.columns.map((column) => valuesOf(column, part))));
  }
  await Promise.all(sent);
}

function valuesOf<Row>({ type, of }: Column<Row>, rows: readonly Row[]): Value {
  return type === "json" ? rows.map(of).join("\n") : rows.map(of);
}

function statementFor<Row>({ name, key, columns, replaced = {} }: Table<Row>): string {
  const names = columns.map((column) => column.name);
  const arrays = columns.map(({ type }, index) =>
    type === "json" ? `string_to_array($${index + 1}::text, E'\\n')` : `$${index + 1}::${type}[]`,
  );
  const updates = names
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = ${replaced[column] ?? `excluded.${column}`}`);
  return `INSERT INTO ${name} (${names.join(", ")}) SELECT * FROM unnest(${arrays.join(", ")})
    ON CONFLICT (${key.join(", ")}) DO ${updates.length === 0 ? "NOTHING" : `UPDATE SET ${updates.join(", ")}`}`;
}
