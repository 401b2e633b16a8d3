/** `continuation_token`: where the next page of a walk begins, sealed so that callers can only hand it back. */
import { type Context, parameterError } from "#api/endpoint.ts";

/** What the token of an earlier page says; undefined on the first page. `bound` is what the walk was begun with. */
export function resumeFrom<Place extends object>(
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
    "must be the token of an answer to the same request, unchanged and at most 24 hours old",
  );
}
