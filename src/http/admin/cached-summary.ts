/** What the store holds, counted no more often than its size allows: however many look, counting takes a tenth of a core. */
import type { Store, StoreSummary } from "#store/store.ts";

const MIN_AGE_MS = 2_000;
/** How long a count is used, as a multiple of the time it took. */
const AGE_PER_DURATION = 10;
/** A count that takes longer is not waited for while there is an older one. */
const MAX_WAIT_MS = 250;

export interface CountedSummary extends StoreSummary {
  /** Unix milliseconds. */
  countedAt: number;
}

export class CachedSummary {
  readonly #store: Pick<Store, "summary">;
  #latest: (CountedSummary & { durationMs: number }) | null = null;
  #counting: Promise<CountedSummary> | null = null;

  constructor(store: Pick<Store, "summary">) {
    this.#store = store;
  }

  async get(now: number): Promise<CountedSummary> {
    const latest = this.#latest;
    const maxAge = Math.max(MIN_AGE_MS, AGE_PER_DURATION * (latest?.durationMs ?? 0));
    // The clock may have been set back.
    if (latest !== null && Math.abs(now - latest.countedAt) < maxAge) return latest;
    const counting = (this.#counting ??= this.#count(now).finally(() => {
      this.#counting = null;
    }));
    if (latest === null || latest.durationMs <= MAX_WAIT_MS) return counting;
    // Its failure is that of the next request.
    counting.catch(() => undefined);
    return latest;
  }

  async #count(now: number): Promise<CountedSummary> {
    const startedAt = performance.now();
    const summary = await this.#store.summary(now);
    const counted = { ...summary, countedAt: now };
    this.#latest = { ...counted, durationMs: performance.now() - startedAt };
    return counted;
  }
}
