/** Stops calls to a source that keeps failing, for a time that grows with every further failure. */
import { type Backoff, backoffMs } from "#domain/backoff.ts";

const FAILURES_TO_OPEN = 5;
/** With full jitter, the shortest pause would be none. */
const PAUSES: Backoff = { firstMs: 5_000, maxMs: 300_000, jitter: 0.5 };
/** For those who come while the one call after a pause is made. */
const PROBE_RETRY_MS = 1_000;

/** Why no call may be made, and for how long. */
export interface Pause {
  reason: string;
  retryAfterMs: number;
}

export class Breaker {
  readonly #now: () => number;
  readonly #random: () => number;
  #failures = 0;
  #openings = 0;
  #openUntil = 0;
  #isProbing = false;
  #reason = "";

  constructor(now: () => number = Date.now, random: () => number = Math.random) {
    this.#now = now;
    this.#random = random;
  }

  /** Null if a call may be made: after a pause, a single one, whose place this takes. */
  check(): Pause | null {
    const { pause } = this;
    if (pause === null) this.#isProbing = this.#openings > 0;
    return pause;
  }

  /** Null if a call may be made. */
  get pause(): Pause | null {
    const leftMs = this.#openUntil - this.#now();
    if (leftMs > 0) return { reason: this.#reason, retryAfterMs: leftMs };
    return this.#openings > 0 && this.#isProbing ? { reason: this.#reason, retryAfterMs: PROBE_RETRY_MS } : null;
  }

  /** The one call after a pause was not made. */
  release(): void {
    this.#isProbing = false;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openings = 0;
    this.#isProbing = false;
  }

  failed(reason: string): void {
    // A call that began before the pause: it says nothing new.
    if (this.#isPaused) return;
    this.#failures++;
    this.#isProbing = false;
    if (this.#failures < FAILURES_TO_OPEN && this.#openings === 0) return;
    this.pauseFor(backoffMs(this.#openings + 1, PAUSES, this.#random), reason);
  }

  /** Immediately, whatever came before: the source says how long to wait, or does not accept the credentials. */
  pauseFor(ms: number, reason: string): void {
    if (!this.#isPaused || this.#openings === 0) this.#openings++;
    this.#isProbing = false;
    this.#openUntil = Math.max(this.#openUntil, this.#now() + ms);
    this.#reason = reason;
  }

  get #isPaused(): boolean {
    return this.#openUntil > this.#now();
  }
}
