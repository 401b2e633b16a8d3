/** `continuation_token`: a signed position of the next page. */
import { type Context, parameterError } from "#api/endpoint.ts";

/** The token's payload; undefined on the first page. `bound` lists the parameters that must not change between pages. */
export function verifyContinuation<Place extends object>(
  ctx: Pick<Context, "cursors" | "parameterLocation">,
  isPlace: (payload: Partial<Record<keyof Place, unknown>>) => boolean,
  bound: readonly string[],
  token: string | undefined,
): Place | undefined {
  if (token === undefined || token === "") return undefined;
  const payload = ctx.cursors.verify(bound, token);
  if (typeof payload === "object" && payload !== null && isPlace(payload)) return payload as Place;
  throw parameterError(
    ctx,
    "invalid_cursor",
    "continuation_token",
    "must be an unmodified token from a response to the same request, at most 24 hours old",
  );
}
