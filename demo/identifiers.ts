/**
 * Ids in the platforms' own formats. Ids that contain a time count back from a fixed day, so that demo data generated
 * tomorrow has the same ids.
 */
import type { Random } from "./random.ts";

/** 1 November 2025, Unix seconds. */
const ANCHOR = 1_761_955_200;

/** Epoch of the photo-sharing platform's ids, Unix milliseconds. */
const PHOTO_EPOCH = 1_314_000_000_000;

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Seconds in the high bits, 32 random bits below: nineteen digits. */
export function timestampId(random: Random, ago: number): string {
  return ((BigInt(ANCHOR - ago) << 32n) | BigInt(random.bits())).toString();
}

/** Milliseconds in the high bits, 23 random bits below: nineteen digits. */
export function photoId(random: Random, ago: number): string {
  const milliseconds = (ANCHOR - ago) * 1_000 + random.integer(0, 999) - PHOTO_EPOCH;
  return ((BigInt(milliseconds) << 23n) | BigInt(random.bits() >>> 9)).toString();
}

/** The code of a photo's id in its URL. */
export function shortcode(id: string): string {
  let rest = BigInt(id);
  let code = "";
  while (rest > 0n) {
    code = BASE64URL.charAt(Number(rest & 63n)) + code;
    rest >>= 6n;
  }
  return code;
}

export function base64Id(random: Random, length: number): string {
  return random.text(BASE64URL, length);
}

/** Without a leading zero. */
export function numericId(random: Random, length: number): string {
  return random.text("123456789", 1) + random.text("0123456789", length - 1);
}

/** A URL on the reserved host that stands for every media server of the demo data. */
export function mediaUrl(...path: (string | number)[]): string {
  return `https://media.example/${path.join("/")}`;
}
