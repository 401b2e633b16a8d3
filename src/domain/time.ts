/** Lengths of time, and days in UTC. */
export const MINUTE_S = 60;
export const HOUR_S = 3_600;
export const DAY_S = 86_400;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Days since 1970. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Unix milliseconds. */
export function startOfDay(day: number): number {
  return day * DAY_MS;
}

/** YYYY-MM-DDThh:mm:ss.sssZ */
export function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** YYYY-MM-DD */
export function toIsoDate(ms: number): string {
  return toIsoTime(ms).slice(0, 10);
}

/** Subtitles are timed in milliseconds; further digits are floating-point noise. */
export function roundToMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
