/** Page tokens of lists: a signed position, bound to what the list is of and not to the size of its pages. */
import type { Keyset, Page } from "#domain/page.ts";
import type { ApiError } from "#errors";
import { type EndpointDefinition, parameterError, type RequestContext } from "./endpoint.ts";
import { matchesSchema } from "./matches-schema.ts";
import { type SchemaNode, type Static, type TSchema, Type } from "./schema.ts";

export const NextPageToken = Type.String({ description: "Token of the next page; empty on the last page." });

type TokenContext = Pick<RequestContext, "cursors" | "parameterLocation">;

/** Names of the parameters that carry a signed token; others carry numbers. */
export function signedParameters({ input, pages }: Pick<EndpointDefinition, "input" | "pages">): string[] {
  const properties: Record<string, SchemaNode> = input.properties;
  return Object.keys(pages?.next ?? {}).filter((name) => properties[name]?.type === "string");
}

/** What the token carries; undefined for the first page. */
export function verifyPageToken<Payload extends TSchema>(
  ctx: TokenContext,
  parameter: string,
  bound: readonly string[],
  token: string | undefined,
  schema: Payload,
): Static<Payload> | undefined {
  if (token === undefined || token === "") return undefined;
  const payload = ctx.cursors.verify(bound, token);
  if (matchesSchema(schema, payload)) return payload;
  throw invalidPageToken(ctx, parameter);
}

const Position = Type.Object({ at: Type.Number(), id: Type.String(), likes: Type.Optional(Type.Number()) });

/** The position that the page starts after; undefined for the first page. */
export function verifyPosition(
  ctx: TokenContext,
  parameter: string,
  bound: readonly string[],
  token: string | undefined,
): Keyset | undefined {
  return verifyPageToken(ctx, parameter, bound, token, Position);
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
