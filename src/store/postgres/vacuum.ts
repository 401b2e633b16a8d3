/**
 * Runs VACUUM after an erasure, so that deleted rows do not stay on disk. Erasures during one run share the next.
 * docs/decisions/0012-postgresql.md says what remains even then.
 */
import type { Database } from "./database.ts";

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

export class VacuumQueue {
  readonly #db: Database;
  #tables = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Resolves when everything deleted before the call is vacuumed. */
  after(erased: keyof typeof TABLES): Promise<void> {
    for (const table of TABLES[erased]) this.#tables.add(table);
    return (this.#next ??= this.#run());
  }

  async #run(): Promise<void> {
    // The failure of an earlier run was reported to those who waited for it.
    await this.#running.catch(() => undefined);
    const tables = this.#tables;
    this.#tables = new Set();
    this.#next = null;
    this.#running = this.#db.withoutTimeout(async (sql) => {
      // By default VACUUM skips the indexes when few rows are dead, which would leave erased words in them.
      for (const table of tables) await sql.run(`VACUUM (INDEX_CLEANUP ON) ${table}`);
    });
    await this.#running;
  }
}
