/**
 * How much a token may ask: a bucket that refills over ten seconds, a quota of the UTC day, and a number of requests at
 * once. Bucket and day are the store's, for all nodes that share it, and are spent from memory; requests at once are
 * counted by each node for itself. Time is always passed in (Unix milliseconds). A refused request costs nothing.
 */
import type { Cost } from "#contract/endpoint.ts";
import { BURST_MS, DAY_MS, dayOf, type Lease, type LeaseAsk, type Units } from "#domain/bucket.ts";
import type { TokenLimits } from "#domain/token.ts";
import type { Leases } from "#store/store.ts";
import { Drawing, type Payment } from "./drawing.ts";
import { NOTHING, Purse, type Standing } from "./purse.ts";

export const COSTS: Readonly<Record<Cost, number>> = { lookup: 1, list: 2, search: 5 };

export const DEFAULT_LIMITS: Readonly<Required<TokenLimits>> = {
  burst: 2_000,
  daily: 1_000_000,
  parallel: 50,
};

/** How long a request waits for the store to say whether it may. */
const PATIENCE_MS = 1_000;
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
  | { ok: false; code: "rate_limited" | "too_many_parallel" | "unavailable"; retryAfterS: number };

interface Usage {
  purse: Purse;
  /** Null where nobody else draws on the same limits. */
  drawing: Drawing | null;
  running: number;
}

interface Request {
  usage: Usage;
  price: Units;
  limits: Required<TokenLimits>;
  now: number;
}

const FREE: Entry = { ok: true, release() {}, refundDaily() {} };

export class RateLimits {
  readonly #service: Readonly<Required<TokenLimits>> | "off";
  readonly #leases: Leases;
  readonly #patienceMs: number;
  readonly #usages = new Map<string, Usage>();
  #sweptAt = 0;

  constructor(service: Readonly<Required<TokenLimits>> | "off", leases: Leases, patienceMs = PATIENCE_MS) {
    this.#service = service;
    this.#leases = leases;
    this.#patienceMs = patienceMs;
  }

