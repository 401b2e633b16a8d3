/**
 * A paged search over many sources, each one kind of record of one platform. The page token carries what each source has
 * returned so far, so the server keeps no session state.
 */
import type { CrossPlatformContext, PlatformStore } from "#api/endpoint.ts";
import { matchesSchema } from "#api/matches-schema.ts";
import { invalidPageToken } from "#api/page-token.ts";
import { Type } from "#api/schema.ts";
import { SEARCH_KINDS, type SearchKind } from "#domain/record.ts";
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
  if (!matchesSchema(Payload, payload)) throw invalidPageToken(ctx, "continuation_token");
  const sources = payload.sources.map(readSource).filter((source) => source !== null);
  if (sources.length < payload.sources.length) throw invalidPageToken(ctx, "continuation_token");
  return {
    now: payload.clock,
    corrected: payload.corrected,
    sources: sources.filter((source) => stores.some(({ platform }) => platform === source.platform)),
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

const Payload = Type.Object({
  clock: Type.Integer(),
  corrected: Type.Union([Type.String(), Type.Null()]),
  sources: Type.Array(Type.Unknown()),
});

function readSource(entry: unknown): SearchSource | null {
  if (!Array.isArray(entry)) return null;
  const [platform, name, serialised]: unknown[] = entry;
  const kind = SEARCH_KINDS.find((known) => known === name);
  const state = parseSearchState(serialised);
  return typeof platform === "string" && kind !== undefined && state !== null ? { platform, kind, state } : null;
}
