/**
 * The tables of the store, each declared once for both engines: its columns, its key, and beside them what one engine has
 * of its own. A fresh store is made from the declarations, by `schema.ts` of each engine; rows have the declared types.
 */
import { present } from "#domain/present.ts";

export type Scalar = string | number | boolean | null;
export type Engine = "sqlite" | "postgres";

/**
 * `text` is compared and sorted by its bytes. `opaque` text never is; `json` is such text without line breaks, which can
 * be sent unquoted.
 */
export type ColumnType =
  | "text"
  | "opaque"
  | "json"
  | "bigint"
  | "boolean"
  | "double precision"
  | "tsvector"
  | "timestamptz";

export interface Column<Value extends Scalar = Scalar> {
  type: ColumnType;
  isNullable?: boolean;
  /** SQL. */
  default?: string;
  /** A table and its key. SQLite only: with Citus, the row may be on another machine. */
  references?: string;
  /** Sorted from the greatest value in the key. */
  isDescending?: boolean;
  /** The type of its values, which exists for the compiler only. */
  readonly value?: Value;
}

export const text: Column<string> = { type: "text" };
export const opaque: Column<string> = { type: "opaque" };
export const json: Column<string> = { type: "json" };
export const bigint: Column<number> = { type: "bigint" };
export const double: Column<number> = { type: "double precision" };
export const boolean: Column<boolean> = { type: "boolean" };
export const tsvector: Column<string> = { type: "tsvector" };
export const timestamptz: Column<string> = { type: "timestamptz" };

export function oneOf<Value extends string | number>(column: Column<string> | Column<number> = text): Column<Value> {
  return column as Column<Value>;
}

export function nullable<Value extends Scalar>(column: Column<Value>): Column<Value | null> {
  return { ...(column as Column<Value | null>), isNullable: true };
}

export function withDefault<Value extends Scalar>(column: Column<Value>, sql: string): Column<Value> {
  return { ...column, default: sql };
}

export function references<Value extends Scalar>(column: Column<Value>, key: string): Column<Value> {
  return { ...column, references: key };
}

export function descending<Value extends Scalar>(column: Column<Value>): Column<Value> {
  return { ...column, isDescending: true };
}

/**
 * Incremented by every transaction that changes the row or what belongs to it. PostgreSQL's writers work side by side: a row
 * is replaced only if it still has the version that its writer read. See docs/decisions/0026-writers-side-by-side.md.
 */
export const rowVersion = withDefault(bigint, "1");

/** A table whose rows have a property for each column. */
export interface Table<Row extends Record<keyof Row, Scalar>> {
  name: string;
  /** The primary key. */
  key: readonly (keyof Row & string)[];
  columns: { readonly [Name in keyof Row & string]: Column };
  /** The type of its rows, which exists for the compiler only. */
  readonly row?: Row;
}

export type RowOf<Defined> = Defined extends { readonly row?: infer Row } ? Row : never;

type Columns = Readonly<Record<string, Column>>;
type NamesOf<C> = readonly (keyof NoInfer<C> & string)[];

/** The parts of one engine. */
interface Parts<Own extends Columns, All> {
  /** Besides those of both. */
  columns?: Own;
  /** Instead of those of both. */
  key?: NamesOf<All>;
  unique?: NamesOf<All>;
  /** Statements that follow the table. */
  after?: readonly string[];
}

interface SqliteParts<Own extends Columns = Columns, All = Columns> extends Parts<Own, All> {
  /** Keeps rows in the order of their insertion. Tables without a key, or with one number for a key, do so anyway. */
  hasRowid?: true;
  /** For the query planner, by index: the rows of the table, then those with equal first columns. */
  sizes?: Readonly<Record<string, string>>;
}

interface PostgresParts<Own extends Columns = Columns, All = Columns> extends Parts<Own, All> {
  /** Percent of each page that inserts fill: the rest keeps updates in place (HOT). */
  fillfactor?: number;
  /** Texts that no query filters by: sampling them is most of the cost of ANALYZE. */
  withoutStatistics?: NamesOf<All>;
}

