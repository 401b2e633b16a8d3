/**
 * Buckets of an embedded store: its one process is alone with them, so they live in its memory and are full again after
 * a restart. Nothing is written for a request.
 */
import {
  type Bucket,
  BURST_MS,
  dayOf,
  fullBucket,
  lease,
  type Lease,
  type LeaseAsk,
  type Units,
} from "#domain/bucket.ts";
import type { OwnLeases } from "../store.ts";

const SWEEP_MS = 60_000;

export class MemoryLeases implements OwnLeases {
  readonly shared = false;
  readonly #buckets = new Map<string, Bucket>();
  #sweptAt = 0;

  lease(ask: LeaseAsk, now: number): Lease {
    const bucket = this.bucketOf(ask.keyId, ask.limits, now);
    const granted = lease(bucket, ask, now);
    const { level, refilledAt, leased, day, used } = bucket;
    return { granted, level, refilledAt, leased, day, used };
  }

  bucketOf(keyId: string, limits: Units, now: number): Bucket {
    this.#sweep(now);
    let bucket = this.#buckets.get(keyId);
    if (bucket === undefined) this.#buckets.set(keyId, (bucket = fullBucket(limits, now)));
    return bucket;
  }

  /** Tokens whose use is being remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Forgets tokens that stand as if they had never asked. What was used of today is kept until midnight. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_MS && now >= this.#sweptAt) return;
    this.#sweptAt = now;
    for (const [keyId, { refilledAt, day, used }] of this.#buckets) {
      if (now - refilledAt >= BURST_MS && (used === 0 || dayOf(now) > day)) this.#buckets.delete(keyId);
    }
  }
}
