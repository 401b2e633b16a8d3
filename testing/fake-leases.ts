/** A store's leases as tests need them: every lease is a round trip that can be held up or fail. */
import { type Bucket, fullBucket, lease, type Lease, type LeaseAsk } from "#domain/bucket.ts";
import type { SharedLeases } from "#store/store.ts";

export class FakeLeases implements SharedLeases {
  readonly shared = true;
  readonly buckets = new Map<string, Bucket>();
  readonly asked: LeaseAsk[] = [];
  now: number;
  #away = false;
  #held: (() => void)[] | null = null;

  constructor(now: number) {
    this.now = now;
  }

  async lease(ask: LeaseAsk): Promise<Lease> {
    this.asked.push(ask);
    if (this.#away) throw new Error("the store is away");
    const held = this.#held;
    await new Promise<void>((resolve) => (held === null ? queueMicrotask(resolve) : held.push(resolve)));
    let bucket = this.buckets.get(ask.keyId);
    if (bucket === undefined) this.buckets.set(ask.keyId, (bucket = fullBucket(ask.limits, this.now)));
    const granted = lease(bucket, ask, this.now);
    return { ...bucket, granted };
  }

  goAway(): void {
    this.#away = true;
  }

  /** From now on nothing is answered. */
  hang(): void {
    this.#held = [];
  }

  /** All that was asked meanwhile is answered, and all that follows. */
  comeBack(): void {
    this.#away = false;
    for (const answer of this.#held ?? []) answer();
    this.#held = null;
  }
}
