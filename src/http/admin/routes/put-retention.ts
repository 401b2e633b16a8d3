import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { adminRoute, requireActor } from "../admin-route.ts";
import { DryRunResult, previewRule, RetentionRule, RULE_PARAMETERS, toKind } from "../retention-rule.ts";

export const putRetention = adminRoute({
  method: "PUT",
  path: "/admin/retention",
  access: ["admin"],
  summary: "Set a retention rule, or say what would go",
  description:
    "Replaces the rule for this source and kind. The service deletes what is due within the hour. With `dryRun` nothing is changed.",
  input: Type.Object({
    ...RULE_PARAMETERS,
    days: Type.Integer({
      minimum: 0,
      maximum: 99_999,
      description: "Days after the last capture; 0 keeps records for ever.",
    }),
  }),
  output: wireObject({ ...RetentionRule.properties, ...DryRunResult }),
  async handle(ctx, { source = "", kind, days, dryRun }) {
    const { services } = ctx;
    const rule = { source, kind: toKind(kind), days: days === 0 ? null : days };
    if (dryRun === "true") return { body: { ...rule, dryRun: true, due: await previewRule(services, rule) } };
    await services.store.retention.write(rule);
    await services.audit.record({ actor: requireActor(ctx).keyId, action: "retention.set", details: { ...rule } });
    return { body: { ...rule, dryRun: false, due: null } };
  },
});
