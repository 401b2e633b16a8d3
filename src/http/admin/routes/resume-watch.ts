import { textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { watchDetails } from "#watches/watch-list.ts";
import { adminRoute, requireActor } from "../admin-route.ts";
import { toWatchShape, watchNotFound, WatchShape } from "../watch-shape.ts";

export const resumeWatch = adminRoute({
  method: "POST",
  path: "/admin/watches/{id}/resume",
  access: ["admin"],
  summary: "Request a paused watch again",
  description: "If its time has passed meanwhile, it is requested at once; what was missed is not made up for.",
  input: Type.Object({ id: textParameter("Id of the watch.") }),
  output: WatchShape,
  async handle(ctx, { id }) {
    const { watches, audit } = ctx.services;
    const watch = await watches.setState(id, "active");
    if (watch === null) throw watchNotFound(id);
    await audit.record({
      actor: requireActor(ctx).keyId,
      action: "watch.set",
      details: watchDetails(watch, "resume"),
    });
    return { body: toWatchShape(watch) };
  },
});
