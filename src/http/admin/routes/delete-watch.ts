import { textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { watchDetails } from "#watches/watch-list.ts";
import { adminRoute, requireActor } from "../admin-route.ts";
import { watchNotFound } from "../watch-shape.ts";

export const deleteWatch = adminRoute({
  method: "DELETE",
  path: "/admin/watches/{id}",
  access: ["admin"],
  summary: "Remove a watch",
  description: "What it brought stays.",
  input: Type.Object({ id: textParameter("Id of the watch.") }),
  output: wireObject({ removed: Type.Boolean() }),
  async handle(ctx, { id }) {
    const { watches, audit } = ctx.services;
    if (!(await watches.remove(id))) throw watchNotFound(id);
    await audit.record({
      actor: requireActor(ctx).keyId,
      action: "watch.set",
      details: watchDetails({ id }, "remove"),
    });
    return { body: { removed: true } };
  },
});
