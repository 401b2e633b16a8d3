/**
 * Reads through to live sources: a missing record is requested and waited for, a stale one is served and requested
 * behind. The store answers first in any case, and nothing here runs for operations without a source.
 */
import { LRUCache } from "lru-cache";
import type { Result } from "#api/compile-operation.ts";
import type { RawInput } from "#api/input.ts";
import { valueAt } from "#api/paging.ts";
import type { Operation } from "#api/platform.ts";
import { CORRECTION_HEADER, MATCHED_HEADER } from "#api/response-headers.ts";
import { MINUTE_MS } from "#domain/time.ts";
import { withTimeout } from "#domain/with-timeout.ts";
import { ApiError, type ErrorCode, ERRORS } from "#errors";
import { type AskOutcome, type LiveSources, platformOf } from "#live/live-port.ts";

export interface LiveOptions {
  sources: LiveSources;
  /** How long a client waits for a source. */
  deadlineMs: number;
  /** Older records are refreshed. */
  maxAgeMs: number;
  /** The next reads of this process must see what another thread has written. */
  noteWrite(): void;
}

export interface ReadThrough {
  /** Executes the operation, and once more if a source filled what was missing. Starts a refresh of stale records. */
  run<Executed extends Executable>(
    input: RawInput,
    execute: () => Promise<Executed>,
  ): Promise<Executed & { outcome?: AskOutcome }>;
  /** The headers of a response, by the age of its records. Starts a refresh too: the response may come from a cache. */
  headers(input: RawInput, response: Served, now: number): LiveHeaders;
}

interface Executable {
  isNothing: boolean;
  capturedAt: number | null;
}

export interface Served {
  capturedAt: number | null;
  outcome?: AskOutcome | undefined;
}

export interface LiveHeaders {
  /** Seconds since the newest record of the response was captured. */
  age?: string;
  /** A member of Cache-Status (RFC 9211): the store is a cache in front of the source. */
  cacheStatus: string;
}

/** A stale record is not reported again to its source within this time. */
const REFRESH_EVERY_MS = MINUTE_MS;
const MAX_REFRESHES = 10_000;
const MAX_REFRESH_WAIT_MS = 30_000;

/** A chart that is missing names a day, which no source can provide. */
const FILLABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "post_not_found",
  "account_not_found",
  "sound_not_found",
  "hashtag_not_found",
]);

/** Values of the parameters of pages that request the first one. */
const FIRST_PAGE: ReadonlySet<unknown> = new Set([undefined, "", "0", 0]);

/** Returns the error of a record that a source may have. */
async function attempt<Executed>(execute: () => Promise<Executed>): Promise<Executed | ApiError> {
  try {
    return await execute();
  } catch (error) {
    if (!(error instanceof ApiError) || !FILLABLE.has(error.code)) throw error;
    return error;
  }
}

