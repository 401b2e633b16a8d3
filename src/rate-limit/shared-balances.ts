/**
 * The shared balances of processes on one SQLite file, in the memory of one of them; they are lost with it.
 * src/store/tokens/rate-limits.postgres.ts does the same in SQL.
 */
import { BURST_MS, type RateLimitExchange, type SharedBalance, type SpendReport } from "#domain/rate-bucket.ts";
import { dayOf } from "#domain/time.ts";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";

interface Balance {
  level: number;
  refilledAt: number;
  day: number;
  used: number;
}

export class SharedBalances implements RateLimitExchange {
  readonly #clock: Clock;
  readonly #balances = new Map<string, Balance>();
  #day = 0;

  constructor(clock: Clock = SYSTEM_CLOCK) {
    this.#clock = clock;
  }

  async exchange(reports: readonly SpendReport[]): Promise<SharedBalance[]> {
    const now = this.#clock.monotonic();
    const at = this.#clock.utc();
    this.#sweep(dayOf(at), now);
    return reports.map(({ keyId, burst, spent, daily, day }) => {
      const balance = this.#balances.get(keyId) ?? {
        level: burst * BURST_MS,
        refilledAt: now,
        day: this.#day,
        used: 0,
      };
      const level = Math.min(balance.level + (now - balance.refilledAt) * burst, burst * BURST_MS) - spent;
      const used = Math.max(0, (balance.day === this.#day ? balance.used : 0) + (day === this.#day ? daily : 0));
      this.#balances.set(keyId, { level, refilledAt: now, day: this.#day, used });
      return { keyId, level, used, at };
    });
  }

  /** Number of tokens. */
  get size(): number {
    return this.#balances.size;
  }

  /** On a new day, drops tokens whose bucket is full again. */
  #sweep(today: number, now: number): void {
    if (today === this.#day) return;
    this.#day = today;
    for (const [keyId, { level, refilledAt }] of this.#balances) {
      if (level >= 0 && now - refilledAt >= BURST_MS) this.#balances.delete(keyId);
    }
  }
}
