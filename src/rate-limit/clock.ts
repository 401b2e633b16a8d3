/** The two clocks of a limiter: buckets refill by the first, days begin by the second. Whole milliseconds. */
export interface Clock {
  /** Is never set, only ever goes on. */
  monotonic(): number;
  utc(): number;
}

export const SYSTEM_CLOCK: Clock = { monotonic: () => Math.floor(performance.now()), utc: () => Date.now() };
