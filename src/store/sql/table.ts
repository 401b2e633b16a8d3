import type { JsonText } from "#domain/json-text.ts";

/** A table whose rows have a property for each column. */
export interface Table<Row extends Record<keyof Row, Scalar>> {
  name: string;
  /** The primary key. */
  key: readonly (keyof Row & string)[];
  columns: { readonly [Name in keyof Row & string]: ColumnType };
}

export type Scalar = string | number | boolean | null;

/** `json` is text without line breaks, which can be sent unquoted. */
export type ColumnType = "text" | "json" | "bigint" | "boolean" | "double precision" | "tsvector";

/** A column's type with the type of its values, which exists for the compiler only. */
export type Column<Value extends Scalar> = ColumnType & { readonly value?: Value };

export const text: Column<string> = "text";
export const nullableText: Column<string | null> = "text";
export const json: Column<string> = "json";
export const jsonOf = <Value>(): Column<JsonText<Value>> => "json";
export const bigint: Column<number> = "bigint";
export const nullableBigint: Column<number | null> = "bigint";
export const double: Column<number> = "double precision";
export const boolean: Column<boolean> = "boolean";
export const tsvector: Column<string> = "tsvector";
export const oneOf = <Value extends string | null>(): Column<Value> => "text";

type RowWith<Columns> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends { value?: infer Value extends Scalar } ? Value : never;
};

export type RowOf<Defined> = Defined extends Table<infer Row> ? Row : never;

export function defineTable<Columns extends Readonly<Record<string, Column<Scalar>>>>(
  name: string,
  key: readonly (keyof Columns & string)[],
  columns: Columns,
): Table<RowWith<Columns>> {
  return { name, key, columns };
}

export function columnNames<Row extends Record<keyof Row, Scalar>>({ columns }: Table<Row>): (keyof Row & string)[] {
  return Object.keys(columns) as (keyof Row & string)[];
}

/** The end of an INSERT that replaces rows with the same key. */
export function replaceOnConflict<Row extends Record<keyof Row, Scalar>>(table: Table<Row>): string {
  const others = columnNames(table).filter((column) => !table.key.includes(column));
  const updates = others.map((name) => `${name} = excluded.${name}`).join(", ");
  return `ON CONFLICT (${table.key.join(", ")}) DO ${updates === "" ? "NOTHING" : `UPDATE SET ${updates}`}`;
}
