import { integerParameter, textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { TokenError } from "#auth/tokens.ts";
import { DAY_S } from "#domain/time.ts";
import { ApiError } from "#errors";
import { tokenEvent } from "#privacy/audit-log.ts";
import { adminRoute, requireActor } from "../admin-route.ts";
import { IssuedTokenShape, toIssuedToken, tokenNotFound } from "../token-shape.ts";

export const rotateToken = adminRoute({
  method: "POST",
  path: "/admin/tokens/{id}/rotate",
  access: ["admin"],
  summary: "Replace a token",
  description:
    "Creates a token with the same label, scopes, limits and lifetime; the old one stays valid for an overlap.",
  input: Type.Object({
    id: textParameter("Key id of the token."),
    overlapSeconds: integerParameter({
      maximum: 365 * DAY_S,
      default: DAY_S,
      description: "Seconds that the old token stays valid.",
    }),
  }),
  output: IssuedTokenShape,
  status: 201,
  async handle(ctx, { id, overlapSeconds }) {
    const {
      services: { tokens, audit },
      now,
    } = ctx;
    if ((await tokens.get(id)) === null) throw tokenNotFound(id);
    const issued = await tokens.rotate(id, { overlapSeconds }, now).catch((error: unknown) => {
      throw error instanceof TokenError ? new ApiError("conflict", error.message) : error;
    });
    await audit.record(tokenEvent(requireActor(ctx).keyId, "token.rotate", issued.record, { replaces: id }));
    return { body: toIssuedToken(issued, now) };
  },
});
