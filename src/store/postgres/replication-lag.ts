/**
 * Tells how far a replica lags, from write-ahead log positions that the primary reported over time. All times are
 * monotonic milliseconds of this process; server clocks are not used.
 */

/** Enough to tell seconds apart within any allowed lag. */
const MAX_SAMPLES = 500;

interface Sample {
  /** Bytes of write-ahead log. */
  position: number;
  /** Everything written before this time is at or before the position. */
  at: number;
}

export class WalLagTracker {
  #samples: Sample[] = [];
  #primaryPosition = -1;
  #heardAt = Number.NEGATIVE_INFINITY;

  /** `askedAt` is when the query for the position was sent. */
  notePrimary(position: number, askedAt: number): void {
    // Another server at the same URL, with its own history.
    if (position < this.#primaryPosition) this.#samples = [];
    this.#primaryPosition = position;
    this.#heardAt = askedAt;
    const newest = this.#samples.at(-1);
    if (newest?.position === position) newest.at = askedAt;
    else this.#add({ position, at: askedAt });
  }

  /** When the query that the primary answered last was sent. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** A replica ahead of the known position proves that others lag, but not that nothing newer was written. */
  noteReplica(position: number): void {
    const newest = this.#samples.at(-1);
    if (newest !== undefined) this.#add({ position, at: newest.at });
  }

  #add(sample: Sample): void {
    const newest = this.#samples.at(-1);
    if (newest !== undefined && sample.position <= newest.position) return;
    this.#samples.push(sample);
    // Thinning makes a lag look longer, never shorter.
    if (this.#samples.length > MAX_SAMPLES) this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
  }

  /** A replica at this position has replayed everything written before the returned time. */
  coveredUntil(position: number): number {
    return this.#samples.findLast((sample) => sample.position <= position)?.at ?? Number.NEGATIVE_INFINITY;
  }

  /** Milliseconds; 0 for a replica that has replayed everything known. */
  lag(position: number, now: number): number {
    const newest = this.#samples.at(-1);
    if (newest === undefined) return Number.POSITIVE_INFINITY;
    return position >= newest.position ? 0 : now - this.coveredUntil(position);
  }
}
