/** Page tokens of lists: a signed position, bound to what the list is of and not to the size of its pages. */
import type { Keyset, Page } from "#domain/page.ts";
import type { ApiError } from "#errors";
import { type EndpointDefinition, parameterError, type RequestContext } from "./endpoint.ts";
import { Type } from "./schema.ts";

export const NextPageToken = Type.String({ description: "Token of the next page; empty on the last page." });

type TokenContext = Pick<RequestContext, "cursors" | "parameterLocation">;

/** Names of the parameters that carry a signed token; others carry numbers. */
export function signedParameters({ input, pages }: Pick<EndpointDefinition, "input" | "pages">): string[] {
  const properties = input.properties as Record<string, { type?: string }>;
  return Object.keys(pages?.next ?? {}).filter((name) => properties[name]?.type === "string");
}

/** What the token carries; undefined for the first page. */
export function verifyPageToken<Payload extends object>(
  ctx: TokenContext,
  parameter: string,
  bound: readonly string[],
  token: string | undefined,
  isPayload: (payload: Partial<Record<keyof Payload, unknown>>) => boolean,
): Payload | undefined {
  if (token === undefined || token === "") return undefined;
  const payload = ctx.cursors.verify(bound, token);
  if (typeof payload === "object" && payload !== null && isPayload(payload)) return payload as Payload;
  throw invalidPageToken(ctx, parameter);
}

/** The position that the page starts after; undefined for the first page. */
export function verifyPosition(
  ctx: TokenContext,
  parameter: string,
  bound: readonly string[],
  token: string | undefined,
): Keyset | undefined {
  return verifyPageToken<Keyset>(ctx, parameter, bound, token, isKeyset);
}

/** Empty on the last page. */
export function nextPageToken(
  ctx: Pick<TokenContext, "cursors">,
  bound: readonly string[],
  { more, last }: Page<unknown>,
): string {
  return more && last !== undefined ? ctx.cursors.sign(bound, last) : "";
}

export function invalidPageToken(ctx: Pick<TokenContext, "parameterLocation">, parameter: string): ApiError {
  return parameterError(
    ctx,
    "invalid_cursor",
    parameter,
    "must be empty or an unmodified token from a response to the same request, at most 24 hours old",
  );
}

function isKeyset({ at, id, likes }: Partial<Record<keyof Keyset, unknown>>): boolean {
  return Number.isFinite(at) && typeof id === "string" && (likes === undefined || Number.isFinite(likes));
}
