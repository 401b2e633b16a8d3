/**
 * Runs VACUUM after an erasure, so that deleted rows do not stay on disk. Erasures during one run share the next.
 * docs/decisions/0012-postgresql.md says what remains even then.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";

const JOB_TABLES = ["jobs", "job_files", "job_rejects", "job_claims", "job_records"];
const LIVE_TABLES = ["watches", "source_fetches"];
const COMMENT_TABLES = ["comments", "search_docs", "search_words", "search_pending", ...JOB_TABLES, ...LIVE_TABLES];
const POST_TABLES = [
  ...COMMENT_TABLES,
  "records",
  "post_lists",
  "subtitles",
  "chart_entries",
  "counter_points",
  "trend_chunks",
];

/** The tables that an erasure deletes from. */
const TABLES = {
  comment: COMMENT_TABLES,
  post: POST_TABLES,
  account: [...POST_TABLES, "account_names", "follows"],
};

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
  #tables = new Set<string>();
  #running: Promise<boolean> = Promise.resolve(true);
  #next: Promise<boolean> | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Resolves when everything deleted before the call is vacuumed; to false if a long read may still need some of it. */
  after(erased: keyof typeof TABLES): Promise<boolean> {
    for (const table of TABLES[erased]) this.#tables.add(table);
    return (this.#next ??= this.#run());
  }

  async #run(): Promise<boolean> {
    // The failure of an earlier run was reported to those who waited for it.
    await this.#running.catch(() => undefined);
    const tables = this.#tables;
    this.#tables = new Set();
    this.#next = null;
    this.#running = this.#db.withoutTimeout(async (sql) => {
      const canRemoveAll = await waitForOlderReads(sql);
      // By default VACUUM skips the indexes when few rows are dead, which would leave erased words in them.
      for (const table of tables) await sql.run(`VACUUM (INDEX_CLEANUP ON) ${table}`);
      return canRemoveAll;
    });
    return this.#running;
  }
}