interface Declaration<Both extends Columns, Sqlite extends Columns, Postgres extends Columns> {
  /** The engine that has the table, if only one has. */
  only?: Engine;
  columns: Both;
  key?: NamesOf<Both>;
  /** Begins the key in PostgreSQL: the column that Citus would distribute the table by. */
  distributedBy?: keyof NoInfer<Both> & string;
  unique?: NamesOf<Both>;
  /** By name, without the table's: columns in parentheses, and perhaps a condition. */
  indexes?: Readonly<Record<string, string | Readonly<Partial<Record<Engine, string>>>>>;
  /** A row of each new store. */
  firstRow?: Readonly<Partial<Record<keyof NoInfer<Both>, number>>>;
  sqlite?: SqliteParts<Sqlite, Both & Sqlite>;
  postgres?: PostgresParts<Postgres, Both & Postgres>;
}

/** SQLite has numbers for booleans. */
type ValueOn<On, Value> = Value extends boolean
  ? (On extends "sqlite" ? never : Value) | (On extends "postgres" ? never : number)
  : Value;

type RowWith<C, On extends Engine | "both"> = {
  -readonly [Name in keyof C]: C[Name] extends { value?: infer Value extends Scalar } ? ValueOn<On, Value> : never;
};

type AnyRow = Record<string, Scalar>;

/** A table in one engine. The columns of its key come first. */
interface EngineTable<Words, Row extends Record<keyof Row, Scalar>> extends Table<Row> {
  unique: readonly string[];
  /** SQL by name. */
  indexes: Readonly<Record<string, string>>;
  firstRow: object | null;
  words: Words;
}
export type SqliteTable<Row extends Record<keyof Row, Scalar> = AnyRow> = EngineTable<SqliteParts, Row>;
export type PostgresTable<Row extends Record<keyof Row, Scalar> = AnyRow> = EngineTable<PostgresParts, Row>;

/** By itself a table of the columns that both engines have. */
export interface DeclaredTable<
  Name extends string = string,
  Both extends Record<keyof Both, Scalar> = AnyRow,
  Sqlite extends Record<keyof Sqlite, Scalar> = AnyRow,
  Postgres extends Record<keyof Postgres, Scalar> = AnyRow,
> extends Table<Both> {
  name: Name;
  only: Engine | null;
  sqlite: SqliteTable<Sqlite>;
  postgres: PostgresTable<Postgres>;
}

export function defineTable<
  const Name extends string,
  Both extends Columns,
  Sqlite extends Columns = Both,
  Postgres extends Columns = Both,
>(
  name: Name,
  declaration: Declaration<Both, Sqlite, Postgres>,
): DeclaredTable<Name, RowWith<Both, "both">, RowWith<Both & Sqlite, "sqlite">, RowWith<Both & Postgres, "postgres">>;
export function defineTable(name: string, declaration: Declaration<Columns, Columns, Columns>): DeclaredTable {
  const { columns, key = [], distributedBy, only = null, sqlite = {}, postgres = {} } = declaration;
  const distributed = key.toSorted((a, b) => Number(b === distributedBy) - Number(a === distributedBy));
  return {
    name,
    key: distributed,
    columns,
    only,
    sqlite: tableOf(name, declaration, "sqlite", key, sqlite),
    postgres: tableOf(name, declaration, "postgres", distributed, postgres),
  };
}

function tableOf<Words extends Parts<Columns, Columns>>(
  name: string,
  { columns, indexes = {}, firstRow, unique = [] }: Declaration<Columns, Columns, Columns>,
  engine: Engine,
  bothKey: readonly string[],
  words: Words,
): EngineTable<Words, AnyRow> {
  const { key = bothKey } = words;
  const all = { ...columns, ...words.columns };
  const ordered = [...new Set([...key, ...Object.keys(all)])];
  return {
    name,
    key,
    columns: Object.fromEntries(ordered.map((column) => [column, present(all[column])])),
    unique: words.unique ?? unique,
    indexes: Object.fromEntries(
      Object.entries(indexes).flatMap(([index, on]) => {
        const sql = typeof on === "string" ? on : on[engine];
        return sql === undefined ? [] : [[`${name}_${index}`, sql]];
      }),
    ),
    firstRow: firstRow ?? null,
    words,
  };
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

/** The statements that follow the creation of a table. */
export function finishTable({ name, indexes, firstRow, words }: SqliteTable | PostgresTable): string[] {
  const row = Object.entries(firstRow ?? {});
  const insert = `INSERT INTO ${name} (${row.map(([column]) => column).join(", ")}) VALUES (${row.map(([, value]) => value).join(", ")})`;
  return [
    ...Object.entries(indexes).map(([index, columns]) => `CREATE INDEX ${index} ON ${name} ${columns}`),
    ...(row.length === 0 ? [] : [insert]),
    ...(words.after ?? []),
  ];
}
