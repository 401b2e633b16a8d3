/**
 * `pagination_token`: a signed position in a list, bound to the list's owner. The page size is not bound, so a client may
 * change it between pages.
 */
import { Type } from "#api/schema.ts";
import { type Context, parameterError } from "#api/endpoint.ts";
import type { Page, Keyset } from "#domain/page.ts";

export const PageToken = Type.String({ description: "Token of the next page; empty on the last page." });

/** The position that the page starts after; undefined for the first page. */
export function verifyPageToken(
  ctx: Pick<Context, "cursors" | "parameterLocation">,
  key: string,
  token: string | undefined,
): Keyset | undefined {
  if (token === undefined || token === "") return undefined;
  const payload = ctx.cursors.verify([key], token);
  if (isPosition(payload)) return payload;
  throw parameterError(
    ctx,
    "invalid_cursor",
    "pagination_token",
    "must be empty or an unmodified token from a response to the same request, at most 24 hours old",
  );
}

export function signPosition(ctx: Pick<Context, "cursors">, key: string, { at, id }: Keyset): string {
  return ctx.cursors.sign([key], { at, id });
}

/** Empty on the last page. */
export function nextPageToken(ctx: Pick<Context, "cursors">, key: string, page: Page<unknown>): string {
  return page.more && page.last !== undefined ? signPosition(ctx, key, page.last) : "";
}

export function toPosition(post: { publishedAt: number | null; id: string }): Keyset {
  return { at: post.publishedAt ?? 0, id: post.id };
}

function isPosition(payload: unknown): payload is Keyset {
  if (typeof payload !== "object" || payload === null) return false;
  const { at, id } = payload as Partial<Keyset>;
  return Number.isFinite(at) && typeof id === "string";
}
