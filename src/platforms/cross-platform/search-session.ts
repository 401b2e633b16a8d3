/**
 * A paged search over many sources, each one kind of record of one platform. The page token carries what each source has
 * returned so far, so the server keeps no session state.
 */
import type { CrossPlatformContext, PlatformStore } from "#api/endpoint.ts";
import { invalidPageToken } from "#api/page-token.ts";
import type { SearchKind } from "#domain/record.ts";
import { parseSearchState, formatSearchState } from "#domain/search-state.ts";
import type { SearchSource } from "#store/search/port.ts";

export interface SearchSession {
  /** Unix seconds; the same for all pages, so that freshness ranks them alike. */
  now: number;
  /** The spelling that the first page searched, so that the others do too; null for the query as typed. */
  corrected: string | null;
  sources: SearchSource[];
}

type TokenContext = Pick<CrossPlatformContext, "cursors" | "parameterLocation">;

/** With a query of 200 characters in any script, the URL still fits into 8 KiB. */
const MAX_TOKEN_LENGTH = 6_000;

export function beginSession(
  now: number,
  stores: readonly PlatformStore[],
  kinds: readonly SearchKind[],
): SearchSession {
  const second = Math.floor(now / 1000);
  return {
    // Freshness needs no finer clock than a minute, and a coarse one keeps the signed token, and so the ETag, stable.
    now: second - (second % 60),
    corrected: null,
    sources: stores.flatMap(({ platform }) => kinds.map((kind) => ({ platform, kind }))),
  };
}

/** Without the sources that the token can no longer read. */
export function resumeSession(
  ctx: TokenContext,
  stores: readonly PlatformStore[],
  bound: readonly string[],
  token: string,
): SearchSession {
  const payload = ctx.cursors.verify(bound, token);
  const sources = isPayload(payload) ? payload.sources.map(readSource) : null;
  if (!isPayload(payload) || sources === null || sources.includes(null)) {
    throw invalidPageToken(ctx, "continuation_token");
  }
  return {
    now: payload.clock,
    corrected: payload.corrected,
    sources: sources.filter((source) => stores.some(({ platform }) => platform === source?.platform)) as SearchSource[],
  };
}

/** Empty if the token would be too long, which ends the search. */
export function signSearchSession(
  ctx: TokenContext,
  bound: readonly string[],
  { now: clock, corrected, sources }: SearchSession,
): string {
  const entries = sources.map(({ platform, kind, state }) => [platform, kind, state && formatSearchState(state)]);
  const token = ctx.cursors.sign(bound, { clock, corrected, sources: entries });
  return token.length > MAX_TOKEN_LENGTH ? "" : token;
}

interface Payload {
  clock: number;
  corrected: string | null;
  sources: unknown[];
}

function isPayload(payload: unknown): payload is Payload {
  if (typeof payload !== "object" || payload === null) return false;
  const { clock, corrected, sources } = payload as Partial<Payload>;
  return Number.isInteger(clock) && (corrected === null || typeof corrected === "string") && Array.isArray(sources);
}

function readSource(entry: unknown): SearchSource | null {
  if (!Array.isArray(entry)) return null;
  const [platform, kind, serialised] = entry as unknown[];
  const state = parseSearchState(serialised);
  return typeof platform === "string" && typeof kind === "string" && state !== null
    ? { platform, kind: kind as SearchKind, state }
    : null;
}
