import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { sessionCookie } from "#auth/session-cookie.ts";
import { adminRoute } from "../admin-route.ts";

export const deleteSession = adminRoute({
  method: "DELETE",
  path: "/admin/session",
  access: "public",
  summary: "Sign out",
  description: "Deletes the cookie of the session. Revoke the token to end sessions in other browsers too.",
  input: Type.Object({}),
  output: wireObject({ status: Type.String() }),
  async handle({ isSecure, now }) {
    return { body: { status: "signed out" }, headers: { "set-cookie": sessionCookie(null, isSecure, now) } };
  },
});
