/**
 * Runs VACUUM after an erasure, so that deleted rows do not stay on disk. Erasures during one run share the next.
 * docs/decisions/0012-postgresql.md says what remains even then.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";

/** Replicas with hot_standby_feedback say every 10 s what they no longer read. */
const MAX_WAIT_MS = 12_000;
const POLL_MS = 200;

/**
 * Waits until no transaction can read rows that were deleted before the call, which VACUUM would leave. False if one still
 * can after the longest wait, such as a backup. No role has to see other sessions for this: VACUUM (FREEZE) sets
 * relfrozenxid of a small table to the oldest transaction that it respects.
 */
async function waitForOlderReads(sql: Sql): Promise<boolean> {
  const next = await sql.get<{ xid: string }>("SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::text AS xid");
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    await sql.run("VACUUM (FREEZE) retention");
    const oldest = await sql.get<{ isOlder: boolean }>(
      `SELECT age(relfrozenxid) > age($1::xid) AS "isOlder" FROM pg_class WHERE oid = 'retention'::regclass`,
      next?.xid ?? null,
    );
    if (oldest?.isOlder === false) return true;
    if (waitedMs >= MAX_WAIT_MS) return false;
    await sleep(POLL_MS);
  }
}

export class VacuumQueue {
  readonly #db: Database;
  #running: Promise<boolean> = Promise.resolve(true);
  #next: Promise<boolean> | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Resolves when everything deleted before the call is vacuumed; to false if a long read may still need some of it. */
  afterErasure(): Promise<boolean> {
    return (this.#next ??= this.#run());
  }

  async #run(): Promise<boolean> {
    // The failure of an earlier run was reported to those who waited for it.
    await this.#running.catch(() => undefined);
    this.#next = null;
    this.#running = this.#db.withoutTimeout(async (sql) => {
      const canRemoveAll = await waitForOlderReads(sql);
      // All tables: an earlier erasure, perhaps of another process, may have left rows to this one.
      const tables = await sql.all<{ name: string }>(
        `SELECT oid::regclass::text AS name FROM pg_class
         WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY 1`,
      );
      // By default VACUUM skips the indexes when few rows are dead, which would leave erased words in them.
      for (const { name } of tables) await sql.run(`VACUUM (INDEX_CLEANUP ON) ${name}`);
      return canRemoveAll;
    });
    return this.#running;
  }
}
