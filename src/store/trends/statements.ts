/** Writes the rankings: replaces them after they were computed, and removes deleted posts from them. */
import type { PlatformName } from "#domain/record.ts";
import { changedChunks, encodeChunks, isPostList, keysWithoutPosts, withoutPosts } from "./chunks.ts";
import type { TrendList } from "./rankings.ts";
import { asOfList, KEPT_DAYS, listRange } from "./growth.ts";
import type { RecordSteps } from "#store/write/unit.ts";
import { batchesOf, type SqlSteps, step, type Steps } from "#store/sql/sql.ts";
import { select } from "#store/sql/select.ts";
import { TREND_CHUNKS, TREND_DAYS, TREND_LISTS, TREND_PLATFORMS, type TrendChunkRow } from "./tables.ts";
import type { TrendTables, TrendTarget } from "./ranking-store.ts";

/** Lists whose chunks are read together. */
const BATCH_LISTS = 50;

function readChunks(sql: SqlSteps, lists: readonly string[]): Steps<TrendChunkRow[]> {
  return sql.all<TrendChunkRow>(
    "SELECT list, period, chunk, count, measured, entries FROM trend_chunks WHERE list = ANY($1)",
    lists,
  );
}

/**
 * Deleted posts leave every ranking in the transaction that deletes them, and so do hashtags and sounds that only they
 * had. To be called after they have left their lists.
 */
export function* deleteFromTrends(unit: RecordSteps, platform: PlatformName, postIds: readonly string[]): Steps<void> {
  const { sql } = unit;
  const deleted = new Set(postIds);
  for (const kind of ["post", "hashtag", "sound"] as const) {
    const lists = yield* sql.all(
      select(TREND_LISTS, ["name"], "WHERE name >= $1 AND name < $2"),
      ...listRange(platform, kind),
    );
    const unused = new Map<string, boolean>();
    for (let start = 0; start < lists.length; start += BATCH_LISTS) {
      const names = lists.slice(start, start + BATCH_LISTS).map(({ name }) => name);
      const chunks = yield* readChunks(sql, names);
      const keys = kind === "post" ? [] : keysWithoutPosts(chunks, deleted);
      for (const key of keys) if (!unused.has(key)) unused.set(key, yield* isUnused(sql, platform, kind, key));
      const isKept = (key: string) => unused.get(key) !== true;
      yield* sql.upsert(TREND_CHUNKS, changedChunks(kind === "post", chunks, deleted, isKept));
    }
  }
  yield* step(unit.markTrendsStale());
}

function* isUnused(sql: SqlSteps, platform: PlatformName, list: string, key: string): Steps<boolean> {
  const row = yield* sql.get(
    "SELECT 1 FROM post_lists WHERE key = $1 AND platform = $2 AND list = $3 LIMIT 1",
    key,
    platform,
    list,
  );
  return row === undefined;
}

/** Leaves out posts that were deleted since they were read. */
export function* replaceLists(
  sql: SqlSteps,
  tables: TrendTables,
  lists: readonly TrendList[],
  target: TrendTarget,
): Steps<void> {
  if (yield* isOutdated(sql, target)) return;
  const { version } = yield* step(tables.getState());
  const names = yield* step(
    tables.claimLists(
      lists.map(({ name }) => name),
      target,
    ),
  );
  const claimed = new Set(names);
  const replaced = lists.filter(({ name }) => claimed.has(name));
  const chunks: TrendChunkRow[] = [];
  for (const [platform, own] of Map.groupBy(replaced, (list) => list.platform)) {
    const stored = version === target.version ? null : yield* readStored(sql, platform, own);
    const isDeleted = (id: string) => stored !== null && !stored.has(id);
    for (const { name, entries } of own) {
      const left = withoutPosts(isPostList(platform, name), entries, isDeleted);
      for (const chunk of encodeChunks(left)) chunks.push({ ...chunk, list: name });
    }
  }
  const before = new Map((yield* readChunks(sql, names)).map((chunk) => [chunkKey(chunk), chunk]));
  // Chunks that are the same as before are not written again.
  const changed = chunks.filter((chunk) => before.get(chunkKey(chunk))?.entries !== chunk.entries);
  yield* sql.upsert(TREND_CHUNKS, changed);
  for (const chunk of chunks) before.delete(chunkKey(chunk));
  for (const { list, period, chunk } of before.values()) {
    yield* sql.run("DELETE FROM trend_chunks WHERE list = $1 AND period = $2 AND chunk = $3", list, period, chunk);
  }
}

