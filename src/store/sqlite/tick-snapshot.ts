/**
 * What is read within one turn of the event loop sees one state of the file: its locks are taken and given back once, not
 * with every statement. Whatever this thread writes ends the turn, so that nobody misses what was just written and no
 * reader of the same thread is waited for.
 */
import type { DatabaseSync } from "node:sqlite";
import { perfCounters } from "#domain/perf-counters.ts";

const begun = new Set<TickSnapshot>();

export class TickSnapshot {
  readonly #db: DatabaseSync;
  readonly #begin;
  readonly #commit;
  readonly #version;
  #stamp: number | null = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#begin = db.prepare("BEGIN");
    this.#commit = db.prepare("COMMIT");
    this.#version = db.prepare("PRAGMA data_version");
  }

  /** Before every read. */
  begin(): void {
    if (begun.has(this)) return;
    this.#begin.run();
    begun.add(this);
    setImmediate(() => this.end());
  }

  end(): void {
    if (!begun.delete(this)) return;
    this.#stamp = null;
    // An error of the file has ended it already.
    if (this.#db.isTransaction) this.#commit.run();
  }

  /** Changes when somebody has written: SQLite counts the commits of others, whichever connection or process made them. */
  stamp(): number {
    this.begin();
    return (this.#stamp ??= this.#look());
  }

  #look(): number {
    perfCounters.statements++;
    return (this.#version.get() as { data_version: number }).data_version;
  }
}

/** All that are under way in this thread. */
export function endSnapshots(): void {
  for (const turn of begun) turn.end();
}
