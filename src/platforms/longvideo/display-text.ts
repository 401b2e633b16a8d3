/**
 * Formats stored numbers as YouTube shows them: relative times, abbreviated counts, clock lengths. Null stays null. Times
 * and durations are in seconds.
 */
import { DAY_S, HOUR_S, MINUTE_S } from "#domain/time.ts";
import { memoizeBounded } from "./memoize-bounded.ts";

/** Months and years have no fixed length; these are the usual approximations. */
const UNITS = [
  ["year", 365 * DAY_S],
  ["month", 30 * DAY_S],
  ["week", 7 * DAY_S],
  ["day", DAY_S],
  ["hour", HOUR_S],
  ["minute", MINUTE_S],
  ["second", 1],
] as const;

const MAX_CACHED_LANGUAGES = 64;

/** For languages without locale data, so that responses do not depend on the machine's own locale. */
const FALLBACK = "en";

const relativeTimes = memoizeBounded(
  MAX_CACHED_LANGUAGES,
  (language) => new Intl.RelativeTimeFormat([language, FALLBACK], { numeric: "always" }),
);

const compactNumbers = memoizeBounded(
  MAX_CACHED_LANGUAGES,
  (language) => new Intl.NumberFormat([language, FALLBACK], { notation: "compact", maximumFractionDigits: 1 }),
);

/** "3 days ago", in whole units of the largest unit that fits; "in 2 hours" for future times. */
export function formatRelativeTime(at: number | null, now: number, language: string): string | null {
  if (at === null) return null;
  const elapsed = now - at;
  const distance = Math.abs(elapsed);
  const [unit, length] = UNITS.find(([, seconds]) => distance >= seconds) ?? (["second", 1] as const);
  const whole = Math.floor(distance / length);
  // -0 formats as "0 seconds ago", 0 as "in 0 seconds".
  return relativeTimes(language).format(elapsed < 0 ? whole : -whole, unit);
}

/** YouTube's prefix for past live streams; always English here. */
export function addStreamedPrefix(text: string | null): string | null {
  return text === null ? null : `Streamed ${text}`;
}

/** "1.2K" */
export function formatCount(count: number | null | undefined, language: string): string | null {
  return count == null ? null : compactNumbers(language).format(count);
}

/** M:SS, or H:MM:SS from one hour on. */
export function formatClock(seconds: number | null): string | null {
  if (seconds === null) return null;
  const whole = Math.max(0, Math.trunc(seconds));
  const minutes = Math.floor(whole / MINUTE_S);
  const tail = twoDigits(whole % MINUTE_S);
  if (whole < HOUR_S) return `${minutes}:${tail}`;
  return `${Math.floor(whole / HOUR_S)}:${twoDigits(minutes % 60)}:${tail}`;
}

/** YYYY-MM-DD in UTC; null for years beyond four digits. */
export function formatDate(at: number | null): string | null {
  const date = new Date((at ?? Number.NaN) * 1000);
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString().slice(0, 10) : null;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
