import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { adminRoute } from "../admin-route.ts";
import { RULE_PARAMETERS, toKind } from "../retention-rule.ts";

export const deleteRetention = adminRoute({
  method: "DELETE",
  path: "/admin/retention",
  access: ["admin"],
  summary: "Remove a retention rule",
  description: "The next less specific rule counts then.",
  input: Type.Object(RULE_PARAMETERS),
  output: wireObject({ removed: Type.Boolean({ description: "False if there was no such rule." }) }),
  async handle({ services: { store, audit }, actor }, { source = "", kind: name }) {
    const kind = toKind(name);
    const removed = await store.retention.delete(source, kind);
    if (removed) {
      const details = { source, kind, removed };
      await audit.record({ actor: actor?.keyId ?? "service", action: "retention.set", details });
    }
    return { body: { removed } };
  },
});
