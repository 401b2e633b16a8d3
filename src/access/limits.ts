/**
 * How much a token may ask: a bucket that refills over ten seconds, a quota of the UTC day, and a number of requests at
 * once. Kept in the memory of this process; time is always passed in (Unix milliseconds). A refused request costs
 * nothing.
 */
import type { Cost } from "#contract/endpoint.ts";
import type { TokenLimits } from "#domain/token.ts";

export const COSTS: Readonly<Record<Cost, number>> = { lookup: 1, list: 2, search: 5 };

export const DEFAULT_LIMITS: Readonly<Required<TokenLimits>> = {
  burst: 2_000,
  daily: 1_000_000,
  parallel: 50,
};

const BURST_MS = 10_000;
const DAY_MS = 86_400_000;
const SWEEP_MS = 60_000;

/** Whose limits are asked for; its own ones come before the service's. */
export interface LimitedKey {
  keyId: string;
  limits: TokenLimits;
}

export type Entry =
  | {
      ok: true;
      /** Gives the place among the parallel requests back; further calls do nothing. */
      release(): void;
      /** Gives back what was taken of the day, as for an answer of 304; further calls do nothing. */
      refundDaily(): void;
    }
  | { ok: false; code: "rate_limited" | "too_many_parallel"; retryAfterS: number };

interface Usage {
  /** Content of the bucket in cost units x BURST_MS: whole numbers, so that refilling never rounds. */
  level: number;
  refilledAt: number;
  /** Days since 1970 that `usedToday` belongs to. */
  day: number;
  usedToday: number;
  running: number;
}

const FREE: Entry = { ok: true, release() {}, refundDaily() {} };

export class RateLimits {
  readonly #service: Readonly<Required<TokenLimits>> | "off";
  readonly #usages = new Map<string, Usage>();
  #sweptAt = 0;

  constructor(service: Readonly<Required<TokenLimits>> | "off" = DEFAULT_LIMITS) {
    this.#service = service;
  }

  enter(key: LimitedKey, cost: Cost, now: number): Entry {
    if (this.#service === "off") return FREE;
    const limits = limitsOf(this.#service, key.limits);
    this.#sweep(now);
    const usage = this.#usages.get(key.keyId) ?? unused(limits, now);
    refill(usage, limits, now);

    // A limit below the cost of a search would shut searches out for ever: the whole of it pays for one.
    const burstCost = priceWithin(limits.burst, cost);
    const dailyCost = priceWithin(limits.daily, cost);
    if (usage.usedToday + dailyCost > limits.daily) {
      return { ok: false, code: "rate_limited", retryAfterS: secondsToMidnight(usage, now) };
    }
    if (usage.level < burstCost * BURST_MS) {
      const waitMs = Math.min((burstCost * BURST_MS - usage.level) / limits.burst, BURST_MS);
      return { ok: false, code: "rate_limited", retryAfterS: Math.ceil(waitMs / 1000) };
    }
    if (usage.running >= limits.parallel) {
      return { ok: false, code: "too_many_parallel", retryAfterS: 1 };
    }

    usage.level -= burstCost * BURST_MS;
    usage.usedToday += dailyCost;
    usage.running += 1;
    this.#usages.set(key.keyId, usage);
    return admission(usage, dailyCost);
  }

  /** What the caller is told of its limits with every answer; nothing when there are none. */
  headers(key: LimitedKey, now: number): Record<string, string> {
    if (this.#service === "off") return {};
    const limits = limitsOf(this.#service, key.limits);
    const usage = this.#usages.get(key.keyId) ?? unused(limits, now);
    refill(usage, limits, now);
    const burstLeft = Math.floor(usage.level / BURST_MS);
    const missing = limits.burst * BURST_MS - usage.level;
    const secondsToFull = missing === 0 ? 0 : Math.ceil(missing / limits.burst / 1000);
    const dailyLeft = Math.max(0, limits.daily - usage.usedToday);
    return {
      "RateLimit-Policy": `"burst";q=${limits.burst};w=${BURST_MS / 1000}, "daily";q=${limits.daily};w=${DAY_MS / 1000}`,
      RateLimit: `"burst";r=${burstLeft};t=${secondsToFull}, "daily";r=${dailyLeft};t=${secondsToMidnight(usage, now)}`,
    };
  }

  /** Tokens whose use is being remembered. */
  get size(): number {
    return this.#usages.size;
  }

  /** Forgets tokens that stand as if they had never asked. What was used of today is kept until midnight. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_MS && now >= this.#sweptAt) return;
    this.#sweptAt = now;
    for (const [keyId, usage] of this.#usages) {
      const full = now - usage.refilledAt >= BURST_MS;
      const dayIsOver = usage.usedToday === 0 || dayOf(now) > usage.day;
      if (usage.running === 0 && full && dayIsOver) this.#usages.delete(keyId);
    }
  }
}

function limitsOf(service: Required<TokenLimits>, own: TokenLimits): Required<TokenLimits> {
  return {
    burst: own.burst ?? service.burst,
    daily: own.daily ?? service.daily,
    parallel: own.parallel ?? service.parallel,
  };
}

function unused(limits: Required<TokenLimits>, now: number): Usage {
  return {
    level: limits.burst * BURST_MS,
    refilledAt: now,
    day: dayOf(now),
    usedToday: 0,
    running: 0,
  };
}

/** Requests may arrive with a `now` a little out of order, and clocks are set back: neither refills anything. */
function refill(usage: Usage, limits: Required<TokenLimits>, now: number): void {
  const elapsedMs = Math.min(Math.max(0, now - usage.refilledAt), BURST_MS);
  usage.level = Math.min(usage.level + elapsedMs * limits.burst, limits.burst * BURST_MS);
  usage.refilledAt = Math.max(usage.refilledAt, now);
  const day = dayOf(now);
  if (day > usage.day) {
    usage.day = day;
    usage.usedToday = 0;
  }
}

function admission(usage: Usage, dailyCost: number): Entry {
  const { day } = usage;
  let released = false;
  let refunded = false;
  return {
    ok: true,
    release() {
      if (released) return;
      released = true;
      usage.running -= 1;
    },
    refundDaily() {
      if (refunded) return;
      refunded = true;
      // After midnight there is nothing left of what was taken.
      if (usage.day === day) usage.usedToday -= dailyCost;
    },
  };
}

function priceWithin(limit: number, cost: Cost): number {
  return Math.max(1, Math.min(COSTS[cost], limit));
}

function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

function secondsToMidnight(usage: Usage, now: number): number {
  return Math.ceil(((usage.day + 1) * DAY_MS - now) / 1000);
}
