import { textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { watchDetails } from "#watches/watch-list.ts";
import { adminRoute, requireActor } from "../admin-route.ts";
import { toWatchShape, watchNotFound, WatchShape } from "../watch-shape.ts";

export const pauseWatch = adminRoute({
  method: "POST",
  path: "/admin/watches/{id}/pause",
  access: ["admin"],
  summary: "Stop requesting a watch",
  description: "Until it is resumed. What it brought stays, and a request in progress ends as it would.",
  input: Type.Object({ id: textParameter("Id of the watch.") }),
  output: WatchShape,
  async handle(ctx, { id }) {
    const { watches, audit } = ctx.services;
    const watch = await watches.setState(id, "paused");
    if (watch === null) throw watchNotFound(id);
    await audit.record({
      actor: requireActor(ctx).keyId,
      action: "watch.set",
      details: watchDetails(watch, "pause"),
    });
    return { body: toWatchShape(watch) };
  },
});
