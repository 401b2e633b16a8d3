/** Brings a database's tables up to date, one process at a time, and refuses a database that is not ours. */
import { StoreOpenError } from "../store-open-error.ts";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import { MIGRATIONS } from "./migrations.ts";

/** "Trip" in ASCII: the first number of our advisory locks; the second says what is locked. */
export const LOCKS = 0x54726970;
const MIGRATING = 1;

const OLDEST_SERVER = 140_000;

interface Server {
  encoding: string;
  version: number;
  schema: string | null;
}

/** `where` names the database in refusals. */
export async function migrate(database: Database, where: string): Promise<void> {
  await assertFit(database, where);
  if ((await versionOf(database)) === MIGRATIONS.length) return;
  await database.withConnection(async (sql) => {
    await sql.get("SELECT pg_advisory_lock($1, $2)", LOCKS, MIGRATING);
    // Read again under the lock: another process may have migrated meanwhile.
    const version = await versionOf(sql);
    if (version > MIGRATIONS.length) {
      throw new StoreOpenError(
        `${where} was written by a newer Triptych (store version ${version}, this one knows ${MIGRATIONS.length}); update Triptych or give it another database`,
      );
    }
    if (version === 0) await assertEmpty(sql, where);
    for (let next = version; next < MIGRATIONS.length; next++) await step(sql, next);
    // After a failure the connection is closed, and the lock goes with it.
    await sql.get("SELECT pg_advisory_unlock($1, $2)", LOCKS, MIGRATING);
  });
}

async function assertFit(sql: Sql, where: string): Promise<void> {
  const server = await sql.get<Server>(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::bigint AS version,
       current_schema()::text AS schema`,
  );
  if (server === undefined || server.version < OLDEST_SERVER) {
    throw new StoreOpenError(`${where} is older than PostgreSQL 14; update the server`);
  }
  if (server.encoding !== "UTF8") {
    throw new StoreOpenError(`${where} keeps texts as ${server.encoding}; make a database with ENCODING 'UTF8'`);
  }
  if (server.schema === null) {
    throw new StoreOpenError(`${where} has no schema to put tables in; set the user's search_path to one that exists`);
  }
}

/** 0 where Triptych was never. */
async function versionOf(sql: Sql): Promise<number> {
  const table = await sql.get<{ found: boolean }>("SELECT to_regclass('triptych_store') IS NOT NULL AS found");
  if (table?.found !== true) return 0;
  return (await sql.get<{ version: number }>("SELECT version FROM triptych_store"))?.version ?? 0;
}

/** Tables that belong to extensions are nobody's data. */
async function assertEmpty(sql: Sql, where: string): Promise<void> {
  const other = await sql.get<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class c
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'f', 'v', 'm')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     ORDER BY relname LIMIT 1`,
  );
  if (other !== undefined) {
    throw new StoreOpenError(
      `${where} holds tables of another program (${other.name}); give Triptych a database of its own`,
    );
  }
}

async function step(sql: Sql, version: number): Promise<void> {
  await sql.run("BEGIN");
  if (version === 0) {
    await sql.run("CREATE TABLE triptych_store (version bigint NOT NULL)");
    await sql.run("INSERT INTO triptych_store (version) VALUES (0)");
  }
  await sql.run(MIGRATIONS[version] as string);
  await sql.run("UPDATE triptych_store SET version = $1", version + 1);
  await sql.run("COMMIT");
}
