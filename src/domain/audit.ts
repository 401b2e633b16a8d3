import { isFields } from "./fields.ts";

/** What is written to the audit log: who did what to people's data or to the access to it. */
export const AUDIT_ACTIONS = [
  "erasure",
  "export",
  "subject",
  "backup",
  "restore",
  "token.create",
  "token.revoke",
  "token.rotate",
  "retention.set",
  "retention.sweep",
  "import.dismiss",
  "import.undo",
  "demo.add",
  "watch.set",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** No names: people appear as keyed digests. */
export type AuditDetails = Record<string, string | number | boolean | null>;

export function parseAuditDetails(json: string): AuditDetails {
  const details: unknown = JSON.parse(json);
  if (!isAuditDetails(details)) throw new Error("an entry of the audit log has unreadable details");
  return details;
}

function isAuditDetails(value: unknown): value is AuditDetails {
  return isFields(value) && Object.values(value).every((detail) => detail === null || typeof detail !== "object");
}

export interface AuditEvent {
  /** `command` for the command line, `service` for the service itself, else the key id of a token. */
  actor: string;
  action: AuditAction;
  details: AuditDetails;
}

/** An entry as it is stored. `details` is JSON, exactly as it was sealed. */
export interface AuditEntry {
  /** From 1, without gaps. */
  number: number;
  /** Unix milliseconds. */
  at: number;
  actor: string;
  action: string;
  details: string;
  /** Covers the entry and the seal before it. */
  seal: string;
}

/** Seals the number of the last entry, so that entries missing from the end are noticed. */
export interface AuditHead {
  number: number;
  seal: string;
}
