/**
 * How much a post gained in a period, from its captured counters. Publication counts as a capture with no views, so
 * a post seen once still moves: its views are taken to have come evenly since. Between two captures growth is even
 * too; after the last one nothing is assumed. docs/trends.md states the formula for users.
 */
import type { CounterPoint } from "#domain/record.ts";

export interface GrowthCurve {
  /** Unix seconds, rising. */
  times: number[];
  views: number[];
}

/** Null when nothing can be said: no views were ever seen, or the only capture has no earlier point to grow from. */
export function growthCurve(publishedAt: number | null, points: readonly CounterPoint[]): GrowthCurve | null {
  const times: number[] = [];
  const views: number[] = [];
  if (publishedAt !== null) {
    times.push(publishedAt);
    views.push(0);
  }
  for (const { capturedAt, counters } of points) {
    const at = Math.floor(capturedAt / 1000);
    // Photos have no views: there, likes and comments stand for attention.
    const value = counters.views ?? attention(counters);
    if (value === null || (times.length > 0 && at <= (times.at(-1) as number))) continue;
    times.push(at);
    views.push(Math.max(value, views.at(-1) ?? 0));
  }
  return times.length < 2 ? null : { times, views };
}

function attention({ likes, comments }: CounterPoint["counters"]): number | null {
  return likes === undefined && comments === undefined ? null : (likes ?? 0) + 3 * (comments ?? 0);
}

/** Views gained after `from` up to `to`. */
export function gained(curve: GrowthCurve, from: number, to: number): number {
  return viewsAt(curve, to) - viewsAt(curve, from);
}

function viewsAt({ times, views }: GrowthCurve, at: number): number {
  const last = times.length - 1;
  if (at <= (times[0] as number)) return views[0] as number;
  if (at >= (times[last] as number)) return views[last] as number;
  let index = 1;
  while ((times[index] as number) < at) index++;
  const before = times[index - 1] as number;
  const share = (at - before) / ((times[index] as number) - before);
  return (views[index - 1] as number) + share * ((views[index] as number) - (views[index - 1] as number));
}
