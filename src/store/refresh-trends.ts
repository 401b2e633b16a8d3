/**
 * Recomputes the rankings from the counter history: posts are read in batches, their growth is staged, and the posts of
 * each hashtag and sound are read with it. Nothing is locked meanwhile. Lists are then replaced in short transactions, so a
 * process that is killed leaves every list complete and the state stale.
 */
import { setImmediate } from "node:timers/promises";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint, PlatformName } from "#domain/record.ts";
import { dayOf } from "#domain/time.ts";
import { type ListedPost, type PostGrowth, type TrendList, TrendRankings } from "./trend-rankings.ts";
import { countingDays, firstCountingDay, growthByDay } from "./trends.ts";

/** Other writers wait for one write no longer than for a batch of an import. */
const ENTRIES_PER_WRITE = 5_000;

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
  day: number;
}

export interface CountedPost {
  platform: PlatformName;
  id: string;
  /** JSON */
  header: string;
  /** Oldest first. */
  points: CounterPoint[];
}

export interface StagedGrowth<P extends CountedPost> {
  post: P;
  growth: PostGrowth;
}

/** The tables of one store, for one refresh at a time. */
export interface TrendTables<P extends CountedPost = CountedPost> {
  getState(): Promise<TrendState>;
  /** All posts, in batches. */
  readPosts(): AsyncIterable<P[]> | Iterable<P[]>;
  /** Keeps growth for `readListedPosts`, out of memory. */
  stageGrowth(staged: readonly StagedGrowth<P>[]): Promise<void>;
  /** The posts of all hashtags and sounds, in batches: key by key, newest first. */
  readListedPosts(): AsyncIterable<ListedPost[]> | Iterable<ListedPost[]>;
  /** In one transaction. Leaves out posts that were deleted since they were read. */
  replaceLists(lists: readonly TrendList[], target: TrendTarget): Promise<void>;
  /** Deletes all other lists and updates the state, in one transaction. */
  finish(lists: readonly string[], target: TrendTarget): Promise<void>;
}

export function isStale({ version, computedVersion, day }: TrendState, today: number): boolean {
  if (version === 0) return false;
  return computedVersion === null || computedVersion < version || day === null || day < today;
}

export async function refreshTrends<P extends CountedPost>(tables: TrendTables<P>, today: number): Promise<void> {
  const state = await tables.getState();
  if (!isStale(state, today)) return;
  // The clock may have been set back; the day of the rankings never is.
  const target = { version: state.version, day: Math.max(today, state.day ?? today) };
  const rankings = new TrendRankings(target.day);
  for await (const posts of tables.readPosts()) {
    const staged = posts.flatMap((post) => countPost(post, target.day, rankings) ?? []);
    await tables.stageGrowth(staged);
    await setImmediate();
  }
  for await (const posts of tables.readListedPosts()) {
    for (const post of posts) rankings.addListedPost(post);
    await setImmediate();
  }
  const names: string[] = [];
  let batch: TrendList[] = [];
  let entries = 0;
  for (const list of rankings.lists()) {
    names.push(list.name);
    batch.push(list);
    entries += list.entries.length;
    if (entries < ENTRIES_PER_WRITE) continue;
    await tables.replaceLists(batch, target);
    batch = [];
    entries = 0;
    await setImmediate();
  }
  await tables.replaceLists(batch, target);
  await tables.finish(names, target);
}

/** Null if the post gained nothing. */
function countPost<P extends CountedPost>(post: P, today: number, rankings: TrendRankings): StagedGrowth<P> | null {
  const newest = post.points.at(-1)?.capturedAt;
  if (newest === undefined || dayOf(newest) < firstCountingDay(today)) return null;
  const { publishedAt, country, category, hashtags } = JSON.parse(post.header) as Post;
  const days = countingDays(today, growthByDay(publishedAt, post.points));
  if (days.length === 0) return null;
  const growth = { country, days };
  const topics = category == null ? hashtags : [category, ...hashtags];
  rankings.addPost(post.platform, post.id, growth, () => topics.map(foldName));
  return { post, growth };
}
