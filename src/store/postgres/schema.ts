/** The tables of a new store, as SQL. Texts use COLLATE "C", so that the database's locale does not matter. */
import { type ColumnType, finishTable, type PostgresTable } from "../sql/table.ts";
import { STORE_TABLES } from "#store/write/tables.ts";
import { SHARED_SETTINGS, TRIPTYCH_STORE, WRITE_OUTCOMES } from "./tables.ts";

export const TABLES: readonly PostgresTable[] = [TRIPTYCH_STORE, ...STORE_TABLES, SHARED_SETTINGS, WRITE_OUTCOMES]
  .filter(({ only }) => only !== "sqlite")
  .map(({ postgres }) => postgres);

const TYPES: Partial<Record<ColumnType, string>> = { text: 'text COLLATE "C"', opaque: "text", json: "text" };

/** `what` may be a temporary table. */
export function createTable(table: PostgresTable, what = "TABLE"): string {
  const { name, key, columns, unique, words } = table;
  const parts = Object.entries(columns).map(([column, { type, isNullable = false, default: value }]) => {
    const given = value === undefined ? "" : ` DEFAULT ${value}`;
    return `${column} ${TYPES[type] ?? type}${isNullable ? "" : " NOT NULL"}${given}`;
  });
  if (key.length > 0) parts.push(`PRIMARY KEY (${key.join(", ")})`);
  if (unique.length > 0) parts.push(`UNIQUE (${unique.join(", ")})`);
  const storage = words.fillfactor === undefined ? "" : ` WITH (fillfactor = ${words.fillfactor})`;
  return `CREATE ${what} ${name} (\n  ${parts.join(",\n  ")}\n)${storage}`;
}

export const SCHEMA = TABLES.flatMap((table) => [
  createTable(table),
  ...(table.words.withoutStatistics ?? []).map(
    (column) => `ALTER TABLE ${table.name} ALTER ${column} SET STATISTICS 0`,
  ),
  ...finishTable(table),
]).join(";\n");
