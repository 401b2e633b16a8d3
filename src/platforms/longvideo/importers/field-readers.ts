/**
 * One field of a foreign object at a time: the value where it is what it should be, else undefined. Whatever stands in
 * a file, these neither throw nor guess, so a reader that uses nothing else cannot fail on junk.
 */
import type { NativeThumbnail } from "../native.ts";

export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The object at a path; an empty one where any step of it is missing, so that paths can be chained. */
export function within(value: unknown, ...path: string[]): Fields {
  let current = fieldsOf(value);
  for (const step of path) current = fieldsOf(current?.[step]);
  return current ?? {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text that says something. NUL and lone surrogates survive no database and no JSON reader unharmed. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.replaceAll("\0", "").toWellFormed();
  return text.trim() === "" ? undefined : text;
}

export function textsOf(value: unknown): string[] | undefined {
  const texts = listOf(value).flatMap((item) => textOf(item) ?? []);
  return texts.length === 0 ? undefined : texts;
}

const ID = /^[\w.@:=-]{1,200}$/;

export function idOf(value: unknown): string | undefined {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && ID.test(text) ? text : undefined;
}

const VIDEO_ID = /^[\w-]{5,64}$/;

export function videoIdOf(value: unknown): string | undefined {
  return typeof value === "string" && VIDEO_ID.test(value) ? value : undefined;
}

/** `@name` or a channel's address that ends in it: the name without the sign. */
export function handleOf(value: unknown): string | undefined {
  return typeof value === "string" ? /^(?:.*\/)?@([^\s/?#@]{1,100})$/.exec(value.toWellFormed())?.[1] : undefined;
}

/** A count that is known: digits, as a number or as text, and not "-1" for hidden or "1.2K" for about. */
export function countOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,16}(?:\.0+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** Where nought stands for "not known" as well as for none, it says nothing. */
export function positive(count: number | undefined): number | undefined {
  return count === 0 ? undefined : count;
}

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return undefined;
  const word = value.toLowerCase();
  return word === "true" ? true : word === "false" ? false : undefined;
}

/** The address of a picture; the platform leaves the scheme out now and then. */
export function addressOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const address = value.startsWith("//") ? `https:${value}` : value;
  return /^https?:\/\/[^\s"<>]+$/.test(address) && URL.canParse(address) ? address.toWellFormed() : undefined;
}

export function thumbnailsOf(value: unknown): NativeThumbnail[] | undefined {
  const thumbnails = listOf(value).flatMap((item) => thumbnailOf(item) ?? []);
  return thumbnails.length === 0 ? undefined : thumbnails;
}

export function thumbnailOf(value: unknown): NativeThumbnail | undefined {
  const { url, width, height } = within(value);
  const address = addressOf(url);
  if (address === undefined) return undefined;
  return {
    url: address,
    ...(positive(countOf(width)) === undefined ? {} : { width: countOf(width) }),
    ...(positive(countOf(height)) === undefined ? {} : { height: countOf(height) }),
  };
}

/** A language as BCP 47 writes it; not whether anyone speaks it. */
export function languageOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,20})*$/.test(value) ? value : undefined;
}

/** ISO 3166 alpha-2, upper case. */
export function countryOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : undefined;
}
