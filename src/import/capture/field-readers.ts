/**
 * Reads single fields of captured objects, the same way for every platform. Captures come from many tools and many
 * years, so a field may be absent or of another type. No reader throws; `undefined` means unknown.
 */
import { type Fields, isFields } from "#domain/fields.ts";

export { type Fields, isFields };

const NO_FIELDS: Fields = Object.freeze({});

export function readObject(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

/** The object at a path; an empty one if a step is missing, so that reads can be chained. */
export function readObjectAt(value: unknown, ...path: string[]): Fields {
  let current = value;
  for (const step of path) current = isFields(current) ? current[step] : undefined;
  return isFields(current) ? current : NO_FIELDS;
}

/** Some services write lists as objects, `{"0": …, "1": …}`. */
export function readList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isFields(value) || !("0" in value)) return undefined;
  return Object.keys(value).every((key, index) => key === String(index)) ? Object.values(value) : undefined;
}

/** The items of a list; none if it is not a list. */
export function readItems(value: unknown): readonly unknown[] {
  return readList(value) ?? [];
}

/** The objects of a list, without other items. */
export function readObjects(value: unknown): Fields[] {
  return readItems(value).filter(isFields);
}

/** Tables flattened from database dumps have long integers in columns such as `playCount.$numberLong`. */
function unwrap(value: unknown): unknown {
  return isFields(value) && value["$numberLong"] !== undefined ? value["$numberLong"] : value;
}

/**
 * A numeric id. Platforms write `0` for none. A number beyond 2^53 has lost digits, so it is not an id; the JSON parser
 * returns such numbers as text.
 */
export function readId(value: unknown): string | undefined {
  const id = unwrap(value);
  if (typeof id === "number") return Number.isSafeInteger(id) && id > 0 ? String(id) : undefined;
  return typeof id === "string" && /^\d{1,24}$/.test(id) && !/^0+$/.test(id) ? id : undefined;
}

/** Text, which may be empty. NUL is removed and lone surrogates are replaced, since they cannot be stored. */
export function readText(value: unknown): string | undefined {
  return typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : undefined;
}

/** The text of a comment: stickers and pictures have none. */
export function readCommentText(value: unknown): string | undefined {
  return readText(value ?? "");
}

/** Text that is not blank: many tools write "" for unknown. */
export function readFilledText(value: unknown): string | undefined {
  const text = readText(value);
  return text === undefined || text.trim() === "" ? undefined : text;
}

export function readFilledTexts(value: unknown): string[] | undefined {
  return nonEmpty(readItems(value).flatMap((item) => readFilledText(item) ?? []));
}

export function readUrls(value: unknown): string[] | undefined {
  return nonEmpty(readItems(value).flatMap((item) => readUrl(item) ?? []));
}

/** Undefined for an empty list: where nothing was read, nothing is known. */
export function nonEmpty<Item>(items: Item[]): Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** A web URL; some platforms leave out the scheme. */
export function readUrl(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^(?:https?:)?\/\/[^\s"<>]+$/i.test(value)) return undefined;
  return readText(value.startsWith("/") ? `https:${value}` : value);
}

/** Also from text. A number cannot represent more than 16 digits exactly. */
export function readNumber(value: unknown): number | undefined {
  const raw = unwrap(value);
  if (typeof raw === "number") return Number.isFinite(raw) ? raw : undefined;
  if (typeof raw !== "string") return undefined;
  const text = raw.trim();
  return /^-?\d{1,16}(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** A whole number, also as text such as `17972.0`. */
export function readInteger(value: unknown): number | undefined {
  const number = readNumber(value);
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
}

/** `12.000` is twelve thousand in German or Spanish, and twelve in English. */
const AMBIGUOUS_COUNT = /^[1-9]\d{0,2}\.000$/;

/** An exact count. Hidden (-1), rounded ("451K") and ambiguous ("12.000") counts are unknown. */
export function readCount(value: unknown): number | undefined {
  const count = readInteger(value);
  if (count === undefined || count < 0) return undefined;
  return typeof value === "string" && AMBIGUOUS_COUNT.test(value.trim()) ? undefined : count;
}

/** For formats that write 0 for unknown, too. */
export function readPositiveCount(value: unknown): number | undefined {
  const count = readCount(value);
  return count === 0 ? undefined : count;
}

/** The first known count under any of the names; list sources with exact counts first. */
export function readFirstCount(sources: readonly Fields[], ...names: string[]): number | undefined {
  for (const source of sources) {
    for (const name of names) {
      const count = readCount(source[name]);
      if (count !== undefined) return count;
    }
  }
  return undefined;
}

const MAX_MEASURE = 1e12;

/** A width, height or duration, rounded to a whole number; platforms write 0 for unknown. */
export function readMeasure(value: unknown): number | undefined {
  const measure = Math.round(readNumber(value) ?? 0);
  return measure > 0 && measure <= MAX_MEASURE ? measure : undefined;
}

const FLAG_WORDS: ReadonlyMap<unknown, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false],
]);

