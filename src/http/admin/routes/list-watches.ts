import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { adminRoute } from "../admin-route.ts";
import { toWatchShape, WatchShape } from "../watch-shape.ts";

export const listWatches = adminRoute({
  method: "GET",
  path: "/admin/watches",
  access: ["admin"],
  summary: "What live sources are asked for again and again",
  description:
    "Watches, the next one first, with how the last request ended; and what can be watched. See docs/watches.md.",
  input: Type.Object({}),
  output: wireObject({
    watches: Type.Array(WatchShape),
    kinds: Type.Array(
      wireObject({
        platform: Type.String(),
        kind: Type.String(),
        target: Type.String({ description: "Description of the target, for people." }),
      }),
      { description: "Kinds that can be watched." },
    ),
    running: Type.Boolean({ description: "False if no live source is on: watches then wait." }),
  }),
  async handle({ services: { watches, sources } }) {
    return {
      body: {
        watches: (await watches.list()).map(toWatchShape),
        kinds: watches.kinds(),
        running: sources.areOn,
      },
    };
  },
});