/** Null if no source can fill the operation. */
export function createReadThrough(operation: Operation, live: LiveOptions | null): ReadThrough | null {
  if (live === null || live.sources.sourceOf(operation.name) === null) return null;
  const { sources, deadlineMs, maxAgeMs } = live;
  const { pages } = operation.endpoint;
  const pageParameters = new Set(Object.keys(pages?.next ?? {}));
  const ignored = new Set([...pageParameters, "fields"]);
  const asking = new Map<string, Promise<AskOutcome>>();
  const refreshes = new LRUCache<string, "running" | "done">({ max: MAX_REFRESHES, ttl: REFRESH_EVERY_MS });

  function keyOf(input: RawInput): string {
    const entries = Object.entries(input).filter(([name]) => !ignored.has(name));
    return JSON.stringify(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  const sourceOf = (input: RawInput) => sources.sourceOf(operation.name, platformOf(input));

  /** One question for any number of clients; each waits until its own deadline. */
  function fill(input: RawInput): Promise<AskOutcome> {
    const key = keyOf(input);
    let asked = asking.get(key);
    if (asked === undefined) {
      asked = sources.ask({ operation: operation.name, input, mode: "fill", withinMs: deadlineMs });
      asking.set(key, asked);
      const end = () => void asking.delete(key);
      asked.then(end, end);
    }
    const late = new Error("late");
    return withTimeout(deadlineMs, asked, () => late).catch((error: unknown) => {
      if (error !== late) throw error;
      const source = sourceOf(input);
      if (source === null) return { state: "none" };
      const reason = `did not answer within ${deadlineMs / 1_000} s; what it sends later is stored`;
      return { state: "unavailable", source, reason, retryAfterS: 1 };
    });
  }

  /** Whether a refresh is under way. */
  function refresh(input: RawInput): boolean {
    const key = keyOf(input);
    const state = refreshes.get(key);
    if (state !== undefined) return state === "running";
    refreshes.set(key, "running");
    const end = () => void refreshes.set(key, "done");
    sources.ask({ operation: operation.name, input, mode: "refresh", withinMs: MAX_REFRESH_WAIT_MS }).then(end, end);
    return true;
  }

  /** Returns the source that is asked. */
  function refreshIfStale(input: RawInput, capturedAt: number | null, now: number): string | null {
    if (capturedAt === null || now - capturedAt <= maxAgeMs || !isFirstPage(input)) return null;
    const source = sourceOf(input);
    return source !== null && refresh(input) ? source : null;
  }

  const isFirstPage = (input: RawInput) => [...pageParameters].every((name) => FIRST_PAGE.has(input[name]));

  return {
    async run<Executed extends Executable>(input: RawInput, execute: () => Promise<Executed>) {
      let found = await attempt(execute);
      if (!(found instanceof ApiError) && !(found.isNothing && isFirstPage(input))) {
        refreshIfStale(input, found.capturedAt, Date.now());
        return found;
      }
      const outcome = await fill(input);
      if (outcome.state === "filled") {
        live.noteWrite();
        found = await attempt(execute);
      }
      if (found instanceof ApiError) throw explain(found, outcome);
      return { ...found, outcome };
    },

    headers(input, { capturedAt, outcome }, now) {
      const age = capturedAt === null ? null : Math.max(0, Math.floor((now - capturedAt) / 1_000));
      const ageHeader = age === null ? {} : { age: String(age) };
      if (outcome !== undefined) return { ...ageHeader, cacheStatus: describeOutcome(outcome) };
      if (age === null) return { cacheStatus: "store; hit" };
      const ttl = Math.floor(maxAgeMs / 1_000) - age;
      const source = refreshIfStale(input, capturedAt, now);
      const detail = source === null ? "" : `; detail="refreshing from ${source}"`;
      return { ...ageHeader, cacheStatus: `store; hit; ttl=${ttl}${detail}` };
    },
  };
}

/** Nothing stored of what was asked for, an empty list, or only what another spelling or some of the words found. */
export function isNothing({ body, capturedAt, headers }: Result, items: string | undefined): boolean {
  if (capturedAt === null || CORRECTION_HEADER in headers || MATCHED_HEADER in headers) return true;
  if (items === undefined) return false;
  const value = valueAt(body, items);
  return Array.isArray(value) && value.length === 0;
}

function describeOutcome(outcome: AskOutcome): string {
  if (outcome.state === "none") return "store; hit";
  const detail = `detail="${outcome.source}${outcome.state === "unavailable" ? ` ${outcome.reason}` : ""}"`;
  if (outcome.state === "filled") return `store; fwd=miss; stored${outcome.isShared ? "; collapsed" : ""}; ${detail}`;
  return `store; fwd=miss; ${detail}`;
}

/** The same error; its detail also says that a source exists, and why it did not help. */
function explain(error: ApiError, outcome: AskOutcome): ApiError {
  if (outcome.state === "none") return error;
  const { code, message, errors, headers, cause } = error;
  const reason =
    outcome.state === "unavailable"
      ? outcome.reason
      : outcome.state === "empty"
        ? "does not have it"
        : "has no more of it";
  const retryAfterS = outcome.state === "unavailable" ? outcome.retryAfterS : null;
  return new ApiError(code, `${message}; ${outcome.source} ${reason}`, {
    errors,
    headers: {
      ...headers,
      "cache-status": describeOutcome(outcome),
      ...(retryAfterS !== null && ERRORS[code].status === 404 && { "retry-after": String(retryAfterS) }),
    },
    cause,
  });
}
