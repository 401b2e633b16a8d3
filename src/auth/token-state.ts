import type { TokenRecord } from "#domain/token.ts";

export type TokenState = "active" | "expired" | "revoked" | "replaced";

/** `now` is in Unix milliseconds. */
export function stateOf(record: TokenRecord, now: number): TokenState {
  if (record.revokedAt !== null) return "revoked";
  if (record.replacedBy !== null) return "replaced";
  return isUsable(record, now) ? "active" : "expired";
}

/** A replaced token stays valid until its overlap ends. */
export function isUsable({ revokedAt, expiresAt }: TokenRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt * 1000);
}
