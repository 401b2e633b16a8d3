/**
 * How far the primary had written at which time, so that it can be told how far behind a replica is. No clock of a
 * server is asked: both times are this process's own, in milliseconds that never go back.
 */

/** Enough to tell seconds apart within any allowed lag. */
const MOST_SAMPLES = 500;

interface Sample {
  /** Bytes of write-ahead log. */
  position: number;
  /** All that was written before this time is within the position. */
  at: number;
}

export class WalLagTracker {
  #samples: Sample[] = [];
  /** The primary's own last word. */
  #primary = -1;

  /** `askedAt` is when the question was sent. */
  notePrimary(position: number, askedAt: number): void {
    // Another server under the same address, with a history of its own.
    if (position < this.#primary) this.#samples = [];
    this.#primary = position;
    const newest = this.#samples.at(-1);
    if (newest?.position === position) newest.at = askedAt;
    else this.#add({ position, at: askedAt });
  }

  /** A replica that is ahead of what is known shows that others are behind, but not that nothing newer was written. */
  noteReplica(position: number): void {
    const newest = this.#samples.at(-1);
    if (newest !== undefined) this.#add({ position, at: newest.at });
  }

  #add(sample: Sample): void {
    const newest = this.#samples.at(-1);
    if (newest !== undefined && sample.position <= newest.position) return;
    this.#samples.push(sample);
    // Fewer samples make a lag look longer, never shorter.
    if (this.#samples.length > MOST_SAMPLES) this.#samples = this.#samples.filter((_, number) => number % 2 === 0);
  }

  /** All that was written before this time has been replayed by a replica at this position. */
  coveredUntil(position: number): number {
    return this.#samples.findLast((sample) => sample.position <= position)?.at ?? Number.NEGATIVE_INFINITY;
  }

  /** 0 for a replica that has replayed all that is known of. */
  lag(position: number, now: number): number {
    const newest = this.#samples.at(-1);
    if (newest === undefined) return Number.POSITIVE_INFINITY;
    return position >= newest.position ? 0 : now - this.coveredUntil(position);
  }
}
