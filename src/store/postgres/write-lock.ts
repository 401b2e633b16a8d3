/**
 * One writer at a time across all processes: what a writer has read does not change before it writes, writers never
 * deadlock, and search documents are numbered in commit order.
 */
import { lockInTransaction } from "./advisory-locks.ts";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";

/** Released when the transaction ends. */
export function acquireWriteLock(sql: Sql): Promise<void> {
  return lockInTransaction(sql, "write");
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
