/** Limits requests without a valid token, per address and minute. A valid token is never refused for the failures of others. */
import { LRUCache } from "lru-cache";
import { MINUTE_MS } from "#domain/time.ts";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import { networkOf } from "./client-network.ts";

/** Bounds the memory that an attacker with many addresses can take. */
const MAX_ADDRESSES = 10_000;

interface Window {
  failures: number;
  endsAt: number;
}

export class FailedAttempts {
  readonly #max: number;
  readonly #clock: Clock;
  /** By size: `max` would allocate room for all addresses at once. */
  readonly #windows = new LRUCache<string, Window>({ maxSize: MAX_ADDRESSES, sizeCalculation: () => 1 });

  constructor(maxPerMinute: number, clock: Clock = SYSTEM_CLOCK) {
    this.#max = maxPerMinute;
    this.#clock = clock;
  }

  /** Counts one. Returns after how many seconds the address may try again, or null if it has attempts left. */
  count(address: string): number | null {
    const key = networkOf(address);
    const now = this.#clock.monotonic();
    let window = this.#windows.get(key);
    if (window === undefined || now >= window.endsAt)
      this.#windows.set(key, (window = { failures: 0, endsAt: now + MINUTE_MS }));
    window.failures++;
    return window.failures > this.#max ? Math.ceil((window.endsAt - now) / 1_000) : null;
  }
}
