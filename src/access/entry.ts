/** What a request is told at the door. */
import type { Usage } from "./usage.ts";

export type Entry = Admitted | Refused;

export interface Admitted {
  readonly ok: true;
  /** Gives the place among the parallel requests back; further calls do nothing. */
  release(): void;
  /** Gives back what was taken of the day, as for an answer of 304; further calls do nothing. */
  refundDaily(): void;
}

export interface Refused {
  readonly ok: false;
  readonly code: "rate_limited" | "too_many_parallel" | "unavailable";
  readonly retryAfterS: number;
}

/** Where there are no limits. */
export const FREE: Admitted = { ok: true, release() {}, refundDaily() {} };
export const CROWDED: Refused = Object.freeze({ ok: false, code: "too_many_parallel", retryAfterS: 1 });
export const AWAY: Refused = Object.freeze({ ok: false, code: "unavailable", retryAfterS: 1 });

export class Admission implements Admitted {
  readonly ok = true;
  readonly #usage: Usage;
  readonly #daily: number;
  readonly #day: number;
  #released = false;
  #refunded = false;

  /** Made as soon as it is paid: what was taken is of the usage's day. */
  constructor(usage: Usage, daily: number) {
    this.#usage = usage;
    this.#daily = daily;
    this.#day = usage.day;
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#usage.running -= 1;
  }

  refundDaily(): void {
    if (this.#refunded) return;
    this.#refunded = true;
    this.#usage.refundDaily(this.#daily, this.#day);
  }
}
