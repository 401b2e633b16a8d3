import { choiceParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { sessionCookie } from "#auth/session-cookie.ts";
import { ApiError } from "#errors";
import { adminRoute } from "../admin-route.ts";

export const deleteSession = adminRoute({
  method: "DELETE",
  path: "/admin/session",
  access: "public",
  summary: "Sign out",
  description:
    "Ends the session and deletes its cookie. A copy of the cookie is refused from then on. With `everywhere`, ends all sessions of the token, in every browser; the token itself stays valid.",
  input: Type.Object({
    everywhere: choiceParameter(["true", "false"], {
      description: "`true` ends all sessions of the token.",
      default: "false",
    }),
  }),
  output: wireObject({ status: Type.String() }),
  async handle({ services: { tokens }, session, isSecure, now }, input) {
    const everywhere = input.everywhere === "true";
    const isEnded = session !== null && (await tokens.endSession(session, { everywhere }, now));
    if (everywhere && !isEnded) {
      throw new ApiError("invalid_token", "the session has ended; sign in again to end the others", {
        errors: [{ in: "header", parameter: "Cookie", reason: "must be a session that has not ended" }],
      });
    }
    return {
      body: { status: everywhere ? "signed out everywhere" : "signed out" },
      headers: { "set-cookie": sessionCookie(null, isSecure, now) },
    };
  },
});
