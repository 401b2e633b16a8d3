/** Numbers and times as the reader's locale writes them. What is unknown is a dash, never zero. */

export const UNKNOWN = "–";

type Maybe<Value> = Value | null | undefined;

const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const exact = new Intl.NumberFormat();
const signed = new Intl.NumberFormat(undefined, {
  notation: "compact",
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const utcDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(undefined, { style: "short" });
/** "yesterday" and "now", but not "last mo". */
const relativeInWords = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
const regions = new Intl.DisplayNames(undefined, { type: "region", fallback: "code" });
const languages = new Intl.DisplayNames(undefined, { type: "language", fallback: "code" });

export const formatCount = (value: Maybe<number>): string => (value == null ? UNKNOWN : compact.format(value));
export const formatExact = (value: Maybe<number>): string => (value == null ? UNKNOWN : exact.format(value));
/** "1 post", "2 posts". */
export const formatNumberOf = (count: Maybe<number>, one: string, many = `${one}s`): string =>
  `${formatExact(count)} ${count === 1 ? one : many}`;
/** The two sizes of a list. */
export interface Sized {
  stored: number;
  platform_total: number | null;
}

/** "3 of 73,500 stored"; "3" where the platform counts no more, or where its count is unknown. */
export const formatStored = ({ stored, platform_total: total }: Sized): string =>
  total !== null && total > stored ? `${formatExact(stored)} of ${formatExact(total)} stored` : formatExact(stored);

/** "3 of 73,500 posts stored", "3 posts". */
export const formatStoredOf = ({ stored, platform_total: total }: Sized, one: string, many = `${one}s`): string =>
  total !== null && total > stored
    ? `${formatExact(stored)} of ${formatNumberOf(total, one, many)} stored`
    : formatNumberOf(stored, one, many);
export const formatChange = (value: Maybe<number>): string => (value == null ? UNKNOWN : signed.format(value));

/** Unix seconds, ISO text or milliseconds in a Date. */
export type When = Maybe<number | string | Date>;

export function toDate(when: When): Date | null {
  if (when == null) return null;
  const date = typeof when === "number" ? new Date(when * 1000) : new Date(when);
  return Number.isNaN(date.getTime()) ? null : date;
}

export function formatDay(when: When): string {
  const date = toDate(when);
  return date === null ? UNKNOWN : day.format(date);
}

/** Where the reader is, in Unix seconds: "2026-11-15" shows as that day in every time zone, and charts have its label there. */
export const startOfDay = (calendarDay: string): number => Date.parse(`${calendarDay}T00:00:00`) / 1000;

export function formatMoment(when: When): string {
  const date = toDate(when);
  return date === null ? UNKNOWN : moment.format(date);
}

const DAY_S = 86_400;

/** Unix seconds as days, or as moments where one day has several of them. */
export function formatTimes(times: readonly number[]): string[] {
  const days = times.map((time) => formatDay(time));
  return new Set(days).size === days.length ? days : times.map((time) => formatMoment(time));
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * DAY_S],
  ["month", 30 * DAY_S],
  ["day", DAY_S],
  ["hour", 3_600],
  ["minute", 60],
];

export function formatAge(when: When, now = Date.now()): string {
  const date = toDate(when);
  if (date === null) return UNKNOWN;
  const seconds = (date.getTime() - now) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  const format = unit === "day" || unit === "second" ? relativeInWords : relative;
  return format.format(Math.trunc(seconds / length), unit);
}

export interface Dated {
  published_at: number | null;
  approximate?: readonly string[];
}

/** Whether only the day is known: such a time is midnight in UTC, which elsewhere may be another day. */
const isDayOnly = ({ published_at: at, approximate }: Dated): boolean =>
  at !== null && at % DAY_S === 0 && approximate?.includes("published_at") === true;

export function formatPublished(record: Dated): string {
  const date = toDate(record.published_at);
  if (date === null) return UNKNOWN;
  return isDayOnly(record) ? utcDay.format(date) : moment.format(date);
}

export function formatPublishedAge(record: Dated, now = Date.now()): string {
  const { published_at: at } = record;
  const days = Math.floor((at ?? 0) / DAY_S) - Math.floor(now / 1000 / DAY_S);
  return isDayOnly(record) && Math.abs(days) < 30 ? relativeInWords.format(days, "day") : formatAge(at, now);
}

/** 75 is 1:15. */
export function formatDuration(seconds: Maybe<number>): string {
  if (seconds == null) return UNKNOWN;
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB"];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  const value = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(bytes / 1000 ** power);
  return `${value} ${units[power - 1] ?? "kB"}`;
}

/** A code that is none is shown as it is. */
export function countryName(code: string): string {
  try {
    return regions.of(code.toUpperCase()) ?? code;
  } catch {
    return code;
  }
}

export function languageName(code: string): string {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Where the reader's language setting places them; some systems name a language that is none. */
export function readerRegion(): string | undefined {
  try {
    return new Intl.Locale(navigator.language).region;
  } catch {
    return undefined;
  }
}

/** Regions that the browser has a name for and that are no country of ISO 3166-1, which is what the service takes. */
const NO_COUNTRY = /^(?:X[A-Z]|Q[M-Z]|AA|AC|CP|CQ|DG|EA|EU|EZ|IC|TA|UN|ZZ)$/;

/** Every country that the browser has a name for, by name. */
export function listCountries(): { code: string; name: string }[] {
  const known = new Intl.DisplayNames(undefined, { type: "region", fallback: "none" });
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));
  return letters
    .flatMap((one) => letters.map((other) => one + other))
    .flatMap((code) => {
      // A former code, such as DD, has the name of the country that it stands for now.
      const isCurrent = new Intl.Locale(`und-${code}`).region === code;
      const name = !isCurrent || NO_COUNTRY.test(code) ? undefined : known.of(code);
      return name === undefined ? [] : [{ code, name }];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
