/**
 * A bounded queue for work that takes long. Tokens take turns, so a token that sends much waits for itself and not before
 * others. A request that would be answered too late is rejected when it arrives, not after the wait.
 */
import { ApiError } from "#errors";

export interface QueueLimits {
  /** How many run at a time; may change. */
  concurrency: () => number;
  /** For the wait and the work together, as far as the work's mean tells. */
  maxMs: number;
}

export interface QueueEvents {
  /** Called with the seconds that a request waited before it started. */
  onStart(waitedS: number): void;
  onShed(reason: ShedReason): void;
}

/** Rejected on arrival, or after the wait turned out longer than expected. */
export type ShedReason = "full" | "timeout";

interface Waiting {
  start: () => void;
  timer: NodeJS.Timeout;
}

/** The mean is of about the last ten. */
const MEAN_SHARE = 0.1;
const FIRST_MEAN_MS = 5;
/**
 * Per unit of concurrency: so few others ahead of it are waited for however slow they are, so that four clients with a
 * request each are answered by any machine. Every one more would add a whole search to what an overloaded service takes.
 */
const MAX_AHEAD_UNTIMED = 2;
const LONGEST_WAIT_MS = 10_000;
const RETRY_AFTER_S = 1;

export class FairQueue {
  readonly #limits: QueueLimits;
  readonly #events: QueueEvents;
  /** By token, the next one first. */
  readonly #waiting = new Map<string, Waiting[]>();
  #running = 0;
  #meanMs = FIRST_MEAN_MS;

  constructor(limits: QueueLimits, events: QueueEvents) {
    this.#limits = limits;
    this.#events = events;
  }

  get length(): number {
    let length = 0;
    for (const waiting of this.#waiting.values()) length += waiting.length;
    return length;
  }

  /** Throws if a request of the token that arrived now would be rejected. Takes no place. */
  refuseIfFull(token: string): void {
    if (this.#running >= this.#limits.concurrency()) this.#longestWait(token);
  }

  async run<Result>(token: string, work: () => Promise<Result>): Promise<Result> {
    const queuedAt = performance.now();
    if (this.#running >= this.#limits.concurrency()) await this.#wait(token);
    else this.#running++;
    const startedAt = performance.now();
    this.#events.onStart((startedAt - queuedAt) / 1_000);
    try {
      return await work();
    } finally {
      this.#meanMs += (performance.now() - startedAt - this.#meanMs) * MEAN_SHARE;
      this.#running--;
      this.#startNext();
    }
  }

  /** In milliseconds; throws if a request that waits behind the others would exceed it. */
  #longestWait(token: string): number {
    const concurrency = this.#limits.concurrency();
    const ahead = this.#countAhead(token);
    const isFew = ahead <= MAX_AHEAD_UNTIMED * concurrency;
    const maxWaitMs = isFew ? LONGEST_WAIT_MS : this.#limits.maxMs - this.#meanMs;
    // One more: those that are running have not ended yet.
    if (((ahead + 1) * this.#meanMs) / concurrency > maxWaitMs) throw this.#shed("full");
    return maxWaitMs;
  }

  /** Resolves when the request may start; it is counted as running then. */
  #wait(token: string): Promise<void> {
    const maxWaitMs = this.#longestWait(token);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        start: resolve,
        timer: setTimeout(() => {
          this.#remove(token, waiting);
          reject(this.#shed("timeout"));
        }, maxWaitMs),
      };
      const queued = this.#waiting.get(token);
      if (queued === undefined) this.#waiting.set(token, [waiting]);
      else queued.push(waiting);
    });
  }

  /** How many start before a request that arrives now. */
  #countAhead(token: string): number {
    const own = this.#waiting.get(token)?.length ?? 0;
    let ahead = 0;
    // Before its turn, each other token has at most one turn more than this one.
    for (const [other, { length }] of this.#waiting) ahead += other === token ? own : Math.min(length, own + 1);
    return ahead;
  }

  #startNext(): void {
    while (this.#running < this.#limits.concurrency()) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const [token, [first, ...rest]] = next;
      // To the end: the others have their turn first.
      this.#waiting.delete(token);
      if (rest.length > 0) this.#waiting.set(token, rest);
      if (first === undefined) continue;
      clearTimeout(first.timer);
      this.#running++;
      first.start();
    }
  }

  #remove(token: string, waiting: Waiting): void {
    const rest = (this.#waiting.get(token) ?? []).filter((other) => other !== waiting);
    if (rest.length > 0) this.#waiting.set(token, rest);
    else this.#waiting.delete(token);
  }

  #shed(reason: ShedReason): ApiError {
    this.#events.onShed(reason);
    return new ApiError("overloaded", `too many searches and long lists are waiting; retry in ${RETRY_AFTER_S} s`, {
      headers: { "retry-after": String(RETRY_AFTER_S) },
    });
  }
}
