/** The schema of new stores: made from the declarations, equal in both engines, and where every upgrade leads. */
import { toUnit } from "#store/write/batch-changes.ts";
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { Client } from "pg";
import { execute, freshDatabase, freshStoreDatabase } from "#tests/postgres/databases.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { PLATFORM, post } from "#testing/sample-records.ts";
import { SCHEMA_VERSION } from "#store/postgres/migrate.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import { SHARED_SETTINGS, TRIPTYCH_STORE, WRITE_OUTCOMES } from "#store/postgres/tables.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import type { Engine } from "#store/sql/table.ts";
import { FIRST_VERSION, MIGRATIONS } from "#store/sqlite/migrations.ts";
import { createTable } from "#store/sqlite/schema.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { STORE_TABLES } from "./tables.ts";
import { TOKEN_USAGE } from "#store/tokens/tables.ts";

type Rows = Record<string, unknown>[];

const ENGINE_TABLES: ReadonlySet<string> = new Set(
  [TRIPTYCH_STORE, SHARED_SETTINGS, WRITE_OUTCOMES].map(({ name }) => name),
);

const RECORD_COLUMNS = "platform, kind, id, header, native, captured_at, source, version";

function firstSchema(engine: Engine): string {
  return readFileSync(new URL(`../../../testing/first-schemas/${engine}.sql`, import.meta.url), "utf8");
}

/**
 * Everything but the order of columns, which no statement depends on: an upgrade adds a column at the end, while a
 * declaration has it where it belongs.
 */
function readSqliteSchema(db: DatabaseSync): object {
  const all = (sql: string, ...values: string[]): Rows => db.prepare(sql).all(...values);
  const tables = all("SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'");
  return {
    tables: Object.fromEntries(
      tables.map(({ name, ...kind }) => [
        name,
        {
          ...kind,
          columns: all(
            `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?) ORDER BY name`,
            String(name),
          ),
          references: all(`SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list(?)`, String(name)),
          indexes: all(
            `SELECT list.origin, list."unique", list.partial, group_concat(i.name || ' ' || i."desc" || ' ' || i.coll) AS columns
             FROM pragma_index_list(?) list JOIN pragma_index_xinfo(list.name) i ON i.key = 1 GROUP BY list.name ORDER BY 1, 4`,
            String(name),
          ),
        },
      ]),
    ),
    statements: all(
      "SELECT name, sql FROM sqlite_schema WHERE type <> 'table' OR sql LIKE 'CREATE VIRTUAL%' ORDER BY name",
    ).map(({ name, sql }) => [name, typeof sql === "string" ? sql.replaceAll(/\s+/g, " ") : null]),
    sizes: all("SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY idx"),
    version: all("PRAGMA user_version"),
  };
}

