/** Keeps counts until anything is written: those of a list of 100,000 posts take milliseconds, and a batch may ask for 100. */
import type { Natives } from "#store/records/port.ts";
import type { Reader } from "#store/store.ts";

const MAX_COUNTS = 1_000;

export interface CountCacheOptions {
  /** Changes with every write to the store. */
  dataVersion: () => number;
  /** For a store that may learn late of another node's write. */
  maxAgeMs?: number;
}

export function cacheCounts<N extends Natives>(reader: Reader<N>, options: CountCacheOptions): Reader<N> {
  const counts = new CountCache(options);
  return {
    ...reader,
    countPosts: (list, key) => counts.get(`${list} ${key}`, () => reader.countPosts(list, key)),
    countComments: (postId) => counts.get(`comments ${postId}`, () => reader.countComments(postId)),
    countFollowing: (followerId) => counts.get(`following ${followerId}`, () => reader.countFollowing(followerId)),
    countFollowers: (accountId) => counts.get(`followers ${accountId}`, () => reader.countFollowers(accountId)),
  };
}

class CountCache {
  readonly #options: CountCacheOptions;
  readonly #counts = new Map<string, Promise<unknown>>();
  #version: number | null = null;
  #emptiedAt = 0;

  constructor(options: CountCacheOptions) {
    this.#options = options;
  }

  /** `count` must read what is stored when it is called, or later. */
  get<Count>(key: string, count: () => Promise<Count>): Promise<Count> {
    this.#dropStale();
    const kept = this.#counts.get(key) as Promise<Count> | undefined;
    if (kept !== undefined) return kept;
    const counted = count();
    this.#counts.set(key, counted);
    counted.catch(() => this.#counts.delete(key));
    return counted;
  }

  #dropStale(): void {
    const { dataVersion, maxAgeMs = Number.POSITIVE_INFINITY } = this.#options;
    const version = dataVersion();
    const now = performance.now();
    const isFresh = version === this.#version && now - this.#emptiedAt < maxAgeMs;
    if (isFresh && this.#counts.size < MAX_COUNTS) return;
    this.#counts.clear();
    this.#version = version;
    this.#emptiedAt = now;
  }
}
