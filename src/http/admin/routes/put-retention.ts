import { Type } from "#api/schema.ts";
import { adminRoute } from "../admin-route.ts";
import { RetentionRule, RULE_PARAMETERS, toKind } from "../retention-rule.ts";

export const putRetention = adminRoute({
  method: "PUT",
  path: "/admin/retention",
  access: ["admin"],
  summary: "Set a retention rule",
  description: "Replaces the rule for this source and kind. The service deletes what is due within the hour.",
  input: Type.Object({
    ...RULE_PARAMETERS,
    days: Type.Integer({
      minimum: 0,
      maximum: 99_999,
      description: "Days after the last capture; 0 keeps records for ever.",
    }),
  }),
  output: RetentionRule,
  async handle({ services: { store, audit }, actor }, { source = "", kind, days }) {
    const rule = { source, kind: toKind(kind), days: days === 0 ? null : days };
    await store.retention.write(rule);
    await audit.record({ actor: actor?.keyId ?? "service", action: "retention.set", details: { ...rule } });
    return { body: rule };
  },
});