/** Also as tables and databases write flags: `True`, `yes`, `1`. */
export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return FLAG_WORDS.get(value.trim().toLowerCase());
  return value === 1 ? true : value === 0 ? false : undefined;
}

/** 2001-09-09 and 2100-01-01: a number outside this range has another unit or is not a time. */
const FIRST_SECOND = 1_000_000_000;
const LAST_SECOND = 4_102_444_800;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|UTC|E[SD]T|[+-]\d\d(?::?\d\d)?)?)?$/;
/** Databases write `UTC`, CrowdTangle the time of the American east coast. */
const ZONES: Readonly<Record<string, string>> = { UTC: "Z", EST: "-05:00", EDT: "-04:00" };
const COMPACT_DATE = /^(\d{4})(\d\d)(\d\d)$/;

/** Unix seconds from seconds, milliseconds, microseconds, an ISO 8601 date or `YYYYMMDD`; without a zone it is UTC. */
export function readTimestamp(value: unknown): number | undefined {
  const seconds = readInstant(value);
  return seconds === undefined ? undefined : Math.floor(seconds);
}

/** The same in Unix milliseconds. */
export function readMilliseconds(value: unknown): number | undefined {
  const seconds = readInstant(value);
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}

/** Unix seconds with their fraction. */
function readInstant(value: unknown): number | undefined {
  let seconds = (typeof value === "string" ? parseDate(unquote(value).trim()) : undefined) ?? readNumber(value);
  if (seconds === undefined) return undefined;
  for (let unit = 0; unit < 2 && seconds > LAST_SECOND; unit++) seconds /= 1000;
  return seconds >= FIRST_SECOND && seconds <= LAST_SECOND ? seconds : undefined;
}

/** Some vendors write a text as JSON within the JSON, with quotes of its own. */
export function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

function parseDate(text: string): number | undefined {
  const [, day, time = "00:00", zone = "Z"] = DATE_TIME.exec(text.replace(COMPACT_DATE, "$1-$2-$3")) ?? [];
  if (day === undefined) return undefined;
  // Date.parse takes 31 April for a day of May.
  if (new Date(`${day}T00:00Z`).getUTCDate() !== Number(day.slice(-2))) return 0;
  // Date.parse need not accept these, nor `+00`, as databases write it, nor fractions beyond milliseconds.
  const offset = ZONES[zone] ?? zone.replace(/^([+-]\d\d)$/, "$1:00");
  const seconds = Date.parse(`${day}T${time.replace(/(\.\d{3})\d+$/, "$1")}${offset}`) / 1000;
  // Zero is no time: what is not a date of the range must not be taken for milliseconds.
  return Number.isNaN(seconds) || seconds > LAST_SECOND ? 0 : seconds;
}

/** A capture time: Unix milliseconds, as in the envelopes of capture tools. */
export function readCaptureTime(value: unknown): number | undefined {
  const time = readNumber(value);
  return time !== undefined && time >= FIRST_SECOND * 1000 && time <= LAST_SECOND * 1000 ? Math.floor(time) : undefined;
}

/** ISO 3166 alpha-2 in upper case. */
export function readCountry(value: unknown): string | undefined {
  return typeof value === "string" && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : undefined;
}

/** A BCP 47 language tag. `un` means that no language was detected. */
export function readLanguage(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "un") return undefined;
  return /^[a-z]{2,3}(?:-[a-z0-9]{1,20})*$/i.test(value) ? value : undefined;
}

/** The known fields of `source` among `names`, each read with `read`. */
export function readMembers<Name extends string, Value>(
  source: Fields,
  names: readonly Name[],
  read: (value: unknown) => Value | undefined,
): { [Key in Name]?: Value } {
  const members: { [Key in Name]?: Value } = {};
  for (const name of names) {
    const value = read(source[name]);
    if (value !== undefined) members[name] = value;
  }
  return members;
}

/** Fields as a capture gives them: undefined for each that it does not have. */
export type WithUnknown<T> = { [Key in keyof T]: T[Key] | undefined };

/** The known fields; undefined if there are none. */
export function omitUnknown<T extends object>(
  fields: WithUnknown<T>,
): { [Key in keyof T]?: NonNullable<T[Key]> } | undefined {
  // A plain loop: this runs a dozen times for every post of a capture.
  let known: { [Key in keyof T]?: NonNullable<T[Key]> } | undefined;
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && value !== null) {
      known ??= {};
      known[name] = value;
    }
  }
  return known;
}
