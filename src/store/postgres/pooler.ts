/**
 * Refuses a pooler that gives each transaction another connection to the server: prepared statements, locks, temporary
 * tables, settings and LISTEN need one that stays.
 */
import { StoreOpenError } from "#store/sql/store-open-error.ts";
import { Database, type PoolSettings } from "./database.ts";
import { describeSharing } from "./open-errors.ts";
import type { Sql } from "./sql.ts";

/** In a busy pooler another client may take the connection that is waited for. */
const ATTEMPTS = 5;

/** The first statements of a store. They have little time: a pooler accepts clients while its server is down. */
export async function refuseTransactionPooling(
  pool: Database,
  settings: Omit<PoolSettings, "connections">,
  name: string,
): Promise<void> {
  await pool.withConnection(async (first) => {
    const processId = await getProcessId(first);
    // A pooler makes up the id that it announces.
    if (processId === first.announcedProcessId) return;
    // Not from the pool: it may have only one connection.
    const other = new Database({ ...settings, connections: 1 });
    try {
      await other.withConnection(async (second) => {
        for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
          await second.run("BEGIN");
          const isShared = (await getProcessId(second)) === processId || (await getProcessId(first)) !== processId;
          if (isShared) throw new StoreOpenError(describeSharing(name));
          await second.run("COMMIT");
        }
      });
    } finally {
      await other.close();
    }
  }, settings.statementTimeoutMs);
}

async function getProcessId(sql: Sql): Promise<number | undefined> {
  return (await sql.get<{ id: number }>("SELECT pg_backend_pid() AS id"))?.id;
}
