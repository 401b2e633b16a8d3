/** What computing the rankings needs of a store. */
import type { JsonText } from "#domain/json-text.ts";
import type { CounterPoint, PlatformName } from "#domain/record.ts";
import type { Header } from "#domain/records.ts";
import type { ListedPost, PostGrowth } from "./rankings.ts";
import type { MaybePromise, SqlSteps, Steps } from "#store/sql/sql.ts";

export interface TrendState {
  /** Incremented by every transaction that changes posts or their counters; 0 in a new store. */
  version: number;
  /** The version and the day that the rankings were computed for; null before the first time. */
  computedVersion: number | null;
  day: number | null;
}

/** What the rankings are computed for. */
export interface TrendTarget {
  version: number;
  /** The last day of the periods. */
  day: number;
  /** The same if that is not today. */
  asOf: number | null;
  /** When reading the posts began, in Unix milliseconds. */
  computedAt: number;
}

export interface CountedPost {
  platform: PlatformName;
  id: string;
  header: JsonText<Header<"post">>;
  /** All captures, oldest first. */
  points: CounterPoint[];
}

export interface StagedGrowth<P extends CountedPost> {
  post: P;
  growth: PostGrowth;
}

/** The tables of one store, for one refresh at a time. */
export interface TrendTables<P extends CountedPost = CountedPost> {
  getState(): MaybePromise<TrendState>;
  /** All posts, in batches. */
  readPosts(): AsyncIterable<P[]> | Iterable<P[]>;
  /** Keeps growth for `readListedPosts`, out of memory. */
  stageGrowth(staged: readonly StagedGrowth<P>[]): MaybePromise<void>;
  dropStaged(): MaybePromise<void>;
  /** The posts of all hashtags and sounds, in batches: key by key, newest first. */
  readListedPosts(): AsyncIterable<ListedPost[]> | Iterable<ListedPost[]>;
  /** Runs steps in a transaction that no erasure overlaps. */
  transaction: (work: (sql: SqlSteps) => Steps<void>) => MaybePromise<void>;
  /** Within the transaction: notes what lists were computed for. Returns those that nobody computed for something newer. */
  claimLists(names: readonly string[], target: TrendTarget): MaybePromise<readonly string[]>;
  /** Within the transaction: notes what all rankings of today were computed for. */
  finish(target: TrendTarget): MaybePromise<void>;
  /** Within the transaction: tells other processes that the rankings of platforms changed. */
  notify(platforms: readonly PlatformName[]): MaybePromise<void>;
}
