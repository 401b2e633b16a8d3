/** The limits in force for a token, and the cost of each kind of operation. */
import type { Cost } from "#api/endpoint.ts";
import { BURST_MS } from "#domain/rate-bucket.ts";
import { DAY_MS } from "#domain/time.ts";
import type { TokenLimits } from "#domain/token.ts";

export type Limits = Readonly<Required<TokenLimits>>;

export const COSTS: Readonly<Record<Cost, number>> = { lookup: 1, list: 2, search: 5 };

export class EffectiveLimits implements Limits {
  /** The token's own limits. The same object has the same effective limits, so they are computed once. */
  readonly own: TokenLimits;
  readonly burst: number;
  readonly daily: number;
  readonly concurrency: number;
  /** The RateLimit-Policy header. */
  readonly policy: string;

  constructor(defaults: Limits, own: TokenLimits) {
    this.own = own;
    this.burst = own.burst ?? defaults.burst;
    this.daily = own.daily ?? defaults.daily;
    this.concurrency = own.concurrency ?? defaults.concurrency;
    this.policy = `"burst";q=${this.burst};w=${BURST_MS / 1000}, "daily";q=${this.daily};w=${DAY_MS / 1000}`;
  }
}

/** Caps the cost at the limit, so that a token with a limit below 5 can still search. */
export function cappedCost(limit: number, cost: Cost): number {
  return Math.max(1, Math.min(COSTS[cost], limit));
}
