import { integerParameter, textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { parseScopes } from "#auth/scopes.ts";
import { TokenError } from "#auth/tokens.ts";
import { ApiError } from "#errors";
import { tokenEvent } from "#privacy/audit-log.ts";
import { adminRoute, requireActor } from "../admin-route.ts";
import { IssuedTokenShape, toIssuedToken } from "../token-shape.ts";

const MAX_LIMIT = 1_000_000_000;

function limitParameter(description: string) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description }));
}

export const createToken = adminRoute({
  method: "POST",
  path: "/admin/tokens",
  access: ["admin"],
  summary: "Create a token",
  description: "The response is the only one that has the token itself: the store has a keyed digest of it.",
  input: Type.Object({
    label: textParameter("Purpose of the token.", { maxLength: 100 }),
    scopes: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 20,
      description: "Scopes, as a list or as one text with commas.",
    }),
    expiresInDays: integerParameter({
      maximum: 36_500,
      default: 90,
      description: "Days until it expires; 0 for a token that does not expire.",
    }),
    burst: limitParameter("Cost units per 10 seconds, instead of RATE_BURST."),
    daily: limitParameter("Cost units per day, instead of RATE_DAILY."),
    concurrency: limitParameter("Concurrent requests, instead of RATE_CONCURRENCY."),
  }),
  output: IssuedTokenShape,
  status: 201,
  async handle(ctx, { label, scopes, expiresInDays, ...limits }) {
    const { services, now } = ctx;
    const parsed = parseScopes(scopes.join(","), services.scopes);
    if ("reason" in parsed) throw invalid("scopes", parsed.reason);
    const request = { label, scopes: parsed.scopes, limits, expiresInDays: expiresInDays === 0 ? null : expiresInDays };
    const issued = await services.tokens.create(request, now).catch((error: unknown) => {
      throw error instanceof TokenError ? invalid("label", error.message) : error;
    });
    await services.audit.record(tokenEvent(requireActor(ctx).keyId, "token.create", issued.record));
    return { body: toIssuedToken(issued, now) };
  },
});

function invalid(parameter: string, reason: string): ApiError {
  return new ApiError("invalid_parameter", `${parameter} in the request body: ${reason}`, {
    errors: [{ in: "body", parameter, reason }],
  });
}
