/** The messages by which processes that serve the same tokens share rate limits. Integers, so nothing drifts. */

/** An empty token bucket is full again after this time. */
export const BURST_MS = 10_000;

/** What one process spent of a token's limits since its last report. */
export interface SpendReport {
  keyId: string;
  /** The limit in force, which is also the refill rate. */
  burst: number;
  /** From the bucket, in cost units x BURST_MS. */
  spent: number;
  /** From the daily quota; negative if more was refunded. */
  daily: number;
  /** The day of `daily`, counted from 1970. Spending of another day than the store's is dropped. */
  day: number;
}

/** What a token has left after all reports so far. */
export interface SharedBalance {
  keyId: string;
  /** Cost units x BURST_MS. Negative if the processes together overspent; refilling pays that back first. */
  level: number;
  /** Cost units used today. */
  used: number;
  /** The store's clock, Unix milliseconds: it decides which day it is. */
  at: number;
}

export interface RateLimitExchange {
  /** Adds what was spent and returns the new balances, in any order. A keyId appears once. */
  exchange(reports: readonly SpendReport[]): Promise<SharedBalance[]>;
}
