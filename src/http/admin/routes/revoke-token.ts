import { textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { tokenEvent } from "#privacy/audit-log.ts";
import { adminRoute, requireActor } from "../admin-route.ts";
import { tokenNotFound, TokenShape, toTokenShape } from "../token-shape.ts";

export const revokeToken = adminRoute({
  method: "DELETE",
  path: "/admin/tokens/{id}",
  access: ["admin"],
  summary: "Revoke a token",
  description:
    "Ends the token and its sessions: within a second on this node, within 5 seconds on others. Repeating it changes nothing.",
  input: Type.Object({ id: textParameter("Key id of the token.") }),
  output: wireObject({ record: TokenShape }),
  async handle(ctx, { id }) {
    const {
      services: { tokens, audit },
      now,
    } = ctx;
    const record = await tokens.revoke(id, now);
    if (record === null) throw tokenNotFound(id);
    await audit.record(tokenEvent(requireActor(ctx).keyId, "token.revoke", record));
    return { body: { record: toTokenShape(record, now) } };
  },
});
