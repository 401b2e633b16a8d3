/**
 * One writer at a time across all processes: what a writer has read does not change before it writes, writers never
 * deadlock, and search documents are numbered in commit order.
 */
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import { LOCKS } from "./migrate.ts";

const WRITE_LOCK = 2;

/** Released when the transaction ends. */
export async function acquireWriteLock(sql: Sql): Promise<void> {
  await sql.get("SELECT pg_advisory_xact_lock($1, $2)", LOCKS, WRITE_LOCK);
}

export class WriteLock {
  readonly #db: Database;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Transactions of this process queue here, so that only one of its connections waits for the lock. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() =>
      this.#db.transaction(async (sql) => {
        await acquireWriteLock(sql);
        return work(sql);
      }),
    );
    this.#last = result.catch(() => undefined);
    return result;
  }
}
