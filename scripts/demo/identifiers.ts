/** Ids in the platforms' own formats, and the URLs of pictures. Ids that contain a time have that of their record. */
import type { Random } from "./random.ts";

/** Epoch of the photo-sharing platform's ids, Unix milliseconds. */
const PHOTO_EPOCH = 1_314_000_000_000;

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Unix seconds in the high bits, 32 random bits below: nineteen digits. */
export function timestampId(random: Random, at: number): string {
  return ((BigInt(at) << 32n) | BigInt(random.bits())).toString();
}

/** The time in such an id, Unix seconds. */
export function timeOfTimestampId(id: string): number {
  return Number(BigInt(id) >> 32n);
}

/** Milliseconds in the high bits, 23 random bits below: nineteen digits. */
export function photoId(random: Random, at: number): string {
  const milliseconds = at * 1_000 + random.integer(0, 999) - PHOTO_EPOCH;
  return ((BigInt(milliseconds) << 23n) | BigInt(random.bits() >>> 9)).toString();
}

/** The time in such an id, Unix seconds. */
export function timeOfPhotoId(id: string): number {
  return Math.floor((Number(BigInt(id) >> 23n) + PHOTO_EPOCH) / 1_000);
}

export function base64Id(random: Random, length: number): string {
  return random.text(BASE64URL, length);
}

/** Without a leading zero. */
export function numericId(random: Random, length: number): string {
  return random.text("123456789", 1) + random.text("0123456789", length - 1);
}

/** The URL of a generated picture; `subject` chooses what it looks like, `text` is written on it. */
export type PictureUrl = (subject: string, id: string, width: number, height: number, text?: string) => string;

/** Pictures that the service itself draws, below `base`. */
export function pictureUrls(base: string): PictureUrl {
  return (subject, id, width, height, text) =>
    `${base}/media/${subject}/${id}/${width}x${height}.svg${text === undefined ? "" : `?text=${encodeURIComponent(text)}`}`;
}

/** The first letters of a name, for the picture of an account. */
export function initials(name: string): string {
  return name
    .split(" ")
    .map((word) => Array.from(word)[0] ?? "")
    .slice(0, 2)
    .join("");
}

/** Videos and sounds are not generated: their URLs are on a reserved host. */
export function fileUrl(...path: (string | number)[]): string {
  return `https://media.example/${path.join("/")}`;
}
