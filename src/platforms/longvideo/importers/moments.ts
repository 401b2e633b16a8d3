/** The ways in which this platform's formats write moments and lengths, read to Unix seconds and to seconds. */
import { numberOf } from "./field-readers.ts";

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Unix seconds of an ISO 8601 moment; what names no zone is taken as UTC. */
export function momentOf(value: unknown): number | undefined {
  const found = typeof value === "string" ? ISO.exec(value.trim()) : null;
  if (found === null) return undefined;
  const [, day, clock = "00:00", zone = "Z"] = found;
  // Longer fractions than milliseconds are not for every parser.
  return unixSeconds(Date.parse(`${day}T${clock.replace(/(\.\d{3})\d+$/, "$1")}${zone}`) / 1000);
}

/** A moment that a file gives as a number of seconds. */
export function unixSeconds(value: unknown): number | undefined {
  const seconds = numberOf(value);
  // From the platform's first year to the end of the century; anything else is no moment of a video.
  return seconds !== undefined && seconds > 1_000_000_000 && seconds < 4_102_444_800 ? Math.floor(seconds) : undefined;
}

/** `20220805`: the day's first second in UTC. */
export function compactDayOf(value: unknown): number | undefined {
  const found = typeof value === "string" ? /^(\d{4})(\d{2})(\d{2})$/.exec(value) : null;
  return found === null ? undefined : momentOf(`${found[1]}-${found[2]}-${found[3]}`);
}

/** YYYY-MM-DD of a moment, in UTC. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** Capture times are in milliseconds. */
export function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

const ISO_LENGTH = /^P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})(?:\.\d+)?S)?)?$/;

/** `PT5M16S` is 316. `P0D` is how the platform writes that a stream has not ended: no length. */
export function isoLengthOf(value: unknown): number | undefined {
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

/** Whole seconds; nought is what formats write for a stream that has not ended. */
export function lengthOf(value: unknown): number | undefined {
  const seconds = numberOf(value);
  const whole = seconds === undefined ? 0 : Math.round(seconds);
  return whole > 0 && Number.isSafeInteger(whole) ? whole : undefined;
}

/** `12:34` or `1:02:03`. */
export function clockLengthOf(value: unknown): number | undefined {
  const found = typeof value === "string" ? /^(?:(\d{1,4}):)?(\d{1,2}):(\d{2})$/.exec(value.trim()) : null;
  return found === null ? undefined : lengthOf(Number(found[1] ?? 0) * 3600 + Number(found[2]) * 60 + Number(found[3]));
}

const UNIT_SECONDS: Record<string, number> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
};

/** About when "3 days ago" was, seen from the capture. Pages in other languages than English are not understood. */
export function estimatedMoment(text: string | undefined, capturedAt: number | null): number | undefined {
  const found = /^(\d{1,3}|an?) (second|minute|hour|day|week|month|year)s? ago\b/i.exec(text ?? "");
  if (found === null || capturedAt === null) return undefined;
  const [, amount = "", unit = ""] = found;
  const units = /^an?$/i.test(amount) ? 1 : Number(amount);
  return unixSeconds(capturedAt / 1000 - units * (UNIT_SECONDS[unit.toLowerCase()] ?? 0));
}
