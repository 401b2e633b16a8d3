/** Creates or upgrades the schema under a lock, and refuses databases that are not ours. */
import { StoreOpenError } from "#store/sql/store-open-error.ts";
import { withLock } from "./advisory-locks.ts";
import type { Database } from "./database.ts";
import { FIRST_VERSION, MIGRATIONS } from "./migrations.ts";
import { SCHEMA } from "./schema.ts";
import type { Sql } from "./sql.ts";

const MIN_SERVER_VERSION = 140_000;

/** The version of new stores, and after the last migration. */
export const SCHEMA_VERSION = FIRST_VERSION + MIGRATIONS.length;

interface ServerInfo {
  encoding: string;
  version: number;
  schema: string | null;
}

/** `name` is what error messages call the database. */
export async function migrate(database: Database, name: string): Promise<void> {
  await assertSupported(database, name);
  if ((await getVersion(database)) === SCHEMA_VERSION) return;
  await database.withoutTimeout((sql) =>
    withLock(sql, "migration", async () => {
      // Read again under the lock: another process may have migrated meanwhile.
      const version = await getVersion(sql);
      assertKnownVersion(version, name);
      if (version === 0) {
        await assertEmpty(sql, name);
        return apply(sql, `${SCHEMA}; INSERT INTO triptych_store (version) VALUES (0)`, SCHEMA_VERSION);
      }
      for (const [index, step] of MIGRATIONS.entries()) {
        if (FIRST_VERSION + index >= version) await apply(sql, step, FIRST_VERSION + index + 1);
      }
    }),
  );
}

async function assertSupported(sql: Sql, name: string): Promise<void> {
  const server = await sql.get<ServerInfo>(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::bigint AS version,
       current_schema()::text AS schema`,
  );
  if (server === undefined || server.version < MIN_SERVER_VERSION) {
    throw new StoreOpenError(`${name} is older than PostgreSQL 14; upgrade the server`);
  }
  if (server.encoding !== "UTF8") {
    throw new StoreOpenError(`${name} has the encoding ${server.encoding}; create a database with ENCODING 'UTF8'`);
  }
  if (server.schema === null) {
    throw new StoreOpenError(
      `${name} has no schema to create tables in; set the user's search_path to an existing one`,
    );
  }
}

/** `part` is what has the version. */
export function assertNotNewer(part: string, version: number, supported: number, name: string): void {
  if (version > supported) {
    throw new StoreOpenError(
      `${name} was written by a newer Triptych (${part} version ${version}, this one supports ${supported}); upgrade Triptych or use another database`,
    );
  }
}

function assertKnownVersion(version: number, name: string): void {
  assertNotNewer("store", version, SCHEMA_VERSION, name);
  if (version > 0 && version < FIRST_VERSION) {
    throw new StoreOpenError(
      `${name} was written by an unreleased Triptych (store version ${version}); drop the database or use a new one, and import again`,
    );
  }
}

/** 0 for a database without our schema. */
async function getVersion(sql: Sql): Promise<number> {
  const table = await sql.get<{ exists: boolean }>("SELECT to_regclass('triptych_store') IS NOT NULL AS exists");
  if (table?.exists !== true) return 0;
  return (await sql.get<{ version: number }>("SELECT version FROM triptych_store"))?.version ?? 0;
}

/** Ignores tables that belong to extensions. */
async function assertEmpty(sql: Sql, name: string): Promise<void> {
  const foreign = await sql.get<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class c
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'f', 'v', 'm')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     ORDER BY relname LIMIT 1`,
  );
  if (foreign !== undefined) {
    throw new StoreOpenError(
      `${name} has tables of another program (${foreign.name}); give Triptych a database of its own`,
    );
  }
}

async function apply(sql: Sql, step: string, version: number): Promise<void> {
  await sql.run("BEGIN");
  await sql.run(step);
  await sql.run("UPDATE triptych_store SET version = $1", version);
  await sql.run("COMMIT");
}
