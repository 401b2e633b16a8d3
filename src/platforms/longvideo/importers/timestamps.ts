/** Parses times to Unix seconds and durations to seconds, as YouTube's formats write them. */
import type { Estimate } from "#domain/approximate.ts";
import { DAY_S, HOUR_S, MINUTE_S } from "#domain/time.ts";
import { readMeasure, readTimestamp } from "#import/capture/field-readers.ts";

export function toMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

const ISO_LENGTH = /^P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})(?:\.\d+)?S)?)?$/;

/** `PT5M16S` is 316. `P0D` means that a stream has not ended, so the duration is unknown. */
export function parseIsoDuration(value: unknown): number | undefined {
  const found = typeof value === "string" ? ISO_LENGTH.exec(value) : null;
  if (found === null) return undefined;
  const [weeks, days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const length = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds;
  return length === 0 ? undefined : length;
}

/** How tables write a length: `PT5M16S`, `5:16`, `0 days 00:05:16`, or seconds. */
export function parseAnyDuration(value: unknown): number | undefined {
  const clock = typeof value === "string" ? value.trim().replace(/^0 days /, "") : value;
  return parseIsoDuration(clock) ?? parseClockDuration(clock) ?? readMeasure(clock);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `Jun 7, 2020`, as English pages and exports write a day; the beginning of that day in UTC. */
export function parseEnglishDate(value: unknown): number | undefined {
  const found = typeof value === "string" ? /^([a-z]{3})[a-z]{0,6}\.? (\d{1,2}), (\d{4})$/i.exec(value.trim()) : null;
  const [, month = "", day = "", year = ""] = found ?? [];
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  return number === 0 ? undefined : readTimestamp(`${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`);
}

/** `12:34` or `1:02:03`. */
export function parseClockDuration(value: unknown): number | undefined {
  const found = typeof value === "string" ? /^(?:(\d{1,4}):)?(\d{1,2}):(\d{2})$/.exec(value.trim()) : null;
  return found === null
    ? undefined
    : readMeasure(Number(found[1] ?? 0) * HOUR_S + Number(found[2]) * MINUTE_S + Number(found[3]));
}

const UNIT_SECONDS: Record<string, number> = {
  second: 1,
  minute: MINUTE_S,
  hour: HOUR_S,
  day: DAY_S,
  week: 7 * DAY_S,
  month: 30 * DAY_S,
  year: 365 * DAY_S,
};

const RELATIVE_TIME =
  /^(?:streamed |premiered |streamed live )?(\d{1,3}|an?) (second|minute|hour|day|week|month|year)s? ago\b/i;

/** "3 days ago" is three days, and at most one more, since YouTube counts whole units. Only English is understood. */
export function parseRelativeTime(text: string | undefined): Estimate | undefined {
  const [, amount = "", unit = ""] = RELATIVE_TIME.exec(text ?? "") ?? [];
  const margin = UNIT_SECONDS[unit.toLowerCase()];
  if (margin === undefined) return undefined;
  return { value: (/^an?$/i.test(amount) ? 1 : Number(amount)) * margin, margin };
}

/** Estimates the time that "3 days ago" means, relative to the capture. */
export function estimateTime(text: string | undefined, capturedAt: number | null): Estimate | undefined {
  const elapsed = parseRelativeTime(text);
  if (elapsed === undefined || capturedAt === null) return undefined;
  const value = readTimestamp(capturedAt / 1000 - elapsed.value);
  return value === undefined ? undefined : { value, margin: elapsed.margin };
}

const DAY_FORMS = [
  /(?<month>[A-Z][a-z]{2,8})\.? (?<day>\d{1,2}), (?<year>\d{4})$/,
  /\b(?<day>\d{1,2}) (?<month>[A-Z][a-z]{2,8})\.? (?<year>\d{4})$/,
  /\b(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})\b/,
];

/**
 * The day in "Nov 12, 2023", "Premiered 12 Nov 2023", "12.11.2023" or "2023/11/12". The page shows the day of the
 * viewer's time zone, so noon in UTC may be off by a day. "11/12/2023" may be either of two days.
 */
export function parseDisplayedDay(text: string | undefined): Estimate | undefined {
  const { year, month = "", day } = DAY_FORMS.map((form) => form.exec(text ?? "")?.groups).find(Boolean) ?? {};
  const number = /^\d/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const date = `${year}-${String(number).padStart(2, "0")}-${day?.padStart(2, "0")}`;
  const value = number === 0 ? undefined : readTimestamp(`${date}T12:00:00Z`);
  return value === undefined ? undefined : { value, margin: DAY_S };
}
