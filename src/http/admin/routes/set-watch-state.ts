import { textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import type { Watch } from "#domain/watch.ts";
import { watchDetails } from "#watches/watch-list.ts";
import { type AdminRoute, adminRoute, requireActor } from "../admin-route.ts";
import { toWatchShape, watchNotFound, WatchShape } from "../watch-shape.ts";

export const pauseWatch = setWatchState("pause", "paused", {
  summary: "Stop requesting a watch",
  description: "Until it is resumed. What it brought stays, and a request in progress ends as it would.",
});

export const resumeWatch = setWatchState("resume", "active", {
  summary: "Request a paused watch again",
  description: "If its time has passed meanwhile, it is requested immediately; what was missed is not made up for.",
});

function setWatchState(
  change: "pause" | "resume",
  state: Watch["state"],
  texts: Pick<AdminRoute, "summary" | "description">,
): AdminRoute {
  return adminRoute({
    method: "POST",
    path: `/admin/watches/{id}/${change}`,
    access: ["admin"],
    ...texts,
    input: Type.Object({ id: textParameter("Id of the watch.") }),
    output: WatchShape,
    async handle(ctx, { id }) {
      const { watches, audit } = ctx.services;
      const watch = await watches.setState(id, state);
      if (watch === null) throw watchNotFound(id);
      await audit.record({ actor: requireActor(ctx).keyId, action: "watch.set", details: watchDetails(watch, change) });
      return { body: toWatchShape(watch) };
    },
  });
}
