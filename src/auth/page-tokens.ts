/**
 * Page tokens: a payload that the client sends back for the next page, bound to one operation and its parameters. Signed,
 * not encrypted. They expire on the full hour, so that a page requested twice within an hour keeps its ETag.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { PageTokens } from "#api/endpoint.ts";
import { HOUR_MS } from "#domain/time.ts";

const LIFETIME_HOURS = 24;
const MAC_BYTES = 16;
/** The hour of expiry since 1970. */
const EXPIRY_BYTES = 4;
/** Digest of the parameters. A part of its own, so that a forged token is known before the parameters are parsed. */
const BOUND_BYTES = 8;
const PAYLOAD_AT = EXPIRY_BYTES + BOUND_BYTES;

/** The page tokens of one operation at one instant (Unix milliseconds). */
export function pageTokensFor(key: Buffer, operation: string, now: number): PageTokens {
  return {
    sign(bound, payload) {
      if (payload == null)
        throw new TypeError("a page token needs a payload: verify returns null for an invalid token");
      const expiry = Buffer.alloc(EXPIRY_BYTES);
      expiry.writeUInt32BE(Math.floor(now / HOUR_MS) + 1 + LIFETIME_HOURS);
      const signed = Buffer.concat([expiry, digestOf(bound), Buffer.from(JSON.stringify(payload), "utf8")]);
      return Buffer.concat([computeMac(key, operation, signed), signed]).toString("base64url");
    },

    verify(bound, token) {
      const signed = openToken(key, operation, token, now);
      if (signed === null || !signed.subarray(EXPIRY_BYTES, PAYLOAD_AT).equals(digestOf(bound))) return null;
      return JSON.parse(signed.toString("utf8", PAYLOAD_AT));
    },
  };
}

/** Whether the token was issued for the operation and has not expired. Its parameters may still be others. */
export function isGenuine(key: Buffer, operation: string, token: string, now: number): boolean {
  return openToken(key, operation, token, now) !== null;
}

/** Null for a token that is forged, expired or of another operation. */
function openToken(key: Buffer, operation: string, token: string, now: number): Buffer | null {
  const bytes = Buffer.from(token, "base64url");
  // Decoding ignores foreign characters and trailing bits; only the canonical encoding is valid.
  if (bytes.length <= MAC_BYTES + PAYLOAD_AT || bytes.toString("base64url") !== token) return null;
  const signed = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), computeMac(key, operation, signed))) return null;
  return now < signed.readUInt32BE() * HOUR_MS ? signed : null;
}

function computeMac(key: Buffer, operation: string, signed: Buffer): Buffer {
  const mac = createHmac("sha256", key).update(`${operation.length}:`).update(operation, "utf16le");
  return mac.update(signed).digest().subarray(0, MAC_BYTES);
}

/**
 * Length-prefixes every part and the list, so that different parts never sign as the same bytes. UTF-16 keeps lone
 * surrogates distinct, which UTF-8 would replace by one character.
 */
function digestOf(bound: readonly string[]): Buffer {
  const digest = createHash("sha256").update(`${bound.length};`);
  for (const part of bound) digest.update(`${part.length}:`).update(part, "utf16le");
  return digest.digest().subarray(0, BOUND_BYTES);
}
