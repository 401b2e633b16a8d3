/**
 * PostgreSQL keeps deleted rows until it is told to clean up. After an erasure it is told at once. Erasures that come
 * while it cleans share the next round. docs/decisions/0012-postgresql.md says what is left even then.
 */
import type { Database } from "./database.ts";

const OF_COMMENTS = ["comments", "search_docs", "search_words", "search_pending"];
const OF_POSTS = [
  ...OF_COMMENTS,
  "records",
  "post_lists",
  "subtitles",
  "chart_entries",
  "counter_points",
  "trend_sums",
  "trend_days",
  "trend_uncounted",
];

/** The tables from which an erasure takes rows. */
const TABLES = {
  comment: OF_COMMENTS,
  post: OF_POSTS,
  account: [...OF_POSTS, "account_names", "follows"],
};

export class VacuumQueue {
  readonly #db: Database;
  #tables = new Set<string>();
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Resolves when all that was deleted before the call is cleaned up. */
  after(erased: keyof typeof TABLES): Promise<void> {
    for (const table of TABLES[erased]) this.#tables.add(table);
    return (this.#next ??= this.#round());
  }

  async #round(): Promise<void> {
    // A round that failed has told those who waited for it.
    await this.#running.catch(() => undefined);
    const tables = this.#tables;
    this.#tables = new Set();
    this.#next = null;
    this.#running = this.#db.withoutTimeout(async (sql) => {
      // Without the order to, indexes keep the words of a few deleted rows for long.
      for (const table of tables) await sql.run(`VACUUM (INDEX_CLEANUP ON) ${table}`);
    });
    await this.#running;
  }
}
