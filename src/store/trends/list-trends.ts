/** Reads a page of a ranking, for every store. */
import { rankingPending } from "#errors";
import { foldName } from "#domain/folding.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { StoredRecord, PlatformName } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import { dayOf, startOfDay } from "#domain/time.ts";
import type { Natives, RecordsById } from "#store/records/port.ts";
import { decodeChunk, type RankedEntry } from "./chunks.ts";
import type { Trend, TrendKind, TrendPage, TrendReader, TrendRequest } from "./port.ts";
import { MAX_ENTRIES, TOPIC_DEPTH, trendList, type TrendPeriod, trendSeries } from "./growth.ts";
import type { Sql } from "#store/sql/sql.ts";

export function createTrendReads<N extends Natives>(
  sql: Sql,
  platform: PlatformName,
  records: RecordsById,
): TrendReader<N> {
  return {
    listTrends: <K extends TrendKind>(kind: K, request: TrendRequest) =>
      listTrends<K, N>(sql, records, platform, kind, request),
  };
}

async function listTrends<K extends TrendKind, N extends Natives>(
  sql: Sql,
  records: RecordsById,
  platform: PlatformName,
  kind: K,
  { country, days: period, offset, limit, topic, measuredOnly = false, asOf = null }: TrendRequest,
): Promise<TrendPage<K, N>> {
  const { list, day, computedAt, newestCapture } = await getComputation(sql, { platform, kind, country, asOf });
  const read = topic == null ? readPage : readTopicPage(new Set(topic.map(foldName)));
  const { entries, total } = await read(sql, { list, period, offset, limit, measuredOnly });
  const found = await records.listEach<StoredRecord<object>>(
    kind,
    entries.map(({ key }) => key),
  );
  const items = entries.flatMap((entry, index): Trend<StoredRecord<object>>[] => {
    const { key, views, posts, measured, previousRank } = entry;
    const item = found[index] ?? recordOfKey(kind, key);
    if (item === null) return [];
    const series = trendSeries(entry.series);
    const topPostIds = kind === "post" ? [key] : entry.topPostIds;
    return [{ item, rank: offset + index + 1, previousRank, measured, views, posts, series, topPostIds }];
  });
  return { items: items as TrendPage<K, N>["items"], total, day: startOfDay(day) / 1000, computedAt, newestCapture };
}

interface Computation {
  list: string;
  /** 0 before the first time. */
  day: number;
  computedAt: number | null;
  newestCapture: number | null;
}

/**
 * State of a list: the data that it was computed for, and when. Throws for a ranking as of a day that is older than those
 * of today, or that nobody computed: it is to be computed first.
 */
async function getComputation(
  sql: Sql,
  {
    platform,
    kind,
    country,
    asOf,
  }: { platform: PlatformName; kind: TrendKind; country: string | null } & Required<Pick<TrendRequest, "asOf">>,
): Promise<Computation> {
  const list = trendList(platform, kind, country, null);
  const row = await sql.get<{
    day: number | null;
    computed_at: number | null;
    newest_capture: number | null;
    version: number | null;
  }>(
    `SELECT coalesce(own.day, every.day) AS day, coalesce(own.computed_at, every.computed_at) AS computed_at,
       every.computed_version AS version, p.newest_capture
     FROM trend_state every LEFT JOIN trend_lists own ON own.name = $1 LEFT JOIN trend_platforms p ON p.platform = $2`,
    list,
    platform,
  );
  const newestCapture = row?.newest_capture ?? null;
  const today = { list, day: row?.day ?? 0, computedAt: row?.computed_at ?? null, newestCapture };
  if (asOf === null) return today;
  const day = asOf !== "newest" ? asOf : newestCapture === null ? today.day : dayOf(newestCapture);
  // Captures of tomorrow are those of another clock.
  if (day >= today.day) return today;
  const computed = await sql.get<{ computed_at: number }>(
    "SELECT computed_at FROM trend_days WHERE day = $1 AND computed_version >= $2",
    day,
    row?.version ?? 0,
  );
  if (computed === undefined) throw rankingPending(day);
  return { list: trendList(platform, kind, country, day), day, computedAt: computed.computed_at, newestCapture };
}

interface RankingRange {
  list: string;
  period: TrendPeriod;
  offset: number;
  limit: number;
  measuredOnly: boolean;
}

interface RankingPage {
  entries: RankedEntry[];
  total: number;
}

/** Reads only the chunks that the page is in. */
async function readPage(sql: Sql, range: RankingRange): Promise<RankingPage> {
  const { list, period, offset, measuredOnly } = range;
  const end = Math.min(offset + range.limit, MAX_ENTRIES);
  const wanted: number[] = [];
  let skipped = 0;
  let total = 0;
  const counts = await sql.all<{ chunk: number; count: number; measured: number }>(
    "SELECT chunk, count, measured FROM trend_chunks WHERE list = $1 AND period = $2 ORDER BY chunk",
    list,
    period,
  );
  for (const { chunk, measured, ...all } of counts) {
    const count = measuredOnly ? measured : all.count;
    if (total + count <= offset) skipped += count;
    else if (total < end) wanted.push(chunk);
    total += count;
  }
  const [first, last] = [wanted[0], wanted.at(-1)];
  const entries = first === undefined || last === undefined ? [] : await listEntries(sql, range, first, last);
  return { entries: entries.slice(offset - skipped, Math.max(0, end - skipped)), total: Math.min(total, MAX_ENTRIES) };
}

function readTopicPage(topics: ReadonlySet<string>) {
  return async (sql: Sql, range: RankingRange): Promise<RankingPage> => {
    const { offset, limit } = range;
    const entries = (await listEntries(sql, range, 0, TOPIC_DEPTH)).filter((entry) =>
      entry.topics.some((topic) => topics.has(topic)),
    );
    return { entries: entries.slice(offset, offset + limit), total: Math.min(entries.length, offset + limit + 1) };
  };
}

/** The entries of some chunks, in order. */
async function listEntries(
  sql: Sql,
  { list, period, measuredOnly }: RankingRange,
  first: number,
  last: number,
): Promise<RankedEntry[]> {
  const chunks = await sql.all<{ entries: string }>(
    "SELECT entries FROM trend_chunks WHERE list = $1 AND period = $2 AND chunk BETWEEN $3 AND $4 ORDER BY chunk",
    list,
    period,
    first,
    last,
  );
  return chunks.flatMap((chunk) => decodeChunk(chunk.entries)).filter(({ measured }) => measured || !measuredOnly);
}

/** A hashtag or sound that posts carry but no capture describes is known by its key only. */
function recordOfKey(kind: TrendKind, key: string): StoredRecord<object> | null {
  if (kind === "post") return null;
  const record = { id: key, native: {}, counters: {}, capturedAt: 0, source: "" };
  if (kind === "hashtag") return { ...record, name: key, platformId: null } as Hashtag;
  return { ...record, title: null, artistName: null, artistId: null, durationS: null } as Sound;
}
