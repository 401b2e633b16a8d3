/**
 * Recomputes the rankings from the counter history: posts are read in batches, their growth is staged, and the posts of
 * each hashtag and sound are read with it. Nothing is locked meanwhile. Lists are then replaced in short transactions, so a
 * process that is killed leaves every list complete and the state stale.
 */
import { setImmediate } from "node:timers/promises";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import { dayOf } from "#domain/time.ts";
import { type TrendList, TrendRankings } from "../trend-rankings.ts";
import { countingDays, firstCountingDay, growthByDay } from "../trends.ts";
import { finishLists, replaceLists } from "./trend-lists.ts";
import type { CountedPost, StagedGrowth, TrendState, TrendTables } from "./trend-tables.ts";

/** Other writers wait for one write no longer than for a batch of an import. */
const ENTRIES_PER_WRITE = 5_000;

export function isStale({ version, computedVersion, day }: TrendState, today: number): boolean {
  if (version === 0) return false;
  return computedVersion === null || computedVersion < version || day === null || day < today;
}

export async function refreshTrends<P extends CountedPost>(tables: TrendTables<P>, now: number): Promise<void> {
  const today = dayOf(now);
  const state = await tables.getState();
  if (!isStale(state, today)) return;
  // The clock may have been set back; the day of the rankings never is.
  const target = { version: state.version, day: Math.max(today, state.day ?? today), computedAt: now };
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
  const write = () => tables.transaction((sql) => replaceLists(sql, tables, batch, target));
  for (const list of rankings.lists()) {
    names.push(list.name);
    batch.push(list);
    entries += list.entries.length;
    if (entries < ENTRIES_PER_WRITE) continue;
    await write();
    batch = [];
    entries = 0;
    await setImmediate();
  }
  await write();
  await tables.transaction((sql) => finishLists(sql, tables, names, target));
  await tables.dropStaged();
}

/** Null if the post gained nothing. */
function countPost<P extends CountedPost>(post: P, today: number, rankings: TrendRankings): StagedGrowth<P> | null {
  const newest = post.points.at(-1)?.capturedAt;
  if (newest === undefined || dayOf(newest) < firstCountingDay(today)) return null;
  const { publishedAt, country, category, hashtags } = JSON.parse(post.header) as Post;
  const days = countingDays(today, growthByDay(post.platform, publishedAt, post.points));
  if (days.length === 0) return null;
  const growth = { country, days };
  const topics = category == null ? hashtags : [category, ...hashtags];
  rankings.addPost(post.platform, post.id, growth, () => topics.map(foldName));
  return { post, growth };
}
