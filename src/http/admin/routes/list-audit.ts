import { integerParameter } from "#api/parameters.ts";
import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { adminRoute } from "../admin-route.ts";
import { AuditEntry, toAuditEntry } from "../audit-entry.ts";

export const listAudit = adminRoute({
  method: "GET",
  path: "/admin/audit",
  access: ["admin"],
  summary: "The audit log, newest first",
  description:
    "Erasures, exports, backups, and changes of tokens and retention. `triptych audit verify` proves that no entry was changed, removed or reordered.",
  input: Type.Object({
    limit: integerParameter({ minimum: 1, maximum: 1_000, default: 100, description: "Number of entries." }),
  }),
  output: wireObject({ entries: Type.Array(AuditEntry) }),
  async handle({ services: { audit } }, { limit }) {
    return { body: { entries: (await audit.listNewest(limit)).map(toAuditEntry) } };
  },
});
