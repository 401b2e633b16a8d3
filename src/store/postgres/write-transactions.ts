/**
 * Transactions that write records. Those of imports run side by side, in any number of processes; an erasure, a deleted
 * source, a merged placeholder and a copy run alone, so that none of what they read or delete is being written.
 * docs/decisions/0026-writers-side-by-side.md says why nothing is lost and nobody deadlocks.
 */
import { lockInTransaction, shareLockInTransaction } from "./advisory-locks.ts";
import { ConnectionError } from "./connection-errors.ts";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";

/** Of a batch beside others; then it runs alone, where nothing can come first. */
const MAX_CONFLICTS = 3;

/** Unique violation: another writer inserted the same record first. Serialization failure, deadlock. */
const CONFLICTS = new Set(["23505", "40001", "40P01"]);

/** Released when the transaction ends. */
export function lockOutWriters(sql: Sql): Promise<void> {
  return lockInTransaction(sql, "write");
}

/** Beside writers, but not beside those that run alone. Released when the transaction ends. */
export function joinWriters(sql: Sql): Promise<void> {
  return shareLockInTransaction(sql, "write");
}

/** Runs a call to the server, perhaps again if the server is down. */
export type Guard = <Result>(call: () => Promise<Result>) => Promise<Result>;

interface Commit<Result> {
  /** Set before COMMIT is sent: if the connection is lost then, its outcome is unknown. */
  unconfirmed: { transactionId: string; result: Result } | null;
}

type Work<Result> = (sql: Sql) => Promise<Result>;

export class WriteTransactions {
  readonly #db: Database;
  readonly #guard: Guard;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Database, guard: Guard) {
    this.#db = db;
    this.#guard = guard;
  }

  /** Runs the work again in a new transaction if another writer came first. */
  together<Result>(work: Work<Result>): Promise<Result> {
    return this.#enqueue(async (commit) => {
      for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
        try {
          return await this.#transaction(joinWriters, work, commit);
        } catch (error) {
          if (!CONFLICTS.has((error as { code?: string }).code ?? "")) throw error;
        }
      }
      return this.#transaction(lockOutWriters, work, commit);
    });
  }

  alone<Result>(work: Work<Result>): Promise<Result> {
    return this.#enqueue((commit) => this.#transaction(lockOutWriters, work, commit));
  }

  /** Transactions of this process queue here, so that only one of its connections waits for the lock. */
  #enqueue<Result>(run: (commit: Commit<Result>) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => {
      const commit: Commit<Result> = { unconfirmed: null };
      return this.#guard(async () => {
        const { unconfirmed } = commit;
        if (unconfirmed !== null && (await this.#isCommitted(unconfirmed.transactionId))) return unconfirmed.result;
        commit.unconfirmed = null;
        return run(commit);
      });
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  #transaction<Result>(lock: (sql: Sql) => Promise<void>, work: Work<Result>, commit: Commit<Result>): Promise<Result> {
    return this.#db.transaction(async (sql) => {
      await lock(sql);
      const result = await work(sql);
      const row = await sql.get<{ id: string }>("SELECT pg_current_xact_id()::text AS id");
      commit.unconfirmed = { transactionId: row?.id as string, result };
      return result;
    });
  }

  async #isCommitted(transactionId: string): Promise<boolean> {
    const row = await this.#db.get<{ status: string | null }>(
      "SELECT pg_xact_status($1::xid8) AS status",
      transactionId,
    );
    // The server has not noticed yet that the connection was lost.
    if (row?.status === "in progress")
      throw new ConnectionError("busy", "a transaction of a lost connection is running");
    return row?.status === "committed";
  }
}
