/** The values of `order_by`: time windows that end now. Times are Unix seconds. */
import { DAY_S, HOUR_S } from "#domain/time.ts";
import { memoizeBounded } from "./memoize-bounded.ts";

const ROLLING = {
  last_hour: HOUR_S,
  this_week: 7 * DAY_S,
  this_month: 30 * DAY_S,
  this_year: 365 * DAY_S,
} as const;

export const PUBLISHING_WINDOWS = ["last_hour", "today", "this_week", "this_month", "this_year"] as const;
type PublishingWindow = (typeof PUBLISHING_WINDOWS)[number];

/** The first second of the window. */
export function windowStart(window: PublishingWindow, now: number, timezone: string): number {
  return window === "today" ? startOfToday(now, timezone) : now - ROLLING[window];
}

const calendars = memoizeBounded(
  8,
  (timezone) => new Intl.DateTimeFormat("en", { timeZone: timezone, dateStyle: "short" }),
);

/** Found by binary search, since with clock changes a day may be longer, shorter, or not begin at 00:00. */
function startOfToday(now: number, timezone: string): number {
  const calendar = calendars(timezone);
  const dayAt = (second: number) => calendar.format(second * 1000);
  const today = dayAt(now);
  let yesterday = now - 2 * DAY_S;
  let first = now;
  while (first - yesterday > 1) {
    const middle = Math.floor((first + yesterday) / 2);
    if (dayAt(middle) === today) first = middle;
    else yesterday = middle;
  }
  return first;
}
