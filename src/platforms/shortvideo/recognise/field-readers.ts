/**
 * Reads single fields of captured objects. Captures come from many tools and many years, so every field may be absent
 * or of another type; whatever cannot be trusted is `undefined`, which means "this capture does not say".
 */

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const NOTHING: Fields = Object.freeze({});

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NOTHING;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; anything else in it is passed over. */
export function objectsOf(value: unknown): Fields[] {
  return listOf(value).filter(isFields);
}

/** Database dumps write long integers as `{"$numberLong": "…"}`. */
function unwrapped(value: unknown): unknown {
  return isFields(value) && typeof value["$numberLong"] === "string" ? value["$numberLong"] : value;
}

/** All ids of this platform are digits; `0` is what it writes for none. */
export function readId(value: unknown): string | undefined {
  const id = unwrapped(value);
  if (typeof id === "number") return Number.isSafeInteger(id) && id > 0 ? String(id) : undefined;
  return typeof id === "string" && /^\d{1,24}$/.test(id) && !/^0+$/.test(id) ? id : undefined;
}

/** A name in the address bar, without `@`. */
export function readName(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = value.trim().replace(/^@/, "");
  return /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u.test(name) ? name : undefined;
}

/** Text as written; empty text is a known text. NUL and half characters cannot be stored, so they go. */
export function readText(value: unknown): string | undefined {
  return typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : undefined;
}

/** Where a tool writes "" for what it does not know. */
export function readFilledText(value: unknown): string | undefined {
  const text = readText(value);
  return text === undefined || text.trim() === "" ? undefined : text;
}

export function readAddress(value: unknown): string | undefined {
  return typeof value === "string" && /^https?:\/\/[^\s]+$/i.test(value) ? readText(value) : undefined;
}

/** A whole number from zero, also as digit text or `17972.0`. Hidden counts (-1) are not known. */
export function readCount(value: unknown): number | undefined {
  const count = readInteger(value);
  return count !== undefined && count >= 0 ? count : undefined;
}

export function readInteger(value: unknown): number | undefined {
  const raw = unwrapped(value);
  const number = typeof raw === "string" && /^-?\d{1,16}(?:\.0+)?$/.test(raw.trim()) ? Number(raw) : raw;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

/** Sizes and lengths: the platform writes 0 where there is none. Fractions of seconds are rounded. */
export function readMeasure(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,12}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || number > 1e12) return undefined;
  const measure = Math.round(number);
  return measure > 0 ? measure : undefined;
}

const FLAG_WORDS = new Map([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false],
]);

export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  return typeof value === "string" ? FLAG_WORDS.get(value.toLowerCase()) : undefined;
}

const FIRST_SECOND = 1_000_000_000;
const LAST_SECOND = 4_100_000_000;

/** Unix seconds from seconds, milliseconds, digit text, or a written date, which is UTC unless it says otherwise. */
export function readSeconds(value: unknown): number | undefined {
  const number = readInteger(value);
  if (number !== undefined) {
    const seconds = number > LAST_SECOND ? Math.floor(number / 1000) : number;
    return seconds >= FIRST_SECOND && seconds <= LAST_SECOND ? seconds : undefined;
  }
  if (typeof value !== "string") return undefined;
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?(?:\.\d+)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/.exec(value.trim());
  if (parts === null) return undefined;
  const [, day = "", time = "00:00:00", zone = "Z"] = parts;
  const at = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(at) ? undefined : readSeconds(Math.floor(at / 1000));
}

/** Unix milliseconds of a capture. */
export function readCaptureTime(value: unknown): number | undefined {
  const number = readInteger(value);
  return number !== undefined && number >= FIRST_SECOND * 1000 && number <= LAST_SECOND * 1000 ? number : undefined;
}

/** ISO 3166 alpha-2 in upper case. */
export function readCountry(value: unknown): string | undefined {
  return typeof value === "string" && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : undefined;
}

/** `un` is the platform's word for a language it could not tell. */
export function readLanguage(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "un") return undefined;
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(value) ? value : undefined;
}

/** The first count that any of the sources knows under any of the names; sources are given exact ones first. */
export function firstCount(sources: readonly Fields[], ...names: string[]): number | undefined {
  for (const source of sources) {
    for (const name of names) {
      const count = readCount(source[name]);
      if (count !== undefined) return count;
    }
  }
  return undefined;
}

/** Without the fields that are not known; nothing at all if none is. */
export function knownFields<T extends object>(fields: T): T | undefined {
  // A plain loop: this runs a dozen times for every post of a capture.
  let known: Partial<T> | undefined;
  for (const name in fields) {
    if (fields[name] !== undefined) {
      known ??= {};
      known[name] = fields[name];
    }
  }
  return known as T | undefined;
}
