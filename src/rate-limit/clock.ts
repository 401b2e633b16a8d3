/** The limiter's two clocks, in whole milliseconds: buckets refill by the first, days start by the second. */
export interface Clock {
  /** Unaffected by setting the system clock. */
  monotonic(): number;
  utc(): number;
}

export const SYSTEM_CLOCK: Clock = { monotonic: () => Math.floor(performance.now()), utc: () => Date.now() };
