/**
 * Sessions of browsers: a signed value that stands for a token, without containing it. The signature covers the digest of the
 * token, and the token is looked up with every request, so a session ends with its token. Only ended sessions are stored.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { HOUR_MS } from "#domain/time.ts";

const LIFETIME_MS = 12 * HOUR_MS;

const ID_BYTES = 12;
const FORMAT = /^(\w{1,32})\.(\d{1,12})\.([\w-]{16})\.(\d{1,12})\.([\w-]{43})$/;

export interface SessionClaim {
  keyId: string;
  /** Unix milliseconds, at a full second. */
  expiresAt: number;
  id: string;
  /** How often all sessions of the token had been ended when this one began. */
  epoch: number;
}

export const newSessionId = (): string => randomBytes(ID_BYTES).toString("base64url");

/** At most as long as the token. */
export function sessionEnd(tokenExpiresAt: number | null, now: number): number {
  const end = Math.min(now + LIFETIME_MS, tokenExpiresAt ?? Number.POSITIVE_INFINITY);
  return Math.floor(end / 1000) * 1000;
}

export function signSession(key: Buffer, claim: SessionClaim, tokenDigest: Buffer): string {
  return `${formatClaim(claim)}.${computeMac(key, claim, tokenDigest).toString("base64url")}`;
}

/** Not verified yet; null for what has another form. */
export function parseSession(value: string): (SessionClaim & { mac: Buffer }) | null {
  const [, keyId, seconds, id, epoch, mac] = FORMAT.exec(value) ?? [];
  if (keyId === undefined || id === undefined || mac === undefined) return null;
  return { keyId, expiresAt: Number(seconds) * 1000, id, epoch: Number(epoch), mac: Buffer.from(mac, "base64url") };
}

export function isSigned(key: Buffer, claim: SessionClaim & { mac: Buffer }, tokenDigest: Buffer): boolean {
  return timingSafeEqual(claim.mac, computeMac(key, claim, tokenDigest));
}

/** No part has dots and the digest has a fixed length, so different claims never sign as the same bytes. */
function computeMac(key: Buffer, claim: SessionClaim, tokenDigest: Buffer): Buffer {
  return createHmac("sha256", key)
    .update(`session.${formatClaim(claim)}.`)
    .update(tokenDigest)
    .digest();
}

function formatClaim({ keyId, expiresAt, id, epoch }: SessionClaim): string {
  return `${keyId}.${expiresAt / 1000}.${id}.${epoch}`;
}
