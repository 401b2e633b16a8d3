import { StoreOpenError } from "#store/sql/store-open-error.ts";
import type { AuditAction, AuditEntry, AuditHead } from "#domain/audit.ts";

/** Somebody has dropped a table of the log. */
export class AuditLogMissing extends StoreOpenError {
  override name = "AuditLogMissing" as const;
}

/** The audit log: entries are added and read, never changed. */
export interface AuditTable {
  /** Adds the entry that `create` makes from its number and the seal of the one before, in one transaction. */
  append(create: (number: number, previousSeal: string) => { entry: AuditEntry; head: AuditHead }): Promise<AuditEntry>;
  /** In order, from the one after `after`. */
  list(after: number, limit: number): Promise<AuditEntry[]>;
  /** The newest first, of one action or all. */
  listNewest(limit: number, action: AuditAction | null): Promise<AuditEntry[]>;
  getHead(): Promise<AuditHead | null>;
}
