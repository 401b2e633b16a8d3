/**
 * The digest of a token as it is stored: the HMAC of the token, a dot, and a seal over what the token may do and for how
 * long. A row that was changed without the pepper lets nobody in.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { TokenRecord } from "#domain/token.ts";

const SEALED = /^([0-9a-f]{64})\.([0-9a-f]{64})$/;
/** The form of earlier versions. */
const UNSEALED = /^[0-9a-f]{64}$/;

type Sealed = Omit<TokenRecord, "label" | "revokedAt" | "replacedBy">;

export function sealDigest(key: Buffer, record: Sealed): string {
  const digest = record.digest.slice(0, 64);
  return `${digest}.${computeSeal(key, { ...record, digest }).toString("hex")}`;
}

/** The digest of the token; null if the row is not as it was sealed. */
export function openDigest(key: Buffer, record: Sealed): Buffer | null {
  const [, digest, seal] = SEALED.exec(record.digest) ?? [];
  if (digest === undefined || seal === undefined) return null;
  const expected = computeSeal(key, { ...record, digest });
  return timingSafeEqual(Buffer.from(seal, "hex"), expected) ? Buffer.from(digest, "hex") : null;
}

/** A row of an earlier version: nothing tells whether its scopes were changed. */
export function isUnsealed({ digest, revokedAt }: Pick<TokenRecord, "digest" | "revokedAt">): boolean {
  return revokedAt === null && UNSEALED.test(digest);
}

function computeSeal(key: Buffer, { keyId, digest, scopes, createdAt, expiresAt, limits }: Sealed): Buffer {
  const { burst = null, daily = null, concurrency = null } = limits;
  const row = JSON.stringify([keyId, digest, scopes, createdAt, expiresAt, burst, daily, concurrency]);
  return createHmac("sha256", createHmac("sha256", key).update("token rows").digest()).update(row).digest();
}
