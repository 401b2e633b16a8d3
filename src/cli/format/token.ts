/** Tokens as the CLI prints them, without their digest. */
import { stateOf } from "#auth/token-state.ts";
import type { TokenRecord } from "#domain/token.ts";
import { formatTable } from "./table.ts";

export function tokenSummary(record: TokenRecord, now: number) {
  const { keyId, label, scopes, limits, replacedBy } = record;
  return {
    keyId,
    label,
    scopes,
    created: formatUnixTime(record.createdAt),
    expires: record.expiresAt === null ? null : formatUnixTime(record.expiresAt),
    revoked: record.revokedAt === null ? null : formatUnixTime(record.revokedAt),
    replacedBy,
    limits,
    state: stateOf(record, now),
  };
}

export function tokenTable(records: readonly TokenRecord[], now: number): string {
  const rows = records.map((record) => [
    record.keyId,
    record.label,
    record.scopes.join(","),
    formatUnixTime(record.createdAt),
    formatExpiry(record),
    stateOf(record, now),
  ]);
  return formatTable([["KEY ID", "LABEL", "SCOPES", "CREATED", "EXPIRES", "STATE"], ...rows]);
}

/** Printed with a new token. */
export function tokenDetails(record: TokenRecord): string {
  const limits = Object.entries(record.limits).map(([name, value]) => `${name} ${value}`);
  return formatTable([
    ["Key id", record.keyId],
    ["Label", record.label],
    ["Scopes", record.scopes.join(", ")],
    ["Expires", formatExpiry(record)],
    ...(limits.length > 0 ? [["Limits", limits.join(", ")]] : []),
  ]);
}

function formatExpiry({ expiresAt }: TokenRecord): string {
  return expiresAt === null ? "never" : formatUnixTime(expiresAt);
}

function formatUnixTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
