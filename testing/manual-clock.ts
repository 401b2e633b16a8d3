/** A clock that tests move: time passes on both of its hands, and only one of them can be set. */
import type { Clock } from "#rate-limit/clock.ts";

export class ManualClock implements Clock {
  #monotonic = 0;
  #utc: number;

  constructor(utc: number) {
    this.#utc = utc;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  utc(): number {
    return this.#utc;
  }

  pass(ms: number): void {
    this.#monotonic += ms;
    this.#utc += ms;
  }

  /** As an operator or NTP does; negative for back. */
  set(byMs: number): void {
    this.#utc += byMs;
  }
}
