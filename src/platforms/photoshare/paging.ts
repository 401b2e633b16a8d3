/**
 * This platform pages with an opaque `pagination_token`: a sealed position in a list, bound to what the list belongs
 * to. The number asked for is not bound, so a caller may change it from page to page.
 */
import { Type } from "typebox";
import { type Context, parameterError } from "#api/endpoint.ts";
import type { Page, Keyset } from "#domain/page.ts";

export const PageToken = Type.String({
  description: "For the next page; empty at the end.",
});

/** Where the page begins; absent for the first one. */
export function openPosition(
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
    "must be empty or a token that this operation gave for the same parameters within the last 24 hours",
  );
}

export function sealPosition(ctx: Pick<Context, "cursors">, key: string, { at, id }: Keyset): string {
  return ctx.cursors.sign([key], { at, id });
}

/** Empty at the end. */
export function nextToken(ctx: Pick<Context, "cursors">, key: string, page: Page<unknown>): string {
  return page.more && page.last !== undefined ? sealPosition(ctx, key, page.last) : "";
}

/** The place of a post in every list of posts. */
export function positionOfPost(post: { publishedAt: number | null; id: string }): Keyset {
  return { at: post.publishedAt ?? 0, id: post.id };
}

function isPosition(payload: unknown): payload is Keyset {
  if (typeof payload !== "object" || payload === null) return false;
  const { at, id } = payload as Partial<Keyset>;
  return Number.isFinite(at) && typeof id === "string";
}
