/**
 * All reads of one event-loop tick share one read transaction, so SQLite's locks are taken once per tick. A write by
 * this thread ends it: the next read sees the write, and the writer never waits for a reader of its own thread.
 */
import type { DatabaseSync } from "node:sqlite";
import { perfCounters } from "#domain/perf-counters.ts";

/** The open snapshots of this thread. */
const openSnapshots = new Set<TickSnapshot>();

export class TickSnapshot {
  readonly #db: DatabaseSync;
  readonly #begin;
  readonly #commit;
  readonly #rollback;
  readonly #readVersion;
  #dataVersion: number | null = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#begin = db.prepare("BEGIN");
    this.#commit = db.prepare("COMMIT");
    this.#rollback = db.prepare("ROLLBACK");
    this.#readVersion = db.prepare("PRAGMA data_version");
  }

  /** Call before every read. */
  begin(): void {
    if (openSnapshots.has(this)) return;
    this.#begin.run();
    openSnapshots.add(this);
    setImmediate(() => this.end());
  }

  end(): void {
    if (!openSnapshots.delete(this)) return;
    this.#dataVersion = null;
    // Outside any request: nothing could catch an error, and reads have nothing to lose. On a damaged or failing file
    // COMMIT may fail, or an error has ended the transaction already.
    try {
      if (this.#db.isTransaction) this.#commit.run();
    } catch {
      if (this.#db.isTransaction) this.#rollback.run();
    }
  }

  /** SQLite counts the commits of all other connections, in this process and others. */
  dataVersion(): number {
    this.begin();
    if (this.#dataVersion === null) {
      perfCounters.statements++;
      this.#dataVersion = Number(this.#readVersion.get()?.["data_version"]);
    }
    return this.#dataVersion;
  }
}

export function endSnapshots(): void {
  for (const snapshot of openSnapshots) snapshot.end();
}
