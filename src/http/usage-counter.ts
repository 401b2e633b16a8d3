/** Counts the requests of tokens in memory, until they are written or sent to the process that writes them. */
import { toIsoDate } from "#domain/time.ts";
import type { UsageRow } from "#domain/usage.ts";

/** Bounds memory while the store cannot be written. Beyond it, requests are counted under one operation of their token. */
const MAX_ROWS = 20_000;
const OVERFLOW = "other";

export class UsageCounter {
  #rows = new Map<string, UsageRow>();

  count(keyId: string, operation: string, status: number, now: number): void {
    const row = this.#row(toIsoDate(now), keyId, operation);
    row.requests++;
    if (status >= 500) row.serverErrors++;
    else if (status >= 400) row.clientErrors++;
  }

  /** Adds what another counter took, or what could not be written. */
  add(rows: readonly UsageRow[]): void {
    for (const { day, keyId, operation, requests, clientErrors, serverErrors } of rows) {
      const row = this.#row(day, keyId, operation);
      row.requests += requests;
      row.clientErrors += clientErrors;
      row.serverErrors += serverErrors;
    }
  }

  /** Everything counted so far; counting starts again from zero. */
  take(): UsageRow[] {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    return rows;
  }

  #row(day: string, keyId: string, operation: string): UsageRow {
    const key = `${day} ${keyId} ${operation}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      if (this.#rows.size >= MAX_ROWS && operation !== OVERFLOW) return this.#row(day, keyId, OVERFLOW);
      row = { day, keyId, operation, requests: 0, clientErrors: 0, serverErrors: 0 };
      this.#rows.set(key, row);
    }
    return row;
  }
}
