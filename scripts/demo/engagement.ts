/**
 * How counters grow: fast at first, then slowly, and for some old posts again in the last weeks. Every counter follows
 * the views, so that counters never decrease from one capture to the next.
 */
import type { CounterPoint, Counters } from "#domain/record.ts";
import { DAY_S, HOUR_S } from "#domain/time.ts";
import type { Random } from "./random.ts";

export interface Engagement {
  lifetimeViews: number;
  /** Seconds until about two thirds of the views have come. */
  pace: number;
  /** Seconds before now at which it became popular again; null for most. */
  secondWind: number | null;
  /** Seconds that it then keeps growing. */
  windLength: number;
  likeRate: number;
  commentRate: number;
  shareRate: number;
  saveRate: number;
  /** Comments in the demo data; the counter is never lower. */
  storedComments: number;
}

/** Keeps comments below likes. */
export const MAX_COMMENTS_PER_VIEW = 0.02;

export function createEngagement(random: Random, reach: number, age: number): Engagement {
  const old = age > 40 * DAY_S;
  return {
    lifetimeViews: random.logNormal(9_000 * reach, 1.5),
    pace: random.between(2, 9) * DAY_S,
    secondWind: old && random.chance(0.1) ? random.between(1, 18) * DAY_S : null,
    windLength: 6 * DAY_S,
    likeRate: random.between(0.03, 0.14),
    commentRate: random.between(0.001, 0.008),
    shareRate: random.between(0.001, 0.01),
    saveRate: random.between(0.002, 0.02),
    storedComments: 0,
  };
}

/** Views of a post of this age, `ago` seconds before now. */
export function viewsAt(engagement: Engagement, age: number, ago: number): number {
  const first = 1 - Math.exp(-Math.max(0, age - ago) / engagement.pace);
  if (engagement.secondWind === null) return Math.floor(engagement.lifetimeViews * first);
  const again = Math.min(1, Math.max(0, (engagement.secondWind - ago) / engagement.windLength));
  return Math.floor(engagement.lifetimeViews * (0.4 * first + 0.6 * again));
}

type PostCounters = Required<Pick<Counters, "views" | "likes" | "comments" | "shares" | "saves" | "reposts">>;

export function countersAt(engagement: Engagement, age: number, ago: number): PostCounters {
  const views = viewsAt(engagement, age, ago);
  const viewsNow = viewsAt(engagement, age, 0);
  const comments = Math.max(engagement.storedComments, Math.floor(viewsNow * engagement.commentRate));
  return {
    views,
    likes: Math.floor(views * engagement.likeRate),
    comments: viewsNow === 0 ? comments : Math.floor((comments * views) / viewsNow),
    shares: Math.floor(views * engagement.shareRate),
    saves: Math.floor(views * engagement.saveRate),
    reposts: Math.floor(views * engagement.shareRate * 0.3),
  };
}

/**
 * Captures before the latest, oldest first: daily for six weeks, at times of their own, so that growth is spread over the
 * days as it came. Posts of the last hours have none.
 */
export function earlierCaptures(
  random: Random,
  hour: number,
  age: number,
  countersAgo: (ago: number) => Counters,
  isFeatured = false,
): CounterPoint[] {
  const span = Math.min(age, 42 * DAY_S);
  if (!isFeatured && span < 3 * HOUR_S) return [];
  const isRare = !isFeatured && random.chance(0.45);
  const times = isRare
    ? []
    : Array.from({ length: isFeatured ? 6 : random.integer(2, 6) }, () => random.between(0.1, 0.9));
  const timeOf = (capture: number) => times[capture % times.length] ?? (age % DAY_S) / DAY_S;
  const points: CounterPoint[] = [];
  for (let capture = Math.ceil(span / DAY_S); capture >= 1; capture--) {
    const ago = Math.floor(DAY_S * (capture - timeOf(capture)));
    if (ago > 0 && ago < span) points.push({ capturedAt: (hour - ago) * 1_000, counters: countersAgo(ago) });
  }
  return points;
}
