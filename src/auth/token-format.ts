/**
 * The form of an access token: `tt_`, 10 characters of key id, 32 of secret, 6 of CRC-32, all base62. The checksum lets
 * secret scanners and this service tell a mistyped or cut token without asking the store; it proves nothing else.
 */
import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "tt_";
const KEY_ID_LENGTH = 10;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Bytes at or above the largest multiple of 62 are thrown away: taking them modulo 62 would favour some characters. */
const UNBIASED_BYTES = 256 - (256 % ALPHABET.length);

const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${KEY_ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

export interface MadeToken {
  /** The whole token. Whoever calls shows it once and forgets it. */
  token: string;
  keyId: string;
}

export function makeToken(): MadeToken {
  const keyId = randomBase62(KEY_ID_LENGTH);
  const body = PREFIX + keyId + randomBase62(SECRET_LENGTH);
  return { token: body + checksumOf(body), keyId };
}

/** The key id of a well-formed token; null if form or checksum is wrong. */
export function parseToken(text: string): { keyId: string } | null {
  if (!FORM.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (text.slice(-CHECKSUM_LENGTH) !== checksumOf(body)) return null;
  return { keyId: body.slice(PREFIX.length, PREFIX.length + KEY_ID_LENGTH) };
}

export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < UNBIASED_BYTES) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** CRC-32 in base62, most significant character first; six characters hold any 32-bit number. */
function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let position = 0; position < CHECKSUM_LENGTH; position++) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
