/**
 * What a post adds to the rankings, from its captured counters: pure, and the same for every store. A capture with more
 * views than the one before it counts on its day, with the growth that fell within a period before it. Values are
 * integers, so sums do not depend on the order of posts. docs/trends.md states the formula.
 */
import { mayHideGrowth } from "#domain/approximate.ts";
import type { CounterPoint, PlatformName } from "#domain/record.ts";
import { DAY_MS, dayOf, startOfDay } from "#domain/time.ts";

/** The periods of rankings, in days. */
export const TREND_PERIODS = [7, 30, 120] as const;
export type TrendPeriod = (typeof TREND_PERIODS)[number];

/** Rankings as of earlier days are kept for this many days, those computed last. */
export const KEPT_DAYS = 4;

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

/** Place of a period in `TREND_PERIODS`. */
export type PeriodIndex = 0 | 1 | 2;
export const PERIOD_INDEXES: readonly PeriodIndex[] = [0, 1, 2];

export type PerPeriod<Value = number> = [Value, Value, Value];

export function perPeriod<Value>(valueOf: (index: PeriodIndex) => Value): PerPeriod<Value> {
  return [valueOf(0), valueOf(1), valueOf(2)];
}

export interface DayGrowth {
  /** Days since 1970, UTC. */
  day: number;
  values: PerPeriod;
}

/** Gain of a post. */
export interface Growth {
  /** Between two captures, on the day of the later one; oldest first. A day without growth counts 0. */
  measured: DayGrowth[];
  /** From publication to the first capture, on the day of that capture: only its time span is known. */
  estimated: DayGrowth | null;
}

/** Numbers per period. */
export interface TrendSums {
  measured: PerPeriod;
  /** Measured in the period before each. */
  before: PerPeriod;
  /** Posts with a measured gain. */
  measuredPosts: PerPeriod;
  /** Estimates, for posts without a measured gain. */
  estimated: PerPeriod;
  estimatedPosts: PerPeriod;
}

/** Growth of a post. `points` are its captures in order of time. */
export function growthOf(platform: PlatformName, publishedAt: number | null, points: readonly CounterPoint[]): Growth {
  const days: DayGrowth[] = [];
  let estimated: DayGrowth | null = null;
  let since: number | null = null;
  let value = 0;
  let hasViews = false;
  for (const { capturedAt, counters } of points) {
    const seen = attention(counters);
    const isViews = counters.views !== undefined;
    if (seen === null || (hasViews && !isViews)) continue;
    const isFirst = since === null;
    // The captures before the first one with views counted likes and comments.
    if (since === null || (isViews && !hasViews)) {
      const published = publishedAt === null ? capturedAt : publishedAt * 1000;
      if (isFirst && published < capturedAt && seen > 0) estimated = growthOn(capturedAt, seen, capturedAt - published);
      since = capturedAt;
      value = seen;
      hasViews = isViews;
      continue;
    }
    hasViews = isViews;
    if (seen < value || (seen === value && mayHideGrowth(platform, seen))) continue;
    addGrowth(days, growthOn(capturedAt, seen - value, capturedAt - since));
    since = capturedAt;
    value = seen;
  }
  return { measured: days, estimated };
}

/** Photos have no views; likes and comments replace them. */
function attention({ views, likes, comments }: CounterPoint["counters"]): number | null {
  if (views === undefined && likes === undefined && comments === undefined) return null;
  return Math.min(views ?? (likes ?? 0) + 3 * (comments ?? 0), MAX_VIEWS);
}

function growthOn(capturedAt: number, growth: number, gapMs: number): DayGrowth {
  const gapDays = gapMs / DAY_MS;
  const values = perPeriod((index) => Math.round(growth * Math.min(1, TREND_PERIODS[index] / gapDays)));
  return { day: dayOf(capturedAt), values };
}

function addGrowth(days: DayGrowth[], growth: DayGrowth): void {
  const last = days.at(-1);
  if (last?.day === growth.day) addTo(last.values, growth.values);
  else days.push(growth);
}

export function addTo(sums: PerPeriod, more: PerPeriod): void {
  for (const index of PERIOD_INDEXES) sums[index] += more[index];
}

/** Drops the days that no period of today, nor the one before it, includes. Null if nothing is left that counts. */
export function countingGrowth(today: number, { measured, estimated }: Growth): Growth | null {
  const first = firstCountingDay(today);
  const days = measured.filter(({ day }) => day >= first && day <= today);
  const left = {
    measured: days.some(({ values }) => values[2] > 0) ? days : [],
    estimated:
      estimated !== null && estimated.day <= today && estimated.day > today - LONGEST_PERIOD && estimated.values[2] > 0
        ? estimated
        : null,
  };
  return left.measured.length === 0 && left.estimated === null ? null : left;
}

export function firstCountingDay(today: number): number {
  return today - 2 * LONGEST_PERIOD + 1;
}

export function sumsOn(today: number, { measured, estimated }: Growth): TrendSums {
  const sums = noSums();
  for (const { day, values } of measured) {
    const age = today - day;
    if (age < 0) continue;
    for (const index of PERIOD_INDEXES) {
      const period = TREND_PERIODS[index];
      if (age < 2 * period) sums[age < period ? "measured" : "before"][index] += values[index];
    }
  }
  for (const index of PERIOD_INDEXES) {
    if (sums.measured[index] > 0) sums.measuredPosts[index] = 1;
    else if (estimated !== null && isWithin(today, index, estimated.day)) {
      sums.estimated[index] = estimated.values[index];
      sums.estimatedPosts[index] = sums.estimated[index] > 0 ? 1 : 0;
    }
  }
  return sums;
}

export function noSums(): TrendSums {
  return {
    measured: [0, 0, 0],
    before: [0, 0, 0],
    measuredPosts: [0, 0, 0],
    estimated: [0, 0, 0],
    estimatedPosts: [0, 0, 0],
  };
}

/** Gains that count for a period: measured ones alone if there are any, so that no estimate is added to them. */
export function gainOf(sums: TrendSums, index: PeriodIndex): { measured: boolean; views: number; posts: number } {
  const measured = sums.measuredPosts[index] > 0;
  return {
    measured,
    views: sums[measured ? "measured" : "estimated"][index],
    posts: sums[measured ? "measuredPosts" : "estimatedPosts"][index],
  };
}

export function isWithin(today: number, index: PeriodIndex, day: number): boolean {
  return day <= today && day > today - TREND_PERIODS[index];
}

/** The name of the list of one kind: of all countries together, or of one; of today, or as of an earlier day. */
export function trendList(platform: string, kind: string, country: string | null, asOf: number | null): string {
  return `${platform}/${kind}/${country ?? ""}${asOf === null ? "" : `@${asOf}`}`;
}

/** The day that a list is as of; null for today. */
export function asOfList(name: string): number | null {
  const at = name.lastIndexOf("@");
  return at === -1 ? null : Number(name.slice(at + 1));
}

/** The names of all lists of a platform, or of one kind of it: from the first name up to, not including, the second. */
export function listRange(platform: string, kind?: string): [from: string, to: string] {
  const prefix = kind === undefined ? platform : `${platform}/${kind}`;
  // "0" is the character after "/".
  return [`${prefix}/`, `${prefix}0`];
}

/** The gain of each day with a capture, oldest first; `at` is the day's first second. */
export function trendSeries(
  gains: readonly (readonly [day: number, value: number])[],
): { at: number; value: number }[] {
  return gains.map(([day, value]) => ({ at: startOfDay(day) / 1000, value }));
}
