/**
 * Rankings as they are stored: in chunks of entries, each one JSON text. Every country has thousands of entries; as rows
 * of their own they would take longer to write than to compute.
 */
import { type JsonText, parseJsonText, toJsonText } from "#domain/json-text.ts";
import type { PreviousRank, TrendEntry } from "./rankings.ts";
import { listRange, type TrendPeriod } from "./growth.ts";

const CHUNK_ENTRIES = 100;

export interface TrendChunk {
  period: TrendPeriod;
  chunk: number;
  count: number;
  /** Entries with a measured gain; the others follow them. */
  measured: number;
  entries: JsonText<EntryTuple[]>;
}

/** Entries of one period, in the order of their ranks. */
export type RankedEntry = Omit<TrendEntry, "period">;

/** Half the size of an object. */
export type EntryTuple = [
  key: string,
  views: number,
  posts: number,
  previousRank: PreviousRank,
  series: [day: number, value: number][],
  topics: string[],
  topPostIds: string[],
  measured: 0 | 1,
];

export function encodeChunks(entries: readonly TrendEntry[]): TrendChunk[] {
  const chunks: TrendChunk[] = [];
  for (const [period, ranked] of Map.groupBy(entries, (entry) => entry.period)) {
    for (let chunk = 0; chunk * CHUNK_ENTRIES < ranked.length; chunk++) {
      const some = ranked.slice(chunk * CHUNK_ENTRIES, (chunk + 1) * CHUNK_ENTRIES);
      chunks.push({ period, chunk, ...countEntries(some), entries: encode(some) });
    }
  }
  return chunks;
}

function countEntries(entries: readonly RankedEntry[]): Pick<TrendChunk, "count" | "measured"> {
  return { count: entries.length, measured: entries.filter(({ measured }) => measured).length };
}

function encode(entries: readonly RankedEntry[]): TrendChunk["entries"] {
  return toJsonText(
    entries.map(({ key, views, posts, previousRank, series, topics, topPostIds, measured }): EntryTuple => {
      return [key, views, posts, previousRank, series, topics, topPostIds, measured ? 1 : 0];
    }),
  );
}

export function decodeChunk(entries: TrendChunk["entries"]): RankedEntry[] {
  return parseJsonText(entries).map(([key, views, posts, previousRank, series, topics, topPostIds, measured]) => {
    return { key, views, posts, previousRank, series, topics, topPostIds, measured: measured === 1 };
  });
}

/** Whether the entries of a list are posts; else they have top posts. */
export function isPostList(platform: string, name: string): boolean {
  return name.startsWith(listRange(platform, "post")[0]);
}

/** Removes posts, as entries or as top posts. */
export function withoutPosts<Entry extends RankedEntry>(
  isPosts: boolean,
  entries: readonly Entry[],
  isDeleted: (postId: string) => boolean,
): Entry[] {
  if (isPosts) return entries.filter(({ key }) => !isDeleted(key));
  return entries.map((entry) => ({ ...entry, topPostIds: entry.topPostIds.filter((id) => !isDeleted(id)) }));
}

/** The hashtags or sounds whose top posts are all deleted: no other post may have them. */
export function keysWithoutPosts(chunks: readonly TrendChunk[], deleted: ReadonlySet<string>): string[] {
  const entries = chunks.flatMap((chunk) => decodeChunk(chunk.entries));
  return entries.filter(({ topPostIds }) => topPostIds.every((id) => deleted.has(id))).map(({ key }) => key);
}

/** The chunks that change when posts are deleted, and with them the hashtags or sounds that no post has any more. */
export function changedChunks<Chunk extends TrendChunk>(
  isPosts: boolean,
  chunks: readonly Chunk[],
  deleted: ReadonlySet<string>,
  isKept: (key: string) => boolean,
): Chunk[] {
  return chunks.flatMap((chunk) => {
    const stored = decodeChunk(chunk.entries);
    const left = withoutPosts(isPosts, stored, (id) => deleted.has(id)).filter(({ key }) => isPosts || isKept(key));
    const entries = encode(left);
    return entries === chunk.entries ? [] : [{ ...chunk, ...countEntries(left), entries }];
  });
}
