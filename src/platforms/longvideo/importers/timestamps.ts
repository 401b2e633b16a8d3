/** Parses times to Unix seconds and durations to seconds, as YouTube's formats write them. */
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

/** Estimates the time that "3 days ago" means, relative to the capture. Only English pages are understood. */
export function estimateTime(text: string | undefined, capturedAt: number | null): number | undefined {
  const found = /^(\d{1,3}|an?) (second|minute|hour|day|week|month|year)s? ago\b/i.exec(text ?? "");
  if (found === null || capturedAt === null) return undefined;
  const [, amount = "", unit = ""] = found;
  const units = /^an?$/i.test(amount) ? 1 : Number(amount);
  return readTimestamp(capturedAt / 1000 - units * (UNIT_SECONDS[unit.toLowerCase()] ?? 0));
}
