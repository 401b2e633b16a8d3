import { textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { ApiError } from "#errors";
import { InvalidWatch, watchDetails } from "#watches/watch-list.ts";
import { adminRoute, requireActor } from "../admin-route.ts";
import { toWatchShape, WatchShape } from "../watch-shape.ts";

export const createWatch = adminRoute({
  method: "POST",
  path: "/admin/watches",
  access: ["admin"],
  summary: "Watch something, or change how often",
  description:
    "The first request is made immediately. A watch of the same thing gets the new interval and is active again.",
  input: Type.Object({
    platform: textParameter("Path segment of the platform."),
    kind: textParameter("What is watched, such as `channel`; `GET /admin/watches` lists the kinds."),
    target: textParameter("Which of that kind, such as a handle, a URL, words or a country."),
    every: textParameter("How often: minutes, hours or days from `5m` to `365d`, such as `6h`."),
  }),
  output: WatchShape,
  status: 201,
  async handle(ctx, input) {
    const { watches, audit } = ctx.services;
    try {
      const watch = await watches.add(input);
      await audit.record({
        actor: requireActor(ctx).keyId,
        action: "watch.set",
        details: watchDetails(watch, "add"),
      });
      return { body: toWatchShape(watch) };
    } catch (error) {
      if (!(error instanceof InvalidWatch)) throw error;
      const { field: parameter, reason, message } = error;
      throw new ApiError("invalid_parameter", message, { errors: [{ in: "body", parameter, reason }] });
    }
  },
});
