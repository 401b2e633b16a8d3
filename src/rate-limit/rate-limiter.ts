/**
 * Rate limits per token: a token bucket of ten seconds, a quota per UTC day, and concurrent requests. Decisions are local
 * and synchronous; processes that share tokens exchange their spending every 400 ms. If they cannot, each continues
 * with its own buckets for a minute, then rejects.
 */
import type { Cost } from "#api/endpoint.ts";
import type { RateLimitExchange } from "#domain/rate-bucket.ts";
import type { TokenLimits } from "#domain/token.ts";
import { type Admission, TOO_MANY_CONCURRENT, UNAVAILABLE, UNLIMITED } from "./admission.ts";
import { Bucket, EXCHANGE_MS } from "./bucket.ts";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import { EffectiveLimits, type Limits } from "./effective-limits.ts";

export const MAX_UNREPORTED_MS = 60_000;
const SWEEP_MS = 60_000;

/** A token; each of its own limits overrides the service's. */
export interface RateLimitKey {
  keyId: string;
  limits: TokenLimits;
}

/** Empty when limits are off. */
export type RateLimitHeaders = Partial<Record<"ratelimit-policy" | "ratelimit", string>>;

const NO_HEADERS: RateLimitHeaders = {};

export class RateLimiter {
  readonly #defaults: Limits | null;
  readonly #shared: RateLimitExchange | null;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();
  /** The store's UTC clock minus our monotonic one; null until known. */
  #utcOffset: number | null = null;
  #inFlight: Promise<void> | null = null;
  #isDue = false;
  #isReachable = true;
  #sweptAt = Number.NEGATIVE_INFINITY;

  /** Without an exchange this is the only process. */
  constructor(defaults: Limits | "off", shared: RateLimitExchange | null = null, clock: Clock = SYSTEM_CLOCK) {
    this.#defaults = defaults === "off" ? null : defaults;
    this.#shared = shared;
    this.#clock = clock;
  }

  acquire(key: RateLimitKey, cost: Cost): Admission {
    if (this.#defaults === null) return UNLIMITED;
    this.#sweep();
    let bucket = this.#buckets.get(key.keyId);
    if (bucket === undefined) this.#buckets.set(key.keyId, (bucket = this.#newBucket(key, this.#defaults)));
    if (bucket.limits.own !== key.limits) bucket.limits = new EffectiveLimits(this.#defaults, key.limits);
    if (bucket.running >= bucket.limits.concurrency) return TOO_MANY_CONCURRENT;
    this.#advance(bucket);
    if (this.#shared !== null && bucket.unreportedMs >= MAX_UNREPORTED_MS) return UNAVAILABLE;
    const admission = bucket.acquire(cost);
    // While the store is unreachable, only the timer retries.
    if (this.#shared !== null && this.#isReachable && bucket.isDue) {
      if (this.#inFlight === null) void this.exchange();
      else this.#isDue = true;
    }
    return admission;
  }

  headers(key: RateLimitKey): RateLimitHeaders {
    if (this.#defaults === null) return NO_HEADERS;
    const bucket = this.#buckets.get(key.keyId) ?? this.#newBucket(key, this.#defaults);
    this.#advance(bucket);
    return { "ratelimit-policy": bucket.limits.policy, ratelimit: bucket.header() };
  }

  /** Exchanges periodically. Returns a stop function that reports the remaining spending. */
  start(): () => Promise<void> {
    if (this.#shared === null) return async () => undefined;
    const timer = setInterval(() => void this.exchange(), EXCHANGE_MS);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await this.#inFlight;
      await this.exchange();
    };
  }

  /** Reports the spending of all active tokens and takes over their balances. On failure the next exchange reports it. */
  exchange(): Promise<void> {
    this.#inFlight ??= this.#exchangeActive().finally(() => {
      this.#inFlight = null;
      if (this.#isDue && this.#isReachable) void this.exchange();
      this.#isDue = false;
    });
    return this.#inFlight;
  }

  async #exchangeActive(): Promise<void> {
    if (this.#shared === null) return;
    const sent = new Map<string, Bucket>();
    for (const [keyId, bucket] of this.#buckets) {
      this.#advance(bucket);
      if (bucket.needsExchange) sent.set(keyId, bucket);
    }
    if (sent.size === 0) return;
    try {
      const balances = await this.#shared.exchange(Array.from(sent, ([keyId, bucket]) => bucket.report(keyId)));
      for (const balance of balances) {
        this.#utcOffset = balance.at - this.#clock.monotonic();
        const bucket = sent.get(balance.keyId);
        if (bucket === undefined) continue;
        this.#advance(bucket);
        bucket.adopt(balance);
      }
      this.#isReachable = true;
    } catch {
      this.#isReachable = false;
    }
  }

  /** Number of tokens. */
  get size(): number {
    return this.#buckets.size;
  }

  #newBucket(key: RateLimitKey, defaults: Limits): Bucket {
    return new Bucket(new EffectiveLimits(defaults, key.limits), this.#clock.monotonic());
  }

  #advance(bucket: Bucket): void {
    const now = this.#clock.monotonic();
    bucket.advance(now, this.#utcOffset === null ? this.#clock.utc() : now + this.#utcOffset);
  }

  #sweep(): void {
    const now = this.#clock.monotonic();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    for (const [keyId, bucket] of this.#buckets) {
      this.#advance(bucket);
      if (bucket.isUnused) this.#buckets.delete(keyId);
    }
  }
}
