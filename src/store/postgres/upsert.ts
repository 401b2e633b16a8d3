/** Bulk writes: COPY for new rows, otherwise one statement with an array per column. */
import type { Value } from "../sql/sql.ts";
import { columnNames, replaceOnConflict, type Scalar, type Table } from "../sql/table.ts";
import { formatLines } from "./copy-lines.ts";
import type { Sql } from "./sql.ts";

/** Rows per statement: the protocol limits the size of a statement's parameters, and this stays far below. */
const STATEMENT_ROWS = 5_000;

/** Rows formatted at a time. */
const CHUNK_ROWS = 500;

/** Inserts rows whose keys are not in the table yet. They are consumed as the server takes them. */
export async function insert<Row extends Record<keyof Row, Scalar>>(
  sql: Sql,
  table: Table<Row>,
  rows: Iterable<NoInfer<Row>>,
): Promise<void> {
  const columns = columnNames(table);
  const chunks = formatLines(columns, rows, CHUNK_ROWS);
  const first = chunks.next();
  if (first.done === true) return;
  await sql.copy(`COPY ${table.name} (${columns.join(", ")}) FROM STDIN`, prepend(first.value, chunks));
}

function* prepend<Item>(first: Item, rest: Iterable<Item>): Generator<Item> {
  yield first;
  yield* rest;
}

/** Inserts rows or replaces those with the same key. The keys of the rows must be distinct. */
export async function upsert<Row extends Record<keyof Row, Scalar>>(
  sql: Sql,
  table: Table<Row>,
  rows: readonly NoInfer<Row>[],
): Promise<void> {
  const text = upsertStatement(table);
  await Promise.all(Array.from(batches(table, rows), (values) => sql.run(text, ...values)));
}

export interface VersionedRow {
  /** Incremented by every transaction that changes the row or what belongs to it. */
  version: number;
}

/**
 * Inserts rows of version 1 or replaces those whose stored version is the one before theirs. Rows with another version are
 * locked and stay as they are. Returns the keys of the rows that were written.
 */
export async function upsertVersions<Row extends VersionedRow & Record<keyof Row, Scalar>>(
  sql: Sql,
  table: Table<Row>,
  rows: readonly NoInfer<Row>[],
): Promise<Row[]> {
  const key = table.key.map((column) => `${table.name}.${column}`).join(", ");
  const text = `${upsertStatement(table)} WHERE ${table.name}.version = excluded.version - 1 RETURNING ${key}`;
  const sent = Array.from(batches(table, rows), (values) => sql.all<Row>(text, ...values));
  return (await Promise.all(sent)).flat();
}

/**
 * Writers lock rows in one order, so none waits for another that waits for it. Which order does not matter, as long as it
 * is the same everywhere.
 */
export function sortByKey<Row extends object>({ key }: { key: readonly (keyof Row)[] }, rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => {
    for (const column of key) {
      const [left, right] = [a[column] as string, b[column] as string];
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  });
}

/** The parameters of each statement. */
function* batches<Row extends Record<keyof Row, Scalar>>(table: Table<Row>, rows: readonly Row[]): Generator<Value[]> {
  const columns = columnNames(table);
  const sorted = sortByKey(table, rows);
  for (let start = 0; start < sorted.length; start += STATEMENT_ROWS) {
    const batch = sorted.slice(start, start + STATEMENT_ROWS);
    yield columns.map((column): Value => {
      const items = batch.map((row) => row[column]);
      return table.columns[column].type === "json" ? items.join("\n") : items;
    });
  }
}

function upsertStatement<Row extends Record<keyof Row, Scalar>>(table: Table<Row>): string {
  const columns = columnNames(table);
  const arrays = columns.map((column, index) => {
    const { type } = table.columns[column];
    if (type === "json") return `string_to_array($${index + 1}::text, E'\\n')`;
    return `$${index + 1}::${type === "opaque" ? "text" : type}[]`;
  });
  return `INSERT INTO ${table.name} (${columns.join(", ")}) SELECT * FROM unnest(${arrays.join(", ")})
    ${replaceOnConflict(table)}`;
}
