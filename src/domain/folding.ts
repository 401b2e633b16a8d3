/**
 * Case and accent folding. Unifies compatibility forms and removes case and accents; keeps vowel signs that carry
 * meaning (Devanagari, Thai, the voicing marks of kana).
 */

/** Latin, Greek, Cyrillic accents; Hebrew points; Arabic vowel marks and the stretching tatweel. */
const ACCENTS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g;

// oxlint-disable-next-line no-control-regex -- the class is "all of ASCII"
const ASCII = /^[\x00-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(ACCENTS, "").normalize("NFKC").toLowerCase();
}

/** The look-up key of an account name or hashtag: folded, without a leading `#` or `@`. */
export function foldName(name: string): string {
  return fold(name.trim()).replace(/^[#@\uff03\uff20]+/, "");
}

/** A hashtag as it is requested of a platform, for which `#año` and `#ano` are two. */
export function normalizeHashtag(text: string): string {
  return text
    .trim()
    .replace(/^[#\uff03]+\s*/, "")
    .toLowerCase()
    .normalize("NFC");
}
