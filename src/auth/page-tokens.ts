/**
 * Page tokens: a payload that the caller carries to the next page and cannot change, nor use for another operation or
 * with other parameters. Signed, not secret. They expire on the full hour, so that the same page asked for twice within
 * an hour has the same body and keeps its ETag.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { PageTokens } from "#api/endpoint.ts";
import { HOUR_MS } from "#domain/time.ts";

const LIFETIME_HOURS = 24;
const MAC_BYTES = 16;
/** The hour of expiry, counted from 1970: four bytes last longer than the calendar. */
const EXPIRY_BYTES = 4;
const HEADER_BYTES = MAC_BYTES + EXPIRY_BYTES;

/** The page tokens of one operation at one instant (Unix milliseconds). */
export function pageTokensFor(key: Buffer, operation: string, now: number): PageTokens {
  return {
    sign(bound, payload) {
      if (payload == null) throw new TypeError("A page token needs a payload: null means refused.");
      const signed = Buffer.concat([Buffer.alloc(EXPIRY_BYTES), Buffer.from(JSON.stringify(payload), "utf8")]);
      signed.writeUInt32BE(Math.floor(now / HOUR_MS) + 1 + LIFETIME_HOURS);
      return Buffer.concat([macOf(key, operation, bound, signed), signed]).toString("base64url");
    },

    verify(bound, token) {
      const bytes = Buffer.from(token, "base64url");
      // Decoding forgives foreign characters and stray bits at the end; a token has one spelling only.
      if (bytes.length <= HEADER_BYTES || bytes.toString("base64url") !== token) return null;
      const signed = bytes.subarray(MAC_BYTES);
      const given = bytes.subarray(0, MAC_BYTES);
      if (!timingSafeEqual(given, macOf(key, operation, bound, signed))) return null;
      if (now >= signed.readUInt32BE() * HOUR_MS) return null;
      return JSON.parse(signed.toString("utf8", EXPIRY_BYTES));
    },
  };
}

/**
 * Every part is preceded by its length and the list by its count, so that no two different sets of parts are signed as
 * the same bytes. UTF-16 keeps even lone surrogates apart, which UTF-8 would fold into one replacement character.
 */
function macOf(key: Buffer, operation: string, bound: readonly string[], signed: Buffer): Buffer {
  const mac = createHmac("sha256", key);
  mac.update(`${bound.length};`);
  for (const part of [operation, ...bound]) {
    mac.update(`${part.length}:`).update(part, "utf16le");
  }
  return mac.update(signed).digest().subarray(0, MAC_BYTES);
}
