/** A unit of texts for fast-check: any code point but surrogates. Its own unit "binary" first lists them all, for a second. */
import * as fc from "fast-check";

export const ANY_CHARACTER = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code), codeOf);

/** The way back, by which fast-check also finds texts such as `__proto__`. */
function codeOf(text: unknown): number {
  const code = typeof text === "string" ? (text.codePointAt(0) ?? -1) : -1;
  if (code === -1 || text !== String.fromCodePoint(code)) throw new Error("not one character");
  return code;
}
