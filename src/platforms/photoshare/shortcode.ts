/**
 * A post's code (as in `/p/<code>/`) is its numeric id in base 64, most significant digit first, so each can be computed
 * from the other. Ids exceed 2^53, hence BigInt.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character, BigInt(value)]));
const MAX_ID = 2n ** 64n - 1n;

/** Null for an id that is not a 64-bit number. */
export function idToCode(id: string): string | null {
  if (!/^\d{1,20}$/.test(id)) return null;
  let rest = BigInt(id);
  if (rest > MAX_ID) return null;
  let code = "";
  do {
    code = ALPHABET.charAt(Number(rest % 64n)) + code;
    rest /= 64n;
  } while (rest > 0n);
  return code;
}

/** Null for a text that does not encode a 64-bit number. */
export function codeToId(code: string): string | null {
  if (code.length === 0 || code.length > 11) return null;
  let id = 0n;
  for (const character of code) {
    const value = VALUES.get(character);
    if (value === undefined) return null;
    id = id * 64n + value;
  }
  return id > MAX_ID ? null : String(id);
}
