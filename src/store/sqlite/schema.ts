/** The tables of a new store, as SQL. Tables are STRICT; those that are only read by their key are WITHOUT ROWID. */
import { type ColumnType, finishTable, type SqliteTable } from "../sql/table.ts";
import { STORE_TABLES } from "#store/write/tables.ts";
import { TOKEN_USAGE } from "../tokens/tables.ts";

/** Besides the usage of tokens, which has a file of its own. */
export const TABLES: readonly SqliteTable[] = STORE_TABLES.filter(
  (table) => table.only !== "postgres" && table !== TOKEN_USAGE,
).map(({ sqlite }) => sqlite);

const TYPES: Partial<Record<ColumnType, string>> = {
  bigint: "INTEGER",
  boolean: "INTEGER",
  "double precision": "REAL",
};

/** `what` may be a temporary table. */
export function createTable(table: SqliteTable, what = "TABLE"): string {
  const { name, key, columns, unique, words } = table;
  const [first] = key;
  const isRowid = key.length === 1 && first !== undefined && columns[first]?.type === "bigint";
  const parts = Object.entries(columns).map(([column, { type, isNullable = false, default: value, references }]) =>
    [
      `${column} ${TYPES[type] ?? "TEXT"}`,
      ...(isRowid && column === first ? ["PRIMARY KEY"] : isNullable ? [] : ["NOT NULL"]),
      ...(value === undefined ? [] : [`DEFAULT ${value}`]),
      ...(references === undefined ? [] : [`REFERENCES ${references}`]),
    ].join(" "),
  );
  const sorted = key.map((column) => (columns[column]?.isDescending === true ? `${column} DESC` : column));
  if (key.length > 0 && !isRowid) parts.push(`PRIMARY KEY (${sorted.join(", ")})`);
  if (unique.length > 0) parts.push(`UNIQUE (${unique.join(", ")})`);
  const hasRowid = isRowid || key.length === 0 || words.hasRowid === true;
  return `CREATE ${what} ${name} (\n  ${parts.join(",\n  ")}\n) STRICT${hasRowid ? "" : ", WITHOUT ROWID"}`;
}

/** Sizes are rows of a table that exists once something was analysed. */
const SIZES = TABLES.flatMap(({ name, words }) =>
  Object.entries(words.sizes ?? {}).map(([index, sizes]) => `('${name}', '${index}', '${sizes}')`),
);

export const SCHEMA = [
  ...TABLES.flatMap((table) => [createTable(table), ...finishTable(table)]),
  "ANALYZE sqlite_schema",
  `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ${SIZES.join(", ")}`,
  // Loads them.
  "ANALYZE sqlite_schema",
].join(";\n");
