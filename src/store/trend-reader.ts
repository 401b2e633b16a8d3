/** Rankings by growth in views; docs/trends.md states the rules. */
import type { Hashtag } from "#domain/hashtag.ts";
import type { Post } from "#domain/post.ts";
import type { Sound } from "#domain/sound.ts";
import type { Natives } from "./natives.ts";
import type { TrendPeriod } from "./trends.ts";

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
  /** Restricts posts to these categories or hashtags, among the first 2,000 of the ranking; null for all. */
  topic?: readonly string[] | null;
}

export interface Trend<Item> {
  item: Item;
  /** 1 is first. */
  rank: number;
  /** Rank in the preceding period; null if it was not in the top 1,000. */
  previousRank: number | null;
  /** Posts with this hashtag or sound that gained views in the period; 1 for a post. */
  posts: number;
  /** Views gained within the period. */
  views: number;
  /** Views gained per day, oldest first; `at` is the day's first second. */
  series: { at: number; value: number }[];
  /** The posts that gained most, best first, at most 5; for a hashtag or sound, among its newest 200. */
  topPostIds: string[];
}

export interface TrendPage<K extends TrendKind, N extends Natives> {
  items: Trend<K extends "post" ? Post<N["post"]> : K extends "hashtag" ? Hashtag<N["hashtag"]> : Sound<N["sound"]>>[];
  /** At most 1,000, the length of a ranking. With a topic, counting stops one past this page. */
  total: number;
  /** First second of the day the ranking was computed for. */
  day: number;
  /** Unix milliseconds: what was written later is not in it. Null if that is not known. */
  computedAt: number | null;
}
