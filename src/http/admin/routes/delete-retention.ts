import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { adminRoute, requireActor } from "../admin-route.ts";
import { DryRunResult, previewRule, RULE_PARAMETERS, toKind } from "../retention-rule.ts";

export const deleteRetention = adminRoute({
  method: "DELETE",
  path: "/admin/retention",
  access: ["admin"],
  summary: "Remove a retention rule, or say what would go",
  description:
    "The next less specific rule counts then, and the service deletes what is due by it within the hour. With `dryRun` nothing is changed.",
  input: Type.Object(RULE_PARAMETERS),
  output: wireObject({
    removed: Type.Boolean({ description: "False if there was no such rule, and with `dryRun`." }),
    ...DryRunResult,
  }),
  async handle(ctx, { source = "", kind: name, dryRun }) {
    const { services } = ctx;
    const kind = toKind(name);
    if (dryRun === "true") {
      return { body: { removed: false, dryRun: true, due: await previewRule(services, { source, kind }) } };
    }
    const removed = await services.store.retention.delete(source, kind);
    if (removed) {
      const details = { source, kind, removed };
      await services.audit.record({ actor: requireActor(ctx).keyId, action: "retention.set", details });
    }
    return { body: { removed, dryRun: false, due: null } };
  },
});
