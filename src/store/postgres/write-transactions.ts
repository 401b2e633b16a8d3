/**
 * Transactions that write records. Those of imports run side by side, in any number of processes; an erasure, a deleted
 * source, a merged placeholder and a copy run alone, so that none of what they read or delete is being written.
 * docs/decisions/0026-writers-side-by-side.md says why nothing is lost and nobody deadlocks.
 */
import { randomUUID } from "node:crypto";
import { errorCode } from "#domain/error-code.ts";
import { lockInTransaction, shareLockInTransaction } from "./advisory-locks.ts";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";

/** Of a batch beside others; then it runs alone, where nothing can come first. */
const MAX_CONFLICTS = 3;

/** Unique violation: another writer inserted the same record first. Serialization failure, deadlock. */
const CONFLICTS = new Set(["23505", "40001", "40P01"]);

/** Also deletes the row of this writer's last transaction, and those of writers that have ended. */
const NOTE_COMMIT = `
WITH old AS (
  DELETE FROM write_outcomes WHERE id IN (
    SELECT id FROM write_outcomes WHERE id = $2 OR at < now() - interval '1 day' FOR UPDATE SKIP LOCKED))
INSERT INTO write_outcomes (id, is_committed) VALUES ($1, true)`;

/** Waits while the transaction is still running, and keeps the outcome for a repetition of this statement. */
const GET_OUTCOME = `
INSERT INTO write_outcomes AS stored (id, is_committed) VALUES ($1, false)
ON CONFLICT (id) DO UPDATE SET is_committed = stored.is_committed RETURNING is_committed`;

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
  unconfirmed: { id: string; result: Result } | null;
}

type Work<Result> = (sql: Sql) => Promise<Result>;

/** Thrown by work that must not run beside other writers: it runs again, alone. */
export class MustRunAlone extends Error {}

export class WriteTransactions {
  readonly #db: Database;
  readonly #guard: Guard;
  #last: Promise<unknown> = Promise.resolve();
  #lastId = "";

  constructor(db: Database, guard: Guard) {
    this.#db = db;
    this.#guard = guard;
  }

  /** Runs the work again in a new transaction if another writer came first. */
  together<Result>(work: (sql: Sql, isAlone: boolean) => Promise<Result>): Promise<Result> {
    return this.#enqueue(async (commit) => {
      for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
        try {
          return await this.#transaction(joinWriters, (sql) => work(sql, false), commit);
        } catch (error) {
          if (error instanceof MustRunAlone) break;
          if (!CONFLICTS.has(errorCode(error) ?? "")) throw error;
        }
      }
      return this.#transaction(lockOutWriters, (sql) => work(sql, true), commit);
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
        if (unconfirmed !== null && (await this.#isCommitted(unconfirmed.id))) return unconfirmed.result;
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
      // An id of our own: after a failover the server may have given the transaction's id to another.
      const id = randomUUID();
      await sql.run(NOTE_COMMIT, id, this.#lastId);
      this.#lastId = id;
      commit.unconfirmed = { id, result };
      return result;
    });
  }

  async #isCommitted(id: string): Promise<boolean> {
    return (await this.#db.get<{ is_committed: boolean }>(GET_OUTCOME, id))?.is_committed === true;
  }
}
