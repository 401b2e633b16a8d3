/**
 * Statements whose rows the compiler knows: the columns are those of a declared table, so that a misspelt one does not
 * compile, and neither does a row that lacks one.
 */
import type { Scalar, Table } from "./table.ts";

declare const ROW: unique symbol;

/** The text of a statement whose rows have this type. Of any other text the rows are asserted by who runs it. */
export type Query<Row> = string & { readonly [ROW]?: Row };

/** Columns under other names, such as `{ createdAt: "created_at" }`. */
export type Renamed<Row> = Readonly<Record<string, keyof Row & string>>;

export type RenamedRow<Row, Names extends Renamed<Row>> = { [Name in keyof Names]: Row[Names[Name]] };

/** `rest` is what follows the name of the table. */
export function select<Row extends Record<keyof Row, Scalar>, Name extends keyof Row & string>(
  table: Table<Row>,
  columns: readonly Name[],
  rest: string,
): Query<Pick<Row, Name>> {
  return `SELECT ${columns.join(", ")} FROM ${table.name} ${rest}`;
}

export function selectAs<Row extends Record<keyof Row, Scalar>, const Names extends Renamed<Row>>(
  table: Table<Row>,
  names: Names,
  rest: string,
): Query<RenamedRow<Row, Names>> {
  return `SELECT ${aliases(names)} FROM ${table.name} ${rest}`;
}

/** For a statement that returns columns of a table beside others. */
export function aliases(names: Readonly<Record<string, string>>): string {
  return Object.entries(names)
    .map(([name, column]) => (name === column ? column : `${column} AS "${name}"`))
    .join(", ");
}
