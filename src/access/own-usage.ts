/** Paid out of a bucket that nobody else draws on: at once, in place, and without a share. */
import { type Bucket, BURST_MS, dailyLeftAt, dayAt, levelAt, refundDaily, take, type Units } from "#domain/bucket.ts";
import type { OwnLeases } from "#store/store.ts";
import type { Payment } from "./drawing.ts";
import { secondsLeftOf, UNUSED } from "./standing.ts";
import type { Terms } from "./terms.ts";
import type { Usage } from "./usage.ts";

export class OwnUsage implements Usage {
  terms: Terms;
  running = 0;
  readonly #keyId: string;
  readonly #leases: OwnLeases;
  /** As of the last payment. */
  #bucket: Bucket | null = null;

  constructor(keyId: string, terms: Terms, leases: OwnLeases) {
    this.#keyId = keyId;
    this.terms = terms;
    this.#leases = leases;
  }

  get isKnown(): boolean {
    return this.#bucket !== null;
  }

  get day(): number {
    return this.#bucket?.day ?? 0;
  }

  pay(price: Units, terms: Terms, now: number): Payment {
    const bucket = this.#leases.bucketOf(this.#keyId, terms, now);
    this.#bucket = bucket;
    return take(bucket, price, terms, now) ? "paid" : "spent";
  }

  refundDaily(units: number, day: number): void {
    if (this.#bucket !== null) refundDaily(this.#bucket, units, day);
  }

  levelAt(burst: number, now: number): number {
    const bucket = this.#bucket;
    return bucket === null ? UNUSED.levelAt(burst, now) : levelAt(bucket, burst, bucket.leased, now);
  }

  dailyLeftAt(daily: number, now: number): number {
    return this.#bucket === null ? UNUSED.dailyLeftAt(daily, now) : dailyLeftAt(this.#bucket, daily, now);
  }

  secondsLeftTodayAt(now: number): number {
    return this.#bucket === null ? UNUSED.secondsLeftTodayAt(now) : secondsLeftOf(dayAt(this.#bucket, now), now);
  }

  isForgettable(now: number): boolean {
    return this.running === 0 && (this.#bucket === null || now - this.#bucket.refilledAt >= BURST_MS);
  }

  settle(): void {}

  async close(): Promise<void> {}
}
