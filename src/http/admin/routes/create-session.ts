import { textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { sessionCookie } from "#auth/session-cookie.ts";
import { ApiError } from "#errors";
import { adminRoute } from "../admin-route.ts";
import { SessionShape, toSession } from "../session-shape.ts";

const MAX_TOKEN_LENGTH = 1_000;

export const createSession = adminRoute({
  method: "POST",
  path: "/admin/session",
  access: "public",
  summary: "Sign in with a token",
  description:
    "Sets a cookie with which pages of the service send requests as if they had sent the token. The session ends after 12 hours, with the token, or when it is deleted.",
  input: Type.Object({ token: textParameter("A valid token of any scope.", { maxLength: MAX_TOKEN_LENGTH }) }),
  output: SessionShape,
  status: 201,
  async handle({ services: { tokens }, now, isSecure }, { token }) {
    const session = await tokens.startSession(token.trim(), now);
    if (session === null) {
      throw new ApiError("invalid_token", "the token is unknown, mistyped, expired or revoked", {
        errors: [{ in: "body", parameter: "token", reason: "must be a valid token" }],
      });
    }
    return {
      body: toSession(session.principal, session.expiresAt),
      headers: { "set-cookie": sessionCookie(session, isSecure, now) },
    };
  },
});
