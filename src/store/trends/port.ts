/** Rankings by growth in views; docs/trends.md states the rules. */
import type { Hashtag } from "#domain/hashtag.ts";
import type { Post } from "#domain/post.ts";
import type { Sound } from "#domain/sound.ts";
import type { Natives } from "#store/records/port.ts";
import type { PreviousRank } from "./rankings.ts";
import type { TrendPeriod } from "./growth.ts";

export interface TrendReader<N extends Natives = Natives> {
  listTrends<K extends TrendKind>(kind: K, request: TrendRequest): Promise<TrendPage<K, N>>;
}

export type TrendKind = "post" | "hashtag" | "sound";

export interface TrendRequest {
  /** ISO 3166 alpha-2, or null for all. */
  country: string | null;
  days: TrendPeriod;
  offset: number;
  limit: number;
  /** Leaves estimates out. */
  measuredOnly?: boolean;
  /** Last day of the period, in days since 1970, or that of the newest capture of a post; null for today. */
  asOf?: number | "newest" | null;
  /** Restricts posts to these categories or hashtags, among the first 2,000 of the ranking; null for all. */
  topic?: readonly string[] | null;
}

export interface Trend<Item> {
  item: Item;
  /** 1 is first. */
  rank: number;
  /** Rank in the preceding period: "new" if it was not in the top 1,000, null if there is nothing to compare with. */
  previousRank: PreviousRank;
  /** Whether the gain was measured between captures; else it is estimated from one. */
  measured: boolean;
  /** Posts with this hashtag or sound that gained these views; 1 for a post. */
  posts: number;
  /** Views gained within the period. */
  views: number;
  /** Views gained per day with a capture, oldest first; `at` is the day's first second. Empty for an estimate. */
  series: { at: number; value: number }[];
  /** The posts that gained most, best first, at most 5; for a hashtag or sound, among its newest 200. */
  topPostIds: string[];
}

export interface TrendPage<K extends TrendKind, N extends Natives> {
  items: Trend<K extends "post" ? Post<N["post"]> : K extends "hashtag" ? Hashtag<N["hashtag"]> : Sound<N["sound"]>>[];
  /** At most 1,000, the length of a ranking. With a topic, counting stops one past this page. */
  total: number;
  /** First second of the day that the period ends on. */
  day: number;
  /** When a post of the platform was last captured, in Unix milliseconds; null if that is not known. */
  newestCapture: number | null;
  /** Unix milliseconds: what was written later is not in it. Null if that is not known. */
  computedAt: number | null;
}
