/** Stops calls to a source that keeps failing, for a time that grows with every further failure. */

const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;
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
  #reason: string | null = null;

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
    const reason = this.#reason ?? "failed repeatedly";
    if (leftMs > 0) return { reason, retryAfterMs: leftMs };
    return this.#openings > 0 && this.#isProbing ? { reason, retryAfterMs: PROBE_RETRY_MS } : null;
  }

  /** The one call after a pause was not made. */
  release(): void {
    this.#isProbing = false;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openings = 0;
    this.#isProbing = false;
    this.#reason = null;
  }

  failed(reason: string): void {
    // A call that began before the pause: it says nothing new.
    if (this.#isPaused) return;
    this.#failures++;
    this.#isProbing = false;
    if (this.#failures < FAILURES_TO_OPEN && this.#openings === 0) return;
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** this.#openings, MAX_PAUSE_MS);
    // Half of it at least: with full jitter, the shortest pause would be none.
    this.pauseFor(longest * (0.5 + this.#random() / 2), reason);
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
