import { integerParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { adminRoute } from "../admin-route.ts";
import { AuditEntry, toAuditEntry } from "../audit-entry.ts";

export const listErasures = adminRoute({
  method: "GET",
  path: "/admin/erasures",
  access: ["admin"],
  summary: "Erasures, newest first",
  description: "When, by whom and how much, from the audit log. Who was erased is a keyed digest: nobody is named.",
  input: Type.Object({
    limit: integerParameter({ minimum: 1, maximum: 1_000, default: 100, description: "Number of erasures." }),
  }),
  output: wireObject({ erasures: Type.Array(AuditEntry) }),
  async handle({ services: { audit } }, { limit }) {
    return { body: { erasures: (await audit.listNewest(limit, "erasure")).map(toAuditEntry) } };
  },
});
