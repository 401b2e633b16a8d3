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
  rows: Iterable<Row>,
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
  rows: readonly Row[],
): Promise<void> {
  const text = upsertStatement(table);
  const columns = columnNames(table);
  const sent: Promise<number>[] = [];
  for (let start = 0; start < rows.length; start += STATEMENT_ROWS) {
    const batch = rows.slice(start, start + STATEMENT_ROWS);
    const values = columns.map((column): Value => {
      const items = batch.map((row) => row[column]);
      return table.columns[column] === "json" ? items.join("\n") : items;
    });
    sent.push(sql.run(text, ...values));
  }
  await Promise.all(sent);
}

function upsertStatement<Row extends Record<keyof Row, Scalar>>(table: Table<Row>): string {
  const columns = columnNames(table);
  const arrays = columns.map((column, index) => {
    const type = table.columns[column];
    return type === "json" ? `string_to_array($${index + 1}::text, E'\\n')` : `$${index + 1}::${type}[]`;
  });
  return `INSERT INTO ${table.name} (${columns.join(", ")}) SELECT * FROM unnest(${arrays.join(", ")})
    ${replaceOnConflict(table)}`;
}
