/**
 * LRU cache of operation responses, valid until something is written to the store. The key is the request, the client's
 * scopes and the encoding. operation-handler.ts decides what may be cached.
 */
import { LRUCache } from "lru-cache";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import type { TemplateBody } from "./encode-response.ts";
import type { Encoding } from "./negotiation.ts";

export interface CachedResponse {
  etag: string;
  /** Without headers that belong to one request or client. */
  headers: Readonly<Record<string, string>>;
  /** Bytes to send as they are, or a template that each request fills in. */
  body: Buffer | TemplateBody;
  encoding: Encoding | null;
  /** Of the newest record, Unix milliseconds. */
  capturedAt: number | null;
  /** The only minute in which it is valid; null for the whole hour. */
  minute: number | null;
}

export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE_MS);
}

export interface CacheOptions {
  /** 0 disables the cache. */
  maxBytes: number;
  /** For a store that may learn late of another node's write; null if `dataVersion` is exact. */
  maxAgeMs: number | null;
  /** Changes with every write to the store; null if unknown. */
  dataVersion(): number | null;
}

export interface CacheKey {
  request: string;
  /** Of the store, read before the response was computed: a later write makes the response stale. */
  version: string;
  minute: number;
}

/** Estimated size of an entry without its key and body. */
const ENTRY_BYTES = 512;
/** Of the cache, for one response. */
const MAX_ENTRY_SHARE = 1 / 32;

export class ResponseCache {
  readonly #options: CacheOptions;
  readonly #entries: LRUCache<string, CachedResponse> | null;
  #version: string | null = null;

  constructor(options: CacheOptions) {
    const { maxBytes, maxAgeMs } = options;
    this.#options = options;
    this.#entries =
      maxBytes === 0
        ? null
        : new LRUCache({
            maxSize: maxBytes,
            maxEntrySize: Math.floor(maxBytes * MAX_ENTRY_SHARE),
            sizeCalculation: ({ body }, key) => ENTRY_BYTES + key.length + body.length,
            ...(maxAgeMs !== null && { ttl: maxAgeMs, ttlResolution: 0 }),
          });
  }

  /** Null if nothing can be cached. Clears the cache if the store has changed. */
  key(request: string, now: number): CacheKey | null {
    if (this.#entries === null) return null;
    this.dropStale(now);
    return this.#version === null ? null : { request, version: this.#version, minute: minuteOf(now) };
  }

  /** Clears the cache if the store has changed. Also called without requests, so that erased data leaves the memory. */
  dropStale(now: number): void {
    const dataVersion = this.#dataVersion();
    const version = dataVersion === null ? null : `${dataVersion} ${Math.floor(now / HOUR_MS)}`;
    if (version === this.#version) return;
    this.#version = version;
    this.#entries?.clear();
  }

  /** In this encoding if cached, else unencoded. */
  get(key: CacheKey | null, encoding: Encoding | null): CachedResponse | undefined {
    if (key === null || this.#entries === null) return undefined;
    const encoded = encoding === null ? undefined : this.#entries.get(`${encoding} ${key.request}`);
    const found = encoded ?? this.#entries.get(key.request);
    return found === undefined || found.minute === null || found.minute === key.minute ? found : undefined;
  }

  /** Returns false if the response cannot be stored. */
  set(key: CacheKey | null, response: CachedResponse): boolean {
    if (key === null || this.#entries === null || key.version !== this.#version) return false;
    const { encoding } = response;
    const name = encoding === null ? key.request : `${encoding} ${key.request}`;
    this.#entries.set(name, response);
    // The library drops an entry that is too large.
    return this.#entries.has(name);
  }

  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  #dataVersion(): number | null {
    try {
      return this.#options.dataVersion();
    } catch {
      // The request itself will report what is wrong with the store.
      return null;
    }
  }
}
