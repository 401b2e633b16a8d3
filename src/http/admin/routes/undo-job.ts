import { choiceParameter, textParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { ApiError } from "#errors";
import { adminRoute, requireActor } from "../admin-route.ts";

const Counts = Type.Array(wireObject({ kind: Type.String(), count: Type.Integer() }));

export const undoJob = adminRoute({
  method: "POST",
  path: "/admin/jobs/{id}/undo",
  access: ["admin"],
  isLong: true,
  summary: "Take an import out again, or say what would change",
  description:
    "Records that only this import brought are deleted, those that it changed last are what they were before, and those that later imports touched stay. With `dryRun` nothing is changed. See docs/undo.md.",
  input: Type.Object({
    id: textParameter("Id of the import."),
    dryRun: choiceParameter(["true", "false"], {
      description: "`true` only counts, `false` undoes it. Required, so that nobody undoes by leaving it out.",
    }),
  }),
  output: wireObject({
    id: Type.String(),
    dryRun: Type.Boolean(),
    removed: Counts,
    restored: Counts,
    kept: Counts,
    keptFor: Type.Array(wireObject({ job: Type.String(), count: Type.Integer() }), {
      description: "Imports because of which records stay; live sources as `live source` and the name.",
    }),
    points: Type.Integer({ description: "Observations that go from the history of other records." }),
  }),
  async handle(ctx, { id, dryRun: text }) {
    const { services } = ctx;
    const dryRun = text === "true";
    const outcome = await services.undo({ jobId: id, dryRun });
    if (outcome.state === "not found") throw new ApiError("job_not_found", `no import has the id ${id}`);
    if (outcome.state === "running") throw new ApiError("conflict", `import ${id} is still running`);
    if (outcome.state === "nothing to undo") {
      throw new ApiError(
        "conflict",
        `the store has nothing of import ${id} to undo: it was undone, brought nothing or is too old`,
      );
    }
    const { removed, restored, kept, keptFor, points } = outcome.counts;
    if (!dryRun)
      await services.audit.record({ actor: requireActor(ctx).keyId, action: "import.undo", details: { job: id } });
    return {
      body: {
        id,
        dryRun,
        removed: toList(removed),
        restored: toList(restored),
        kept: toList(kept),
        keptFor: Object.entries(keptFor).map(([job, count]) => ({ job, count })),
        points,
      },
    };
  },
});

function toList(counts: Record<string, number>) {
  return Object.entries(counts).map(([kind, count]) => ({ kind, count }));
}