  /** A promise only if the store has to be asked first. */
  enter(key: LimitedKey, cost: Cost, now: number): Entry | Promise<Entry> {
    if (this.#service === "off") return FREE;
    this.#sweep(now);
    const usage = this.#usageOf(key.keyId);
    const limits = limitsOf(this.#service, key.limits);
    if (usage.running >= limits.parallel) return { ok: false, code: "too_many_parallel", retryAfterS: 1 };
    // Whoever waits has its place already: else any number could wait.
    usage.running += 1;
    const request = { usage, price: priceWithin(limits, cost), limits, now };
    const payment = this.#pay(request);
    if (payment instanceof Promise) return payment.then((outcome) => this.#admit(request, outcome));
    return this.#admit(request, payment);
  }

  #pay({ usage: { purse, drawing }, price, limits, now }: Request): Payment | Promise<Payment> {
    if (purse.spend(price, now)) {
      drawing?.fillUp(limits, now);
      return "paid";
    }
    if (this.#leases.shared) return drawing?.pay(price, limits, now) ?? "away";
    const lacking = purse.lacking(price);
    const ask = purse.ask(limits, { need: lacking, want: lacking, ahead: NOTHING });
    keepOwn(purse, ask, this.#leases.lease(ask, now));
    return purse.spend(price, now) ? "paid" : "spent";
  }

  #admit(request: Request, payment: Payment): Entry {
    const { usage, price, limits, now } = request;
    if (payment === "paid") return this.#admission(request);
    usage.running -= 1;
    if (payment === "away") return { ok: false, code: "unavailable", retryAfterS: 1 };
    return { ok: false, code: "rate_limited", retryAfterS: usage.purse.secondsUntil(price, limits, now) };
  }

  #admission({ usage, price, limits, now }: Request): Entry {
    const { day } = usage.purse;
    let released = false;
    let refunded = false;
    return {
      ok: true,
      release() {
        if (released) return;
        released = true;
        usage.running -= 1;
      },
      refundDaily: () => {
        if (refunded) return;
        refunded = true;
        usage.purse.refundDaily(price.daily, day);
        if (this.#leases.shared) return;
        const ask = usage.purse.giveBack(limits);
        keepOwn(usage.purse, ask, this.#leases.lease(ask, now));
      },
    };
  }

  /** What the caller is told of its limits with every answer; nothing when there are none. */
  headers(key: LimitedKey, now: number): Record<string, string> {
    if (this.#service === "off") return {};
    const limits = limitsOf(this.#service, key.limits);
    const policy = `"burst";q=${limits.burst};w=${BURST_MS / 1000}, "daily";q=${limits.daily};w=${DAY_MS / 1000}`;
    const standing = this.#usages.get(key.keyId)?.purse.standing(limits, now) ?? this.#unused(limits, now);
    if (standing === null) return { "RateLimit-Policy": policy };
    const burstLeft = Math.floor(standing.level / BURST_MS);
    const missing = limits.burst * BURST_MS - standing.level;
    const secondsToFull = missing <= 0 ? 0 : Math.ceil(missing / limits.burst / 1000);
    return {
      "RateLimit-Policy": policy,
      RateLimit: `"burst";r=${burstLeft};t=${secondsToFull}, "daily";r=${standing.dailyLeft};t=${standing.secondsLeftToday}`,
    };
  }

  /** A token that never asked has everything; where others serve it too, only the store knows whether it did. */
  #unused(limits: Units, now: number): Standing | null {
    if (this.#leases.shared) return null;
    const secondsLeftToday = Math.ceil(((dayOf(now) + 1) * DAY_MS - now) / 1000);
    return { level: limits.burst * BURST_MS, dailyLeft: limits.daily, secondsLeftToday };
  }

  /** To be called about twice a second where limits are shared: idle shares go back to the store. */
  settle(now: number): void {
    for (const { drawing } of this.#usages.values()) drawing?.settle(now);
  }

  /** Gives all shares back. */
  async close(now: number): Promise<void> {
    await Promise.all(Array.from(this.#usages.values(), async ({ drawing }) => drawing?.close(now)));
  }

  /** Tokens whose use is being remembered here. */
  get size(): number {
    return this.#usages.size;
  }

  #usageOf(keyId: string): Usage {
    let usage = this.#usages.get(keyId);
    if (usage === undefined) {
      const purse = new Purse(keyId);
      const drawing = this.#leases.shared ? new Drawing(purse, this.#leases, this.#patienceMs) : null;
      this.#usages.set(keyId, (usage = { purse, drawing, running: 0 }));
    }
    return usage;
  }

  /** Forgets tokens that hold nothing and have not asked for a while: the store remembers what they used. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_MS && now >= this.#sweptAt) return;
    this.#sweptAt = now;
    for (const [keyId, { purse, drawing, running }] of this.#usages) {
      if (running === 0 && now - purse.askedAt >= BURST_MS && drawing?.isIdle !== false) this.#usages.delete(keyId);
    }
  }
}

/** The bucket's clock is our own, so its word is of the time that it says. */
function keepOwn(purse: Purse, ask: LeaseAsk, lease: Lease): void {
  purse.keep(ask, lease, lease.refilledAt);
}

function limitsOf(service: Required<TokenLimits>, own: TokenLimits): Required<TokenLimits> {
  return {
    burst: own.burst ?? service.burst,
    daily: own.daily ?? service.daily,
    parallel: own.parallel ?? service.parallel,
  };
}

/** A limit below the cost of a search would shut searches out for ever: the whole of it pays for one. */
function priceWithin({ burst, daily }: Units, cost: Cost): Units {
  return { burst: Math.max(1, Math.min(COSTS[cost], burst)), daily: Math.max(1, Math.min(COSTS[cost], daily)) };
}
