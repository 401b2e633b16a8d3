/**
 * The balances of processes that share one file, in the memory of one of them; src/store/postgres/rate-limits.ts does
 * the same in SQL. They begin anew with the process.
 */
import { BURST_MS, dayOf, type RateLimitExchange, type SharedBalance, type SpendReport } from "#domain/rate-bucket.ts";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";

interface Row {
  level: number;
  refilledAt: number;
  day: number;
  used: number;
}

export class SharedBalances implements RateLimitExchange {
  readonly #clock: Clock;
  readonly #rows = new Map<string, Row>();
  #day = 0;

  constructor(clock: Clock = SYSTEM_CLOCK) {
    this.#clock = clock;
  }

  async exchange(reports: readonly SpendReport[]): Promise<SharedBalance[]> {
    const now = this.#clock.monotonic();
    const at = this.#clock.utc();
    this.#sweep(dayOf(at), now);
    return reports.map(({ keyId, burst, spent, daily, day }) => {
      const row = this.#rows.get(keyId) ?? { level: burst * BURST_MS, refilledAt: now, day: this.#day, used: 0 };
      const level = Math.min(row.level + (now - row.refilledAt) * burst, burst * BURST_MS) - spent;
      const used = Math.max(0, (row.day === this.#day ? row.used : 0) + (day === this.#day ? daily : 0));
      this.#rows.set(keyId, { level, refilledAt: now, day: this.#day, used });
      return { keyId, level, used, at };
    });
  }

  /** Tokens in memory. */
  get size(): number {
    return this.#rows.size;
  }

  /** On a new day, drops tokens whose bucket is full again. */
  #sweep(today: number, now: number): void {
    if (today === this.#day) return;
    this.#day = today;
    for (const [keyId, { level, refilledAt }] of this.#rows) {
      if (level >= 0 && now - refilledAt >= BURST_MS) this.#rows.delete(keyId);
    }
  }
}
