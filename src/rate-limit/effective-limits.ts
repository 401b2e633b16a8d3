/** The limits in force for one token, and what each kind of operation costs it. */
import type { Cost } from "#api/endpoint.ts";
import { BURST_MS, DAY_MS } from "#domain/rate-bucket.ts";
import type { TokenLimits } from "#domain/token.ts";

export type Limits = Readonly<Required<TokenLimits>>;

export const DEFAULT_RATE_LIMITS: Limits = { burst: 2_000, daily: 1_000_000, concurrency: 50 };

export const COSTS: Readonly<Record<Cost, number>> = { lookup: 1, list: 2, search: 5 };

export class EffectiveLimits implements Limits {
  /** The token's own limits: while they are the same object, so are the effective ones. */
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

/** Capped at the limit: otherwise a limit of 2 would forbid searches instead of slowing them down. */
export function costWithin(limit: number, cost: Cost): number {
  return Math.max(1, Math.min(COSTS[cost], limit));
}
