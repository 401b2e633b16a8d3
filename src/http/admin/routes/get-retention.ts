import { Type } from "#api/schema.ts";
import { NullableInteger, wireObject } from "#api/wire.ts";
import { adminRoute } from "../admin-route.ts";
import { RetentionRule } from "../retention-rule.ts";

export const getRetention = adminRoute({
  method: "GET",
  path: "/admin/retention",
  access: ["admin"],
  summary: "How long records are kept",
  description:
    "Days after the last capture, by source and kind; null is for ever. The most specific rule counts: source and kind, then source, then kind, then the one for everything, then `defaultDays`. See docs/privacy.md.",
  input: Type.Object({}),
  output: wireObject({
    rules: Type.Array(RetentionRule),
    defaultDays: NullableInteger,
    duties: Type.Array(wireObject({ source: Type.String(), days: Type.Integer() }), {
      description: "Terms of live sources, which hold whatever the rules say.",
    }),
  }),
  async handle({ services: { store, retention } }) {
    const rules = await store.retention.list();
    return { body: { rules, defaultDays: retention.defaultDays, duties: [...retention.duties] } };
  },
});
