/** Times as YouTube's pages write them, in Unix seconds. */
import type { Estimate } from "#domain/approximate.ts";
import { DAY_S, HOUR_S, MINUTE_S } from "#domain/time.ts";
import { readTimestamp } from "#import/capture/field-readers.ts";
import { monthNumber } from "#import/capture/table-cells.ts";

export function toMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
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

/** From which age on, in days, a page counts in longer units; a tool that computes the time from it rounds to the day. */
const UNITS_BY_AGE = [
  [364, "year"],
  [27, "month"],
  [6.5, "week"],
] as const;

/** A time that a tool computed from "2 years ago": the margin follows from the age. `capturedAt` in milliseconds. */
export function estimateComputedTime(time: number | undefined, capturedAt: number | undefined): Estimate | undefined {
  if (time === undefined) return undefined;
  const days = ((capturedAt ?? Infinity) / 1000 - time) / DAY_S;
  const [, unit] = UNITS_BY_AGE.find(([from]) => days >= from) ?? [0, "day"];
  return { value: time, margin: UNIT_SECONDS[unit] ?? DAY_S };
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
  const number = /^\d/.test(month) ? Number(month) : monthNumber(month);
  const date = `${year}-${String(number).padStart(2, "0")}-${day?.padStart(2, "0")}`;
  const value = number === 0 ? undefined : readTimestamp(`${date}T12:00:00Z`);
  return value === undefined ? undefined : { value, margin: DAY_S };
}
