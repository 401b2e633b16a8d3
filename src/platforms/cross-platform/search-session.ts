/**
 * A search over many sources, page by page. A source is one kind of record of one platform. What each has given so far
 * travels in the page token, so no process has to remember a walk.
 */
import { type PlatformStore, parameterError, type CrossPlatformContext } from "#api/endpoint.ts";
import type { PlatformName, SearchKind } from "#domain/record.ts";
import { readSearchState, type SearchState, writeSearchState } from "#domain/search-state.ts";

export interface Source extends PlatformStore {
  kind: SearchKind;
  /** Undefined before the first page. */
  state: SearchState | undefined;
}

export interface SearchSession {
  /** Unix seconds: freshness is measured by one clock from the first page to the last. */
  clock: number;
  sources: Source[];
}

type Signed = Pick<CrossPlatformContext, "cursors" | "place">;

/** With a query of 200 characters of any script, an address still has at most 8 KiB. */
const LONGEST_TOKEN = 6_000;

export function beginSession(
  now: number,
  stores: readonly PlatformStore[],
  kinds: readonly SearchKind[],
): SearchSession {
  const second = Math.floor(now / 1000);
  return {
    // Freshness needs no finer clock than a minute, and a coarse one keeps the sealed token, and so the ETag, steady.
    clock: second - (second % 60),
    sources: stores.flatMap(({ platform, store }) =>
      kinds.map((kind) => ({ platform, store, kind, state: undefined })),
    ),
  };
}

/** The sources of the walk as far as the caller may still read them. */
export function resumeSession(
  ctx: Signed,
  stores: readonly PlatformStore[],
  bound: readonly string[],
  token: string,
): SearchSession {
  const payload = ctx.cursors.verify(bound, token);
  const places = isPayload(payload) ? payload.sources.map(readPlace) : null;
  if (!isPayload(payload) || places === null || places.includes(null)) {
    throw parameterError(
      ctx,
      "invalid_cursor",
      "continuation_token",
      "must be the token of an answer to the same request, unchanged and at most 24 hours old",
    );
  }
  const sources = places.flatMap((place) => {
    const open = stores.find(({ platform }) => platform === place?.platform);
    return open === undefined || place === null ? [] : [{ ...place, store: open.store }];
  });
  return { clock: payload.clock, sources };
}

/** Empty where the walk has become too long to travel. */
export function signSession(ctx: Signed, bound: readonly string[], { clock, sources }: SearchSession): string {
  const places = sources.map(({ platform, kind, state }) => [platform, kind, state && writeSearchState(state)]);
  const token = ctx.cursors.sign(bound, { clock, sources: places });
  return token.length > LONGEST_TOKEN ? "" : token;
}

interface Payload {
  clock: number;
  sources: unknown[];
}

function isPayload(payload: unknown): payload is Payload {
  if (typeof payload !== "object" || payload === null) return false;
  const { clock, sources } = payload as Partial<Payload>;
  return Number.isInteger(clock) && Array.isArray(sources);
}

function readPlace(place: unknown): { platform: PlatformName; kind: SearchKind; state: SearchState } | null {
  if (!Array.isArray(place)) return null;
  const [platform, kind, written] = place as unknown[];
  const state = readSearchState(written);
  return typeof platform === "string" && typeof kind === "string" && state !== null
    ? { platform, kind: kind as SearchKind, state }
    : null;
}