function chunkKey({ list, period, chunk }: TrendChunkRow): string {
  return `${list} ${period} ${chunk}`;
}

/** Another process has computed newer rankings meanwhile. */
function* isOutdated(sql: SqlSteps, { version, day, asOf }: TrendTarget): Steps<boolean> {
  if (asOf !== null) {
    const newer = yield* sql.get("SELECT 1 FROM trend_days WHERE day = $1 AND computed_version > $2", asOf, version);
    return newer !== undefined;
  }
  const row = yield* sql.get("SELECT 1 FROM trend_state WHERE computed_version > $1 OR day > $2", version, day);
  return row !== undefined;
}

/** The posts of these lists that are still stored. */
function* readStored(sql: SqlSteps, platform: PlatformName, lists: readonly TrendList[]): Steps<Set<string>> {
  const ids = lists.flatMap(({ name, entries }) =>
    entries.flatMap(({ key, topPostIds }) => (isPostList(platform, name) ? [key] : topPostIds)),
  );
  const stored = new Set<string>();
  for (const batch of batchesOf([...new Set(ids)])) {
    const rows = yield* sql.all<{ id: string }>(
      "SELECT id FROM records WHERE id = ANY($1) AND platform = $2 AND kind = 'post'",
      batch,
      platform,
    );
    for (const { id } of rows) stored.add(id);
  }
  return stored;
}

/** Deletes all lists of the same day but these, and rankings as of days beyond those that are kept. */
export function* finishLists(
  sql: SqlSteps,
  tables: TrendTables,
  names: readonly string[],
  target: TrendTarget,
  newestCaptures: ReadonlyMap<PlatformName, number>,
): Steps<void> {
  if (yield* isOutdated(sql, target)) return;
  const stored = yield* sql.all(select(TREND_LISTS, ["name"], ""));
  const computed = new Set(names);
  const dropped = target.asOf === null ? new Set<number>() : yield* keepDay(sql, target, target.asOf);
  const others = stored
    .map(({ name }) => name)
    .filter((name) => {
      const day = asOfList(name);
      return day === target.asOf ? !computed.has(name) : day !== null && dropped.has(day);
    });
  for (const batch of batchesOf(others)) {
    yield* sql.run("DELETE FROM trend_lists WHERE name = ANY($1)", batch);
    yield* sql.run("DELETE FROM trend_chunks WHERE list = ANY($1)", batch);
  }
  const platforms = new Set([...names, ...others].map((name) => name.slice(0, name.indexOf("/"))));
  if (target.asOf === null) {
    yield* step(tables.finish(target));
    yield* sql.run("DELETE FROM trend_platforms");
    yield* sql.upsert(
      TREND_PLATFORMS,
      Array.from(newestCaptures, ([platform, newest]) => ({ platform, newest_capture: newest })),
    );
  }
  yield* step(tables.notify([...platforms, ...newestCaptures.keys()]));
}

/** Returns the days whose rankings are to be deleted. */
function* keepDay(sql: SqlSteps, { version, computedAt }: TrendTarget, day: number): Steps<Set<number>> {
  yield* sql.upsert(TREND_DAYS, [{ day, computed_version: version, computed_at: computedAt }]);
  const days = yield* sql.all(select(TREND_DAYS, ["day"], "ORDER BY computed_at DESC, day = $1 DESC"), day);
  const dropped = days.slice(KEPT_DAYS).map((row) => row.day);
  for (const one of dropped) yield* sql.run("DELETE FROM trend_days WHERE day = $1", one);
  return new Set(dropped);
}
