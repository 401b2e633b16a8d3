/** Reads a page of a ranking, for every store. */
import { foldName } from "#domain/folding.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { StoredRecord, PlatformName } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import { startOfDay } from "#domain/time.ts";
import type { Natives } from "./natives.ts";
import { decodeChunk, type RankedEntry } from "./trend-chunks.ts";
import type { Trend, TrendKind, TrendPage, TrendRequest } from "./trend-reader.ts";
import { MAX_ENTRIES, TOPIC_DEPTH, trendList, type TrendPeriod, trendSeries } from "./trends.ts";

export interface TrendQueries {
  /** The day that a list was computed for; null before the first time. */
  getDay(list: string): Promise<number | null>;
  /** How many entries each chunk of a ranking has. */
  listCounts(list: string, period: TrendPeriod): Promise<{ chunk: number; count: number }[]>;
  /** The entries of some chunks, in order. */
  listEntries(list: string, period: TrendPeriod, first: number, last: number): Promise<{ entries: string }[]>;
  /** In the order of the ids; null for those that are not stored. */
  listRecords(kind: TrendKind, ids: readonly string[]): Promise<(StoredRecord<object> | null)[]>;
}

export async function listTrends<K extends TrendKind, N extends Natives>(
  queries: TrendQueries,
  platform: PlatformName,
  kind: K,
  { country, days: period, offset, limit, topic }: TrendRequest,
): Promise<TrendPage<K, N>> {
  const list = trendList(platform, kind, country);
  const read = topic == null ? readPage : readTopicPage(new Set(topic.map(foldName)));
  const [day, { entries, total }] = await Promise.all([
    queries.getDay(list),
    read(queries, { list, period, offset, limit }),
  ]);
  const today = day ?? 0;
  const records = await queries.listRecords(
    kind,
    entries.map(({ key }) => key),
  );
  const items = entries.flatMap((entry, index): Trend<StoredRecord<object>>[] => {
    const { key, views, posts, previousRank } = entry;
    const item = records[index] ?? recordOfKey(kind, key);
    if (item === null) return [];
    const series = trendSeries(today, period, entry.series);
    const topPostIds = kind === "post" ? [key] : entry.topPostIds;
    return [{ item, rank: offset + index + 1, previousRank, views, posts, series, topPostIds }];
  });
  return { items: items as TrendPage<K, N>["items"], total, day: startOfDay(today) / 1000 };
}

interface RankingRange {
  list: string;
  period: TrendPeriod;
  offset: number;
  limit: number;
}

interface RankingPage {
  entries: RankedEntry[];
  total: number;
}

/** Reads only the chunks that the page is in. */
async function readPage(queries: TrendQueries, range: RankingRange): Promise<RankingPage> {
  const { list, period, offset } = range;
  const end = Math.min(offset + range.limit, MAX_ENTRIES);
  const wanted: number[] = [];
  let skipped = 0;
  let total = 0;
  for (const { chunk, count } of await queries.listCounts(list, period)) {
    if (total + count <= offset) skipped += count;
    else if (total < end) wanted.push(chunk);
    total += count;
  }
  const chunks = wanted.length === 0 ? [] : await queries.listEntries(list, period, wanted[0] ?? 0, wanted.at(-1) ?? 0);
  const entries = chunks.flatMap((chunk) => decodeChunk(chunk.entries));
  return { entries: entries.slice(offset - skipped, Math.max(0, end - skipped)), total: Math.min(total, MAX_ENTRIES) };
}

function readTopicPage(topics: ReadonlySet<string>) {
  return async (queries: TrendQueries, { list, period, offset, limit }: RankingRange): Promise<RankingPage> => {
    const chunks = await queries.listEntries(list, period, 0, TOPIC_DEPTH);
    const entries = chunks
      .flatMap((chunk) => decodeChunk(chunk.entries))
      .filter((entry) => entry.topics.some((topic) => topics.has(topic)));
    return { entries: entries.slice(offset, offset + limit), total: Math.min(entries.length, offset + limit + 1) };
  };
}

/** A hashtag or sound that posts carry but no capture describes is known by its key only. */
function recordOfKey(kind: TrendKind, key: string): StoredRecord<object> | null {
  if (kind === "post") return null;
  const record = { id: key, native: {}, counters: {}, capturedAt: 0, source: "" };
  if (kind === "hashtag") return { ...record, name: key, platformId: null } as Hashtag;
  return { ...record, title: null, artistName: null, artistId: null, durationS: null } as Sound;
}
