/**
 * Responses of operations, kept until something is written to the store. Entries are told apart by request, scopes and
 * encoding; the least recently used go first. operation-handler.ts decides what may be cached.
 */
import { LRUCache } from "lru-cache";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import type { TemplateBody } from "./encode-response.ts";
import type { Encoding } from "./negotiation.ts";

export interface CachedResponse {
  etag: string;
  /** Of the representation; none that belong to one request or client. */
  headers: Readonly<Record<string, string>>;
  /** Bytes to be sent as they are, or a template that each request fills in. */
  body: Buffer | TemplateBody;
  encoding: Encoding | null;
  /** The only minute in which it is valid; null for the whole hour. */
  minute: number | null;
}

export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE_MS);
}

export interface CacheOptions {
  /** 0 disables the cache. */
  maxBytes: number;
  /** For a store that may learn late of a write by another node; null where `dataVersion` is exact. */
  maxAgeMs: number | null;
  /** Changes with every write to the store; null where that cannot be told. */
  dataVersion(): number | null;
}

/** What a request may find or leave in the cache. */
export interface CacheKey {
  request: string;
  /** The store's before the response was computed: a write since then has made it stale. */
  version: string;
  minute: number;
}

/** Roughly what an entry takes beside its key and body. */
const ENTRY_BYTES = 512;
/** No response takes more of the cache than this share. */
const LARGEST_SHARE = 1 / 32;
export class ResponseCache {
  readonly #options: CacheOptions;
  readonly #entries: LRUCache<string, CachedResponse> | null;
  #version = "";

  constructor(options: CacheOptions) {
    const { maxBytes, maxAgeMs } = options;
    this.#options = options;
    this.#entries =
      maxBytes === 0
        ? null
        : new LRUCache({
            maxSize: maxBytes,
            maxEntrySize: Math.floor(maxBytes * LARGEST_SHARE),
            sizeCalculation: ({ body }, key) => ENTRY_BYTES + key.length + body.length,
            ...(maxAgeMs !== null && { ttl: maxAgeMs, ttlResolution: 0 }),
          });
  }

  /** Null where nothing can be cached. Drops everything that is older than the store. */
  key(request: string, now: number): CacheKey | null {
    const version = this.#versionAt(now);
    return version === null || this.#entries === null ? null : { request, version, minute: minuteOf(now) };
  }

  /** Also called while nobody asks, so that nothing of an erased person stays in memory. */
  dropStale(now: number): void {
    this.#versionAt(now);
  }

  /** In this encoding, else as it is. */
  get(key: CacheKey | null, encoding: Encoding | null): CachedResponse | undefined {
    if (key === null || this.#entries === null) return undefined;
    const encoded = encoding === null ? undefined : this.#entries.get(`${encoding} ${key.request}`);
    const found = encoded ?? this.#entries.get(key.request);
    return found === undefined || found.minute === null || found.minute === key.minute ? found : undefined;
  }

  /** False where it is not kept. */
  set(key: CacheKey | null, response: CachedResponse): boolean {
    if (key === null || this.#entries === null || key.version !== this.#version) return false;
    const { encoding } = response;
    this.#entries.set(encoding === null ? key.request : `${encoding} ${key.request}`, response);
    return true;
  }

  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  #versionAt(now: number): string | null {
    let stored: number | null = null;
    try {
      stored = this.#options.dataVersion();
    } catch {
      // The request itself will find out what is wrong with the store.
    }
    const version = stored === null ? null : `${stored} ${Math.floor(now / HOUR_MS)}`;
    if (version !== this.#version) {
      this.#version = version ?? "";
      this.#entries?.clear();
    }
    return version;
  }
}
