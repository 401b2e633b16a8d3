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
  description:
    "When, by whom and how much, from the audit log, and whether the bytes are gone from the disk. Who was erased is a keyed digest: nobody is named.",
  input: Type.Object({
    limit: integerParameter({ minimum: 1, maximum: 1_000, default: 100, description: "Number of erasures." }),
  }),
  output: wireObject({
    erasures: Type.Array(
      wireObject({
        ...AuditEntry.properties,
        purged: Type.Boolean({ description: "Whether no erased bytes are left on disk." }),
      }),
    ),
  }),
  async handle({ services: { audit, store } }, { limit }) {
    const [entries, pendingSince] = await Promise.all([audit.listNewest(limit, "erasure"), store.getPurgePending()]);
    const erasures = entries.map((entry) => ({
      ...toAuditEntry(entry),
      purged: pendingSince === null || entry.at < pendingSince,
    }));
    return { body: { erasures } };
  },
});
