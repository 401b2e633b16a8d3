/** `continuation_token`: a signed position in a list, bound to what the list is of. */
import { type CrossPlatformContext, parameterError } from "#api/endpoint.ts";
import { Type } from "#api/schema.ts";
import type { Keyset, Page } from "#domain/page.ts";

export const ContinuationToken = Type.String({ description: "Token of the next page; empty on the last page." });

type TokenContext = Pick<CrossPlatformContext, "cursors" | "parameterLocation">;

/** The position that the page starts after; undefined for the first page. */
export function verifyPosition(
  ctx: TokenContext,
  bound: readonly string[],
  token: string | undefined,
): Keyset | undefined {
  if (token === undefined || token === "") return undefined;
  const payload = ctx.cursors.verify(bound, token);
  if (isPosition(payload)) return payload;
  throw invalidToken(ctx);
}

/** Empty on the last page. */
export function nextToken(ctx: TokenContext, bound: readonly string[], page: Page<unknown>): string {
  return page.more && page.last !== undefined ? ctx.cursors.sign(bound, page.last) : "";
}

export function invalidToken(ctx: TokenContext): Error {
  return parameterError(
    ctx,
    "invalid_cursor",
    "continuation_token",
    "must be an unmodified token from a response to the same request, at most 24 hours old",
  );
}

function isPosition(payload: unknown): payload is Keyset {
  if (typeof payload !== "object" || payload === null) return false;
  const { at, id, likes } = payload as Partial<Keyset>;
  return Number.isFinite(at) && typeof id === "string" && (likes === undefined || Number.isFinite(likes));
}
