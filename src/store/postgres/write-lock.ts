/**
 * Writers take turns, whichever process they are in: what one reads is still so when it writes, no two wait for each
 * other in a circle, and search documents are numbered in the order in which they become visible.
 */
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import { LOCKS } from "./migrate.ts";

const WRITING = 2;

/** Held until the transaction ends. */
export async function acquireWriteLock(sql: Sql): Promise<void> {
  await sql.get("SELECT pg_advisory_xact_lock($1, $2)", LOCKS, WRITING);
}

export class WriteLock {
  readonly #db: Database;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Database) {
    this.#db = db;
  }

  /** One transaction. Those of this process queue here, so that only one of its connections waits for the others. */
  take<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(() =>
      this.#db.transaction(async (sql) => {
        await acquireWriteLock(sql);
        return work(sql);
      }),
    );
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
