/**
 * What a post adds to the rankings, from its captured counters: pure, and the same for every store. A capture with more
 * views than the ones before it counts on its day, with the growth that fell within a period before it. Values are
 * integers, so sums do not depend on the order of posts. docs/trends.md states the formula.
 */
import { mayHideGrowth } from "#domain/approximate.ts";
import type { CounterPoint, PlatformName } from "#domain/record.ts";
import { DAY_MS, dayOf, startOfDay } from "#domain/time.ts";

/** The periods of rankings, in days. */
export const TREND_PERIODS = [7, 30, 120] as const;
export type TrendPeriod = (typeof TREND_PERIODS)[number];

/** The length of a ranking. */
export const MAX_ENTRIES = 1_000;
/** Posts on a topic are searched among this many. */
export const TOPIC_DEPTH = 2_000;
export const TOP_POSTS = 5;
/** The top posts of a hashtag or sound are chosen from this many of its newest posts. */
export const TOP_POSTS_AMONG = 200;

const LONGEST_PERIOD = 120;
/** A larger number of views is a mistake. Sums of many such numbers are still exact. */
const MAX_VIEWS = 1e11;

export type PerPeriod = [number, number, number];

export interface DayGrowth {
  /** Days since 1970, UTC. */
  day: number;
  values: PerPeriod;
}

/** Gain of each period, gain of the period before each, and whether the post gained anything: three numbers each. */
export type TrendSums = [...PerPeriod, ...PerPeriod, ...PerPeriod];

/** What a post gained per day, oldest first. `points` are its captures in order of time. */
export function growthByDay(
  platform: PlatformName,
  publishedAt: number | null,
  points: readonly CounterPoint[],
): DayGrowth[] {
  const days: DayGrowth[] = [];
  let since: number | null = null;
  let value = 0;
  let hasViews = false;
  for (const { capturedAt, counters } of points) {
    const seen = attention(counters);
    const isViews = counters.views !== undefined;
    if (seen === null || (hasViews && !isViews)) continue;
    if (since === null) {
      const published = publishedAt === null ? capturedAt : publishedAt * 1000;
      since = Math.min(published, capturedAt);
      // Without an earlier point its growth is unknown.
      if (since === capturedAt) value = seen;
    } else if (isViews && !hasViews) {
      // The points before it counted likes and comments.
      since = capturedAt;
      value = seen;
    }
    hasViews = isViews;
    if (seen < value || (seen === value && mayHideGrowth(platform, seen))) continue;
    if (seen > value) addGrowth(days, capturedAt, seen - value, capturedAt - since);
    since = capturedAt;
    value = seen;
  }
  return days;
}

/** Photos have no views; likes and comments replace them. */
function attention({ views, likes, comments }: CounterPoint["counters"]): number | null {
  if (views === undefined && likes === undefined && comments === undefined) return null;
  return Math.min(views ?? (likes ?? 0) + 3 * (comments ?? 0), MAX_VIEWS);
}

function addGrowth(days: DayGrowth[], capturedAt: number, growth: number, gapMs: number): void {
  const gapDays = gapMs / DAY_MS;
  const values = TREND_PERIODS.map((period) => Math.round(growth * Math.min(1, period / gapDays))) as PerPeriod;
  const day = dayOf(capturedAt);
  const last = days.at(-1);
  if (last?.day === day) for (const index of values.keys()) (last.values[index] as number) += values[index] as number;
  else days.push({ day, values });
}

/** Drops the days that no period of today, nor the one before it, includes. */
export function countingDays(today: number, growth: readonly DayGrowth[]): DayGrowth[] {
  const first = firstCountingDay(today);
  return growth.filter(({ day, values }) => day >= first && day <= today && values[2] > 0);
}

export function firstCountingDay(today: number): number {
  return today - 2 * LONGEST_PERIOD + 1;
}

export function sumsOn(today: number, growth: readonly DayGrowth[]): TrendSums {
  const sums: TrendSums = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (const { day, values } of growth) {
    const age = today - day;
    if (age < 0) continue;
    for (let index = 0; index < TREND_PERIODS.length; index++) {
      const period = TREND_PERIODS[index] as TrendPeriod;
      if (age < 2 * period) (sums[age < period ? index : index + 3] as number) += values[index] as number;
    }
  }
  for (let index = 0; index < TREND_PERIODS.length; index++) sums[index + 6] = (sums[index] as number) > 0 ? 1 : 0;
  return sums;
}

/** The name of the list of one kind: of all countries together, or of one. */
export function trendList(platform: string, kind: string, country: string | null): string {
  return `${platform}/${kind}/${country ?? ""}`;
}

/** The names of all lists of a platform, or of one kind of it: from the first name up to, not including, the second. */
export function listRange(platform: string, kind?: string): [from: string, to: string] {
  const prefix = kind === undefined ? platform : `${platform}/${kind}`;
  // "0" is the character after "/".
  return [`${prefix}/`, `${prefix}0`];
}

/** The gain of each day of a period, oldest first; `at` is the day's first second. */
export function trendSeries(
  today: number,
  period: TrendPeriod,
  gains: readonly (readonly [day: number, value: number])[],
): { at: number; value: number }[] {
  const byDay = new Map(gains);
  return Array.from({ length: period }, (_, index) => {
    const day = today - period + 1 + index;
    return { at: startOfDay(day) / 1000, value: byDay.get(day) ?? 0 };
  });
}
