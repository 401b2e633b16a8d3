/**
 * Recomputes the rankings from the counter history: posts are read in batches, their growth is staged, and the posts of
 * each hashtag and sound are read with it. Nothing is locked meanwhile. Lists are then replaced in short transactions, so a
 * process that is killed leaves every list complete and the state stale.
 */
import { setImmediate } from "node:timers/promises";
import { foldName } from "#domain/folding.ts";
import { parseJsonText } from "#domain/json-text.ts";
import type { PlatformName } from "#domain/record.ts";
import { dayOf } from "#domain/time.ts";
import { type TrendList, TrendRankings } from "./rankings.ts";
import { countingGrowth, firstCountingDay, growthOf } from "./growth.ts";
import { finishLists, replaceLists } from "./statements.ts";
import type { CountedPost, StagedGrowth, TrendState, TrendTables } from "./ranking-store.ts";

/** Other writers wait for one write no longer than for a batch of an import. */
const ENTRIES_PER_WRITE = 5_000;

export function isStale({ version, computedVersion, day }: TrendState, today: number): boolean {
  if (version === 0) return false;
  return computedVersion === null || computedVersion < version || day === null || day < today;
}

/** Computes the rankings of today if they are stale, or those as of an earlier day. */
export async function refreshTrends<P extends CountedPost>(
  tables: TrendTables<P>,
  now: number,
  asOf: number | null = null,
): Promise<void> {
  const today = dayOf(now);
  const state = await tables.getState();
  if (asOf === null && !isStale(state, today)) return;
  // The clock may have been set back; the day of the rankings never is.
  const day = asOf ?? Math.max(today, state.day ?? today);
  const target = { version: state.version, day, asOf, computedAt: now };
  const rankings = new TrendRankings(day, asOf);
  const newestCaptures = new Map<PlatformName, number>();
  for await (const posts of tables.readPosts()) {
    for (const { platform, points } of posts) {
      const newest = points.at(-1)?.capturedAt ?? 0;
      if (newest > (newestCaptures.get(platform) ?? 0)) newestCaptures.set(platform, newest);
    }
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
  await tables.transaction((sql) => finishLists(sql, tables, names, target, newestCaptures));
  await tables.dropStaged();
}

/** Null if the post gained nothing. */
function countPost<P extends CountedPost>(post: P, today: number, rankings: TrendRankings): StagedGrowth<P> | null {
  const newest = post.points.at(-1)?.capturedAt;
  if (newest === undefined || dayOf(newest) < firstCountingDay(today)) return null;
  const { publishedAt, country, category, hashtags } = parseJsonText(post.header);
  const growth = countingGrowth(today, growthOf(post.platform, publishedAt, post.points));
  if (growth === null) return null;
  const topics = category == null ? hashtags : [category, ...hashtags];
  rankings.addPost(post.platform, post.id, { country, growth }, () => topics.map(foldName));
  return { post, growth: { country, growth } };
}
