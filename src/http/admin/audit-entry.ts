import { type Static, Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { type AuditEntry as StoredEntry, parseAuditDetails } from "#domain/audit.ts";
import { toIsoTime } from "#domain/time.ts";

export const AuditEntry = wireObject({
  number: Type.Integer({ description: "From 1, without gaps." }),
  at: Type.String(),
  actor: Type.String({ description: "`command`, `service`, or the key id of a token." }),
  action: Type.String(),
  details: Type.Object({}, { additionalProperties: true }),
  seal: Type.String({ description: "Covers the entry and the seal before it." }),
});

export function toAuditEntry({ at, details, ...entry }: StoredEntry): Static<typeof AuditEntry> {
  return { ...entry, at: toIsoTime(at), details: parseAuditDetails(details) };
}
