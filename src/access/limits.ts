/**
 * How much a token may ask: a bucket that refills over ten seconds, a quota of the UTC day, and a number of requests at
 * once. Bucket and day are the store's, for all nodes that share it, and are spent from memory; requests at once are
 * counted by each node for itself. Time is always passed in (Unix milliseconds). A refused request costs nothing.
 */
import type { Cost } from "#contract/endpoint.ts";
import type { TokenLimits } from "#domain/token.ts";
import type { Leases } from "#store/store.ts";
import type { Payment } from "./drawing.ts";
import { Admission, AWAY, CROWDED, type Entry, FREE } from "./entry.ts";
import { OwnUsage } from "./own-usage.ts";
import { SharedUsage } from "./shared-usage.ts";
import { secondsUntil, StandingText, UNUSED } from "./standing.ts";
import { Terms } from "./terms.ts";
import type { Usage } from "./usage.ts";

export type { Entry } from "./entry.ts";
export { COSTS } from "./terms.ts";

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

export class RateLimits {
  readonly #service: Readonly<Required<TokenLimits>> | null;
  readonly #leases: Leases;
  readonly #patienceMs: number;
  readonly #usages = new Map<string, Usage>();
  readonly #standingText = new StandingText();
  #sweptAt = 0;

  constructor(service: Readonly<Required<TokenLimits>> | "off", leases: Leases, patienceMs = PATIENCE_MS) {
    this.#service = service === "off" ? null : service;
    this.#leases = leases;
    this.#patienceMs = patienceMs;
  }

  /** A promise only if the store has to be asked first. */
  enter(key: LimitedKey, cost: Cost, now: number): Entry | Promise<Entry> {
    const service = this.#service;
    if (service === null) return FREE;
    this.#sweep(now);
    const usage = this.#usageOf(key, service);
    const { terms } = usage;
    if (usage.running >= terms.parallel) return CROWDED;
    // Whoever waits has its place already: else any number could wait.
    usage.running += 1;
    const payment = usage.pay(terms.prices[cost], terms, now);
    if (payment === "paid") return new Admission(usage, terms.prices[cost].daily);
    if (payment instanceof Promise) return payment.then((outcome) => settled(outcome, usage, terms, cost, now));
    return settled(payment, usage, terms, cost, now);
  }

  /** The RateLimit-Policy header; null when there are no limits. */
  policyOf(key: LimitedKey): string | null {
    if (this.#service === null) return null;
    return termsFor(key, this.#usages.get(key.keyId), this.#service).policy;
  }

  /** The RateLimit header: null when there are no limits, or where only the store knows and has not been asked. */
  standingOf(key: LimitedKey, now: number): string | null {
    if (this.#service === null) return null;
    const usage = this.#usages.get(key.keyId);
    const terms = termsFor(key, usage, this.#service);
    if (usage?.isKnown === true) return this.#standingText.of(usage, terms, now);
    return this.#leases.shared ? null : this.#standingText.of(UNUSED, terms, now);
  }

  /** What the caller is told of its limits with every answer; nothing when there are none. */
  headers(key: LimitedKey, now: number): Record<string, string> {
    const policy = this.policyOf(key);
    const standing = this.standingOf(key, now);
    return {
      ...(policy !== null && { "RateLimit-Policy": policy }),
      ...(standing !== null && { RateLimit: standing }),
    };
  }

  /** To be called about twice a second where limits are shared: idle shares go back to the store. */
  settle(now: number): void {
    for (const usage of this.#usages.values()) usage.settle(now);
  }

  /** Gives all shares back. */
  async close(now: number): Promise<void> {
    await Promise.all(Array.from(this.#usages.values(), (usage) => usage.close(now)));
  }

  /** Tokens whose use is being remembered here. */
  get size(): number {
    return this.#usages.size;
  }

  #usageOf(key: LimitedKey, service: Readonly<Required<TokenLimits>>): Usage {
    const known = this.#usages.get(key.keyId);
    const terms = termsFor(key, known, service);
    if (known !== undefined) {
      known.terms = terms;
      return known;
    }
    const usage = this.#leases.shared
      ? new SharedUsage(key.keyId, terms, this.#leases, this.#patienceMs)
      : new OwnUsage(key.keyId, terms, this.#leases);
    this.#usages.set(key.keyId, usage);
    return usage;
  }

  /** Forgets tokens that hold nothing and have not asked for a while: the store remembers what they used. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_MS && now >= this.#sweptAt) return;
    this.#sweptAt = now;
    for (const [keyId, usage] of this.#usages) {
      if (usage.isForgettable(now)) this.#usages.delete(keyId);
    }
  }
}

function settled(payment: Payment, usage: Usage, terms: Terms, cost: Cost, now: number): Entry {
  const price = terms.prices[cost];
  if (payment === "paid") return new Admission(usage, price.daily);
  usage.running -= 1;
  if (payment === "away") return AWAY;
  return { ok: false, code: "rate_limited", retryAfterS: secondsUntil(usage, price, terms, now) };
}

function termsFor(key: LimitedKey, usage: Usage | undefined, service: Readonly<Required<TokenLimits>>): Terms {
  return usage !== undefined && usage.terms.own === key.limits ? usage.terms : new Terms(service, key.limits);
}