const POSTGRES_SCHEMA = {
  columns: `SELECT attrelid::regclass::text AS "table", attname, format_type(atttypid, atttypmod) AS type, attnotnull,
      collname, pg_get_expr(adbin, adrelid) AS "default", attstattarget
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid AND relkind = 'r'
      LEFT JOIN pg_collation ON pg_collation.oid = attcollation LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = current_schema()::regnamespace AND attnum > 0 AND NOT attisdropped ORDER BY 1, 2`,
  indexes: "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1, 2",
  constraints: `SELECT conrelid::regclass::text AS "table", conname, pg_get_constraintdef(oid) AS constraint
    FROM pg_constraint WHERE connamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  relations: `SELECT relname, relkind, reloptions FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace ORDER BY relname`,
  version: "SELECT version::int FROM triptych_store",
};

async function query(url: string, sql: string): Promise<Rows> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows as Rows;
  } finally {
    await client.end();
  }
}

async function readPostgresSchema(url: string): Promise<object> {
  const parts = Object.entries(POSTGRES_SCHEMA).map(async ([part, sql]) => [part, await query(url, sql)]);
  return Object.fromEntries(await Promise.all(parts)) as object;
}

/** SQLite has four types for all of PostgreSQL's. */
const SQLITE_TYPES: Record<string, string> = { bigint: "INTEGER", boolean: "INTEGER", "double precision": "REAL" };

interface ColumnFacts {
  table: string;
  name: string;
  type: string;
  isNullable: number | boolean;
  isKey: number | boolean;
}

/** Facts about the columns and the key of each table, without those that a declaration gives to one engine. */
function sharedFacts(engine: Engine, rows: Rows): string[] {
  const declared = new Map<string, (typeof STORE_TABLES)[number]>(STORE_TABLES.map((table) => [table.name, table]));
  return [...Map.groupBy(rows as unknown as ColumnFacts[], ({ table }) => table)].flatMap(([name, columns]) => {
    const table = declared.get(name);
    if (table === undefined || table.only !== null) {
      assert.ok(table === undefined ? ENGINE_TABLES.has(name) : table.only === engine, `${name} in ${engine}`);
      return [];
    }
    const { words } = table[engine];
    const isOwn = (column: ColumnFacts) => Object.hasOwn(words.columns ?? {}, column.name);
    const key = columns.filter(({ isKey }) => isKey).map((column) => column.name);
    return [
      ...([table.sqlite, table.postgres].every((on) => on.words.key === undefined)
        ? [`${name}: key ${key.toSorted().join(", ")}`]
        : []),
      ...columns
        .filter((column) => !isOwn(column))
        .map(({ name: column, type, isNullable, isKey }) => {
          const nullable = isNullable && !isKey ? ", nullable" : "";
          return `${name}.${column}: ${SQLITE_TYPES[type] ?? type.toUpperCase()}${nullable}`;
        }),
    ];
  });
}

describe("the schema", () => {
  let folder: string;
  let created: DatabaseSync;
  let database: { url: string; drop: () => Promise<void> };
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "triptych-schema-"));
    mkdirSync(join(folder, "new"));
    const store = openSqliteStore(join(folder, "new"));
    await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
    await store.close();
    created = new DatabaseSync(join(folder, "new", STORE_FILE));
    database = await freshStoreDatabase();
  });
  after(async () => {
    created.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("of a SQLite store of any earlier version becomes the schema of a new one, and keeps its rows", async () => {
    for (const steps of MIGRATIONS.keys()) await upgradeSqlite(steps);
  });

  async function upgradeSqlite(steps: number): Promise<void> {
    const path = join(folder, `${steps} steps`);
    mkdirSync(path);
    const first = new DatabaseSync(join(path, STORE_FILE));
    first.exec(firstSchema("sqlite"));
    for (const step of MIGRATIONS.slice(0, steps)) first.exec(step);
    first.exec(`PRAGMA user_version = ${FIRST_VERSION + steps}`);
    first.exec(`ATTACH '${join(folder, "new", STORE_FILE)}' AS new;
      INSERT INTO records (number, ${RECORD_COLUMNS}) SELECT number, ${RECORD_COLUMNS} FROM new.records; DETACH new`);
    assert.notDeepEqual(readSqliteSchema(first), readSqliteSchema(created));
    const upgraded = openSqliteStore(path);
    assert.equal((await upgraded.reader(PLATFORM).getPost("p1"))?.id, "p1");
    await upgraded.close();
    assert.deepEqual(readSqliteSchema(first), readSqliteSchema(created));
    first.close();
  }

  test("of a PostgreSQL store of the first version becomes the schema of a new one, and keeps its rows", async () => {
    const { url, drop } = await freshDatabase();
    const record = created.prepare(`SELECT ${RECORD_COLUMNS} FROM records`).get() as Record<string, string | number>;
    const values = Object.values(record).map((value) => (typeof value === "string" ? `'${value}'` : value));
    await execute(
      url,
      firstSchema("postgres"),
      `INSERT INTO records (${RECORD_COLUMNS}) VALUES (${values.join(", ")})`,
    );
    const upgraded = await openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR });
    assert.equal((await upgraded.reader(PLATFORM).getPost("p1"))?.id, "p1");
    await upgraded.close();
    assert.deepEqual(await query(url, POSTGRES_SCHEMA.version), [{ version: SCHEMA_VERSION }]);
    assert.deepEqual(await readPostgresSchema(url), await readPostgresSchema(database.url));
    await drop();
  });

  test("has the same tables, columns, types and keys in both engines, except as declared", async () => {
    const usage = new DatabaseSync(":memory:");
    usage.exec(createTable(TOKEN_USAGE.sqlite));
    const columns = `SELECT list.name AS "table", info.name, info.type, info."notnull" = 0 AS isNullable, info.pk > 0 AS isKey
      FROM pragma_table_list list JOIN pragma_table_info(list.name) info
      WHERE list.schema = 'main' AND list.type = 'table' AND list.name NOT LIKE 'sqlite!_%' ESCAPE '!'`;
    const inSqlite = [created, usage].flatMap((db) => db.prepare(columns).all());
    const inPostgres = await query(
      database.url,
      `SELECT relname AS "table", attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS "isNullable",
         coalesce(attnum = ANY (indkey::int2[]), false) AS "isKey"
       FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid AND relkind = 'r'
         LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
       WHERE relnamespace = current_schema()::regnamespace AND attnum > 0 AND NOT attisdropped`,
    );
    const shared = sharedFacts("sqlite", inSqlite);
    assert.ok(shared.includes("subtitles: key automatic, language, platform, post_id") && shared.length > 150);
    assert.ok(shared.includes("comments.parent_id: TEXT, nullable"));
    assert.deepEqual(sharedFacts("postgres", inPostgres).toSorted(), shared.toSorted());
  });
});
