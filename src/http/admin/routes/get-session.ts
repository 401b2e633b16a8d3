import { Type } from "#api/schema.ts";
import { adminRoute, requireActor } from "../admin-route.ts";
import { SessionShape, toSession } from "../session-shape.ts";

export const getSession = adminRoute({
  method: "GET",
  path: "/admin/session",
  access: "token",
  summary: "Who is signed in",
  description: "The token of the session, or the one that was sent, with its scopes.",
  input: Type.Object({}),
  output: SessionShape,
  async handle(ctx) {
    const actor = requireActor(ctx);
    return { body: toSession(actor, actor.expiresAt) };
  },
});
