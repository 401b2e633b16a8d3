/**
 * The format of an access token: `tt_`, 10 characters of key id, 32 of secret, 6 of CRC-32, all base62. The checksum lets
 * secret scanners and this service reject a mistyped or truncated token without a store look-up; it proves nothing.
 */
import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "tt_";
const KEY_ID_LENGTH = 10;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Bytes from the largest multiple of 62 on are rejected: modulo 62 they would favour some characters. */
const UNBIASED_BYTES = 256 - (256 % ALPHABET.length);

const TOKEN_PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${KEY_ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** As a URL may have it too. Not within a longer text of such characters: page tokens are random and may have "tt_" in them. */
const TOKEN_IN_TEXT = new RegExp(
  `(?<![\\w-])tt(?:_|%5f)[0-9a-z]{${KEY_ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH}}(?![\\w-])`,
  "i",
);
/** Of a token that was cut too. */
const PART_OF_TOKEN = /tt(?:_|%5f)[0-9a-z]{20,}/gi;

/** Replaces what has the form of a token or of a long part of one, valid or not: for logs and messages. */
export function redactTokens(text: string): string {
  return text.replaceAll(PART_OF_TOKEN, `${PREFIX}…`);
}

export function containsToken(text: string): boolean {
  return TOKEN_IN_TEXT.test(text);
}

export interface GeneratedToken {
  /** Must be shown once and stored nowhere. */
  token: string;
  keyId: string;
}

export function generateToken(): GeneratedToken {
  const keyId = randomBase62(KEY_ID_LENGTH);
  const body = PREFIX + keyId + randomBase62(SECRET_LENGTH);
  return { token: body + computeChecksum(body), keyId };
}

/** Null if the format or the checksum is wrong. */
export function parseToken(text: string): { keyId: string } | null {
  if (!TOKEN_PATTERN.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (text.slice(-CHECKSUM_LENGTH) !== computeChecksum(body)) return null;
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

/** CRC-32 in base62, most significant character first; any 32-bit number fits into six characters. */
function computeChecksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let position = 0; position < CHECKSUM_LENGTH; position++) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
