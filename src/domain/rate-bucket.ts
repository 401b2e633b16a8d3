/** What processes that serve the same tokens tell each other about rate limits. Whole numbers, so nothing drifts. */

/** A token bucket refills within this time. */
export const BURST_MS = 10_000;
export const DAY_MS = 86_400_000;

/** What one process spent of a token's limits since its last report. */
export interface SpendReport {
  keyId: string;
  /** The limit in force: it is what refills the bucket. */
  burst: number;
  /** Taken from the bucket, in cost units x BURST_MS. */
  spent: number;
  /** Taken from the daily quota; negative when more was refunded. */
  daily: number;
  /** Days since 1970 that `daily` belongs to. Spending of another day than the store's is dropped. */
  day: number;
}

/** What a token has left after all reports so far. */
export interface SharedBalance {
  keyId: string;
  /** Cost units x BURST_MS. Negative when processes together spent too much: refilling pays that back first. */
  level: number;
  /** Cost units used today. */
  used: number;
  /** The store's clock, in Unix milliseconds: it decides which day today is. */
  at: number;
}

export interface RateLimitExchange {
  /** Adds what was spent and returns the new balances, in any order. A keyId appears once. */
  exchange(reports: readonly SpendReport[]): Promise<SharedBalance[]>;
}

export function dayOf(unixMs: number): number {
  return Math.floor(unixMs / DAY_MS);
}
