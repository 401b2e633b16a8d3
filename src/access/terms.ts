/** What a token may ask and what it pays, worked out once for all its requests. */
import type { Cost } from "#contract/endpoint.ts";
import { BURST_MS, DAY_MS, type Units } from "#domain/bucket.ts";
import type { TokenLimits } from "#domain/token.ts";

export const COSTS: Readonly<Record<Cost, number>> = { lookup: 1, list: 2, search: 5 };

export class Terms implements Units {
  /** The token's own limits that these were made from: as long as they are the same object, so are the terms. */
  readonly own: TokenLimits;
  readonly burst: number;
  readonly daily: number;
  readonly parallel: number;
  readonly prices: Readonly<Record<Cost, Readonly<Units>>>;
  /** As the RateLimit-Policy header says it. */
  readonly policy: string;

  /** A token's own limits come before the service's, one by one. */
  constructor(service: Readonly<Required<TokenLimits>>, own: TokenLimits) {
    this.own = own;
    this.burst = own.burst ?? service.burst;
    this.daily = own.daily ?? service.daily;
    this.parallel = own.parallel ?? service.parallel;
    this.prices = {
      lookup: priceWithin(this, "lookup"),
      list: priceWithin(this, "list"),
      search: priceWithin(this, "search"),
    };
    this.policy = `"burst";q=${this.burst};w=${BURST_MS / 1000}, "daily";q=${this.daily};w=${DAY_MS / 1000}`;
  }
}

/** A limit below the cost of a search would shut searches out for ever: the whole of it pays for one. */
function priceWithin({ burst, daily }: Units, cost: Cost): Units {
  return { burst: Math.max(1, Math.min(COSTS[cost], burst)), daily: Math.max(1, Math.min(COSTS[cost], daily)) };
}
