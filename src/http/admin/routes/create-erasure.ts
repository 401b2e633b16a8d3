import { choiceParameter, textParameter } from "#api/parameters.ts";
import { EXPECTED_ID, NAMEABLE_KINDS } from "#api/record-id.ts";
import { Type } from "#api/schema.ts";
import { nullable, NullableText, wireObject } from "#api/wire.ts";
import { invalidInBody } from "#errors";
import { adminRoute, requireActor } from "../admin-route.ts";
import { ErasureCounts } from "../erasure-counts.ts";

export const createErasure = adminRoute({
  method: "POST",
  path: "/admin/erasures",
  access: ["admin"],
  isLong: true,
  summary: "Erase an account, a post or a comment, or say what would go",
  description:
    "An account goes with everything it published, and out of what others published about it; later imports skip it. With `dryRun` nothing is changed. See docs/erasing.md.",
  input: Type.Object({
    platform: textParameter("Path segment of the platform."),
    kind: choiceParameter(NAMEABLE_KINDS, { description: "Kind of the erased record." }),
    id: textParameter(
      "Its id or URL; of an account also its name, with `@` if it could be another's id. A displayed name of several words stands for what has no id of its author.",
      {
        maxLength: 2_048,
      },
    ),
    dryRun: choiceParameter(["true", "false"], {
      description: "`true` only counts, `false` erases for good. Required, so that nobody erases by leaving it out.",
    }),
  }),
  output: wireObject({
    platform: Type.String(),
    kind: Type.String(),
    id: Type.String(),
    name: NullableText,
    dryRun: Type.Boolean(),
    counts: ErasureCounts,
    purged: nullable(
      Type.Boolean({
        description:
          "False while erased bytes are still on disk: a large store, or one that a backup or an export is reading, is rewritten in the background. `GET /admin/erasures` tells when they are gone. Null in a dry run.",
      }),
    ),
  }),
  async handle(ctx, { platform, kind, id: text, dryRun: choice }) {
    const { platforms, erase } = ctx.services;
    const found = platforms.find(({ name }) => name === platform);
    if (found === undefined)
      throw invalidInBody("platform", `must be one of ${platforms.map(({ name }) => name).join(", ")}`);
    const id = found.parseRecordId(kind, text);
    if (id === null) throw invalidInBody("id", EXPECTED_ID[kind]);
    const dryRun = choice === "true";
    const erasure = await erase({ platform, kind, id, dryRun, actor: requireActor(ctx).keyId });
    const { id: erasedId, name, counts, isPurged } = erasure;
    return { body: { platform, kind, id: erasedId, name, dryRun, counts, purged: isPurged } };
  },
});
