/**
 * What a post adds to the rankings, from its captured counters: pure, and the same for every store. A capture that
 * shows more than the ones before it is an event of its day, worth the growth that fell within a period before it.
 * All values are whole, so sums do not depend on the order they were made in. docs/trends.md states it for users.
 */
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint } from "#domain/record.ts";
import { DAY_MS, dayOf, HOUR_MS, startOfDay } from "#domain/time.ts";

/** Days that a ranking may look back. */
export const TREND_PERIODS = [7, 30, 120] as const;
export type TrendPeriod = (typeof TREND_PERIODS)[number];

/** Entries that a ranking shows and counts. */
export const SHOWN_ENTRIES = 1_000;
/** How far down a ranking posts on a topic are looked for. */
export const TOPIC_DEPTH = 2_000;
export const TOP_POSTS = 5;
/** The newest posts of a hashtag or sound that its top posts are chosen from. */
export const TOP_POSTS_AMONG = 200;

const SERIES_DAYS = 120;
/** Beyond this a number of views is a mistake; sums of many such still are exact. */
const MOST_VIEWS = 1e11;

/** A number for each of the periods. */
export type PerPeriod = [number, number, number];

export interface DayGrowth {
  /** Days since 1970, UTC. */
  day: number;
  values: PerPeriod;
}

/** Gain of each period, gain of the period before each, and the posts that gained: three numbers each. */
export type TrendSums = [...PerPeriod, ...PerPeriod, ...PerPeriod];

/** What a post counts for on a day. */
export interface Share {
  id: string;
  country: string | null;
  /** Its hashtags and its sound. */
  keys: [kind: "hashtag" | "sound", key: string][];
  sums: TrendSums;
  /** The days that a series may show. */
  days: DayGrowth[];
}

/** What a post gained, a day an entry, oldest first. */
export function growthByDay(publishedAt: number | null, points: readonly CounterPoint[]): DayGrowth[] {
  const days: DayGrowth[] = [];
  let since: number | null = null;
  let value = 0;
  for (const { capturedAt, counters } of points) {
    const seen = attention(counters);
    if (seen === null) continue;
    if (since === null) {
      const published = publishedAt === null ? capturedAt : publishedAt * 1000;
      since = Math.min(published, capturedAt);
      // Without an earlier point nothing is known of how it grew.
      if (since === capturedAt) value = seen;
    }
    // A capture that shows no more than another is no point of its own: stores do not keep all of those.
    if (seen <= value) continue;
    addGrowth(days, capturedAt, seen - value, capturedAt - since);
    since = capturedAt;
    value = seen;
  }
  return days;
}

/** Photos have no views: there, likes and comments stand for them. */
function attention({ views, likes, comments }: CounterPoint["counters"]): number | null {
  if (views === undefined && likes === undefined && comments === undefined) return null;
  return Math.min(views ?? (likes ?? 0) + 3 * (comments ?? 0), MOST_VIEWS);
}

function addGrowth(days: DayGrowth[], capturedAt: number, growth: number, gapMs: number): void {
  const gapDays = Math.max(gapMs, HOUR_MS) / DAY_MS;
  const values = TREND_PERIODS.map((period) => Math.round(growth * Math.min(1, period / gapDays))) as PerPeriod;
  const day = dayOf(capturedAt);
  const last = days.at(-1);
  if (last?.day === day) for (const index of values.keys()) (last.values[index] as number) += values[index] as number;
  else days.push({ day, values });
}

/** Null when it counts for nothing. */
export function shareOf(
  id: string,
  post: Pick<Post, "publishedAt" | "country" | "hashtags" | "soundId">,
  points: readonly CounterPoint[],
  today: number,
): Share | null {
  const growth = growthByDay(post.publishedAt, points);
  const sums = sumsOn(today, growth);
  if (sums === null) return null;
  const keys: Share["keys"] = [];
  for (const key of new Set(post.hashtags.map(foldName))) if (key !== "") keys.push(["hashtag", key]);
  if (post.soundId !== null) keys.push(["sound", post.soundId]);
  const days = growth.filter(({ day, values }) => day <= today && day > today - SERIES_DAYS && values[2] > 0);
  return { id, country: post.country, keys, sums, days };
}

export function sumsOn(today: number, growth: readonly DayGrowth[]): TrendSums | null {
  const sums: TrendSums = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (const { day, values } of growth) {
    const age = today - day;
    if (age < 0) continue;
    for (let index = 0; index < TREND_PERIODS.length; index++) {
      const period = TREND_PERIODS[index] as TrendPeriod;
      if (age < 2 * period) (sums[age < period ? index : index + 3] as number) += values[index] as number;
    }
  }
  if (sums[2] === 0 && sums[5] === 0) return null;
  for (let index = 0; index < TREND_PERIODS.length; index++) sums[index + 6] = (sums[index] as number) > 0 ? 1 : 0;
  return sums;
}

/** The first day that counts at all. */
export function firstDayThatCounts(today: number): number {
  return today - 2 * SERIES_DAYS + 1;
}

export interface DayRange {
  first: number;
  last: number;
}

/** The days whose captures count differently once today is another day, oldest first. */
export function daysThatMove(from: number, to: number): DayRange[] {
  const edges = [...new Set([0, ...TREND_PERIODS, ...TREND_PERIODS.map((period) => 2 * period)])];
  const ranges: DayRange[] = [];
  for (const edge of edges.toSorted((a, b) => b - a)) {
    const range = { first: from - edge + 1, last: to - edge };
    const before = ranges.at(-1);
    if (before !== undefined && range.first <= before.last + 1) before.last = range.last;
    else ranges.push(range);
  }
  return ranges;
}

/** The list of one kind of thing: of all countries together, or of one. */
export function trendList(platform: string, kind: string, country: string | null): string {
  return `${platform}/${kind}/${country ?? ""}`;
}

/** How many entries of a list's rankings must be at hand. */
export function depthOf(list: string): number {
  return list.split("/")[1] === "post" ? TOPIC_DEPTH : SHOWN_ENTRIES;
}

/** The gain of each day of a period, oldest first; `at` is the day's first second. */
export function trendSeries(
  today: number,
  period: TrendPeriod,
  growth: readonly DayGrowth[],
): { at: number; value: number }[] {
  const index = TREND_PERIODS.indexOf(period);
  const byDay = new Map(growth.map(({ day, values }) => [day, values[index] as number]));
  return Array.from({ length: period }, (_, position) => {
    const day = today - period + 1 + position;
    return { at: startOfDay(day) / 1000, value: byDay.get(day) ?? 0 };
  });
}
