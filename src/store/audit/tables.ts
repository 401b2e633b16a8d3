import type { AuditAction } from "#domain/audit.ts";
import { bigint, defineTable, oneOf, opaque } from "#store/sql/table.ts";

/** Erasures, exports and administrative acts, each sealed with the one before it: see src/privacy/audit-log.ts. */
export const AUDIT = defineTable("audit", {
  columns: {
    number: bigint,
    at: bigint,
    actor: opaque,
    action: oneOf<AuditAction>(opaque),
    details: opaque,
    seal: opaque,
  },
  key: ["number"],
});

/** One row: the seal of the last entry. */
export const AUDIT_HEAD = defineTable("audit_head", { columns: { number: bigint, seal: opaque } });
