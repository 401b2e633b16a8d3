/**
 * Page tokens: a payload that the client sends back for the next page, bound to one operation and its parameters. Signed,
 * not encrypted. They expire on the full hour, so that a page requested twice within an hour keeps its ETag.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { PageTokens } from "#api/endpoint.ts";
import { HOUR_MS } from "#domain/time.ts";

const LIFETIME_HOURS = 24;
const MAC_BYTES = 16;
/** The hour of expiry since 1970. */
const EXPIRY_BYTES = 4;
const HEADER_BYTES = MAC_BYTES + EXPIRY_BYTES;

/** The page tokens of one operation at one instant (Unix milliseconds). */
export function pageTokensFor(key: Buffer, operation: string, now: number): PageTokens {
  return {
    sign(bound, payload) {
      if (payload == null)
        throw new TypeError("a page token needs a payload: verify returns null for an invalid token");
      const signed = Buffer.concat([Buffer.alloc(EXPIRY_BYTES), Buffer.from(JSON.stringify(payload), "utf8")]);
      signed.writeUInt32BE(Math.floor(now / HOUR_MS) + 1 + LIFETIME_HOURS);
      return Buffer.concat([computeMac(key, operation, bound, signed), signed]).toString("base64url");
    },

    verify(bound, token) {
      const bytes = Buffer.from(token, "base64url");
      // Decoding ignores foreign characters and trailing bits; only the canonical encoding is valid.
      if (bytes.length <= HEADER_BYTES || bytes.toString("base64url") !== token) return null;
      const signed = bytes.subarray(MAC_BYTES);
      const mac = bytes.subarray(0, MAC_BYTES);
      if (!timingSafeEqual(mac, computeMac(key, operation, bound, signed))) return null;
      if (now >= signed.readUInt32BE() * HOUR_MS) return null;
      return JSON.parse(signed.toString("utf8", EXPIRY_BYTES));
    },
  };
}

/**
 * Length-prefixes every part and the list, so that different parts never sign as the same bytes. UTF-16 keeps lone
 * surrogates distinct, which UTF-8 would replace by one character.
 */
function computeMac(key: Buffer, operation: string, bound: readonly string[], signed: Buffer): Buffer {
  const mac = createHmac("sha256", key);
  mac.update(`${bound.length};`);
  for (const part of [operation, ...bound]) {
    mac.update(`${part.length}:`).update(part, "utf16le");
  }
  return mac.update(signed).digest().subarray(0, MAC_BYTES);
}
