/** Rankings by growth, read from the sums that `trend-upkeep.ts` keeps: a short range of an index each. */
import { foldName } from "#domain/folding.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Post } from "#domain/post.ts";
import type { Counters, StoredRecord, PlatformName } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import { startOfDay } from "#domain/time.ts";
import type { Natives, Trend, TrendKind, TrendPage, TrendRequest } from "../store.ts";
import {
  type DayGrowth,
  growthByDay,
  SHOWN_ENTRIES,
  TOP_POSTS,
  TOP_POSTS_AMONG,
  TOPIC_DEPTH,
  trendList,
  type TrendPeriod,
  trendSeries,
} from "../trends.ts";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import type { RecordReads } from "./record-reads.ts";
import { heldDay } from "./trend-writer.ts";

/** Posts whose topics are looked at together. */
const HEADERS_AT_ONCE = 200;

interface Entry {
  key: string;
  value: number;
  posts: number;
}

/** One ranking of one platform, and what is needed to describe its entries. */
interface Ranking {
  db: Database;
  records: RecordReads;
  platform: PlatformName;
  kind: TrendKind;
  country: string | null;
  period: TrendPeriod;
  list: string;
  today: number;
}

type Details = Pick<Trend<unknown>, "posts" | "series" | "topPostIds">;

export async function listTrends<K extends TrendKind, N extends Natives>(
  db: Database,
  records: RecordReads,
  platform: PlatformName,
  kind: K,
  { country, days, offset, limit, topic }: TrendRequest,
): Promise<TrendPage<K, N>> {
  const today = (await heldDay(db)) ?? 0;
  const list = trendList(platform, kind, country);
  const ranking: Ranking = { db, records, platform, kind, country, period: days, list, today };
  const { entries, total } = await (topic == null
    ? pageOf(ranking, offset, limit)
    : pageOnTopic(ranking, new Set(topic.map(foldName)), offset, limit));
  const held = await records.listEach(
    kind,
    entries.map(({ key }) => key),
  );
  const before = entries.length === 0 ? new Map<string, number>() : await ranksOfPeriodBefore(ranking);
  const shown = entries.flatMap(({ key, value, posts }, index) => {
    const item = held[index] ?? bareRecord(kind, key);
    const rank = offset + index + 1;
    return item === null ? [] : [{ item, rank, previousRank: before.get(key) ?? null, views: value, posts }];
  });
  const items = await describe(ranking, shown);
  return { items: items as TrendPage<K, N>["items"], total, day: startOfDay(today) / 1000 };
}

function ranked(db: Sql, { list, period }: Ranking, limit: number, offset: number): Promise<Entry[]> {
  return db.all<Entry>(
    `SELECT key, gain_${period} AS value, posts_${period} AS posts FROM trend_sums
     WHERE list = $1 AND gain_${period} > 0 ORDER BY gain_${period} DESC, key LIMIT $2 OFFSET $3`,
    list,
    limit,
    offset,
  );
}

async function pageOf(ranking: Ranking, offset: number, limit: number): Promise<{ entries: Entry[]; total: number }> {
  const { db, list, period } = ranking;
  const shown = Math.max(0, Math.min(limit, SHOWN_ENTRIES - offset));
  const row = await db.get<{ total: number }>(
    `SELECT count(*) AS total FROM (SELECT 1 FROM trend_sums WHERE list = $1 AND gain_${period} > 0 LIMIT $2) AS shown`,
    list,
    SHOWN_ENTRIES,
  );
  return { entries: shown === 0 ? [] : await ranked(db, ranking, shown, offset), total: row?.total ?? 0 };
}

/** The ranking is read only as far as the page needs. */
async function pageOnTopic(
  ranking: Ranking,
  topics: Set<string>,
  offset: number,
  limit: number,
): Promise<{ entries: Entry[]; total: number }> {
  const { db, records } = ranking;
  const found: Entry[] = [];
  const entries = await ranked(db, ranking, TOPIC_DEPTH, 0);
  for (let start = 0; start < entries.length && found.length <= offset + limit; start += HEADERS_AT_ONCE) {
    const some = entries.slice(start, start + HEADERS_AT_ONCE);
    const headers = await records.headers(
      "post",
      some.map(({ key }) => key),
    );
    found.push(
      ...some.filter(({ key }) => {
        const header = headers.get(key);
        return header !== undefined && onTopic(JSON.parse(header) as Post, topics);
      }),
    );
  }
  return { entries: found.slice(offset, offset + limit), total: Math.min(found.length, offset + limit + 1) };
}

function onTopic(post: Post, topics: Set<string>): boolean {
  return (
    (post.category != null && topics.has(foldName(post.category))) ||
    post.hashtags.some((tag) => topics.has(foldName(tag)))
  );
}

async function ranksOfPeriodBefore({ db, list, period }: Ranking): Promise<Map<string, number>> {
  const entries = await db.all<{ key: string }>(
    `SELECT key FROM trend_sums WHERE list = $1 AND before_${period} > 0 ORDER BY before_${period} DESC, key LIMIT $2`,
    list,
    SHOWN_ENTRIES,
  );
  return new Map(entries.map(({ key }, index) => [key, index + 1]));
}

type Shown = Omit<Trend<StoredRecord<object>>, "series" | "topPostIds">;

async function describe(ranking: Ranking, shown: Shown[]): Promise<Trend<StoredRecord<object>>[]> {
  // One connection and one turn for all: the statements of a page are sent together.
  const details = await ranking.db.withConnection((sql) =>
    Promise.all(
      shown.map((trend) => (ranking.kind === "post" ? ofPost(sql, ranking, trend) : ofKey(sql, ranking, trend))),
    ),
  );
  return shown.map((trend, index) => ({ ...trend, ...(details[index] as Details) }));
}

async function ofPost(sql: Sql, { platform, period, today }: Ranking, { item }: Shown): Promise<Details> {
  const rows = await sql.all<{ captured_at: number; counters: string }>(
    `SELECT captured_at, counters FROM counter_points
     WHERE id = $1 AND platform = $2 AND kind = 'post' ORDER BY captured_at`,
    item.id,
    platform,
  );
  const points = rows.map((row) => ({ capturedAt: row.captured_at, counters: JSON.parse(row.counters) as Counters }));
  const growth = growthByDay((item as Post).publishedAt, points);
  return { posts: 1, series: trendSeries(today, period, growth), topPostIds: [item.id] };
}

async function ofKey(sql: Sql, ranking: Ranking, { item, posts }: Shown): Promise<Details> {
  const { list, period, today } = ranking;
  const [rows, topPostIds] = await Promise.all([
    sql.all<{ day: number; value_7: number; value_30: number; value_120: number }>(
      "SELECT day, value_7, value_30, value_120 FROM trend_days WHERE list = $1 AND key = $2 AND day > $3",
      list,
      item.id,
      today - period,
    ),
    topPosts(sql, ranking, item.id),
  ]);
  const growth = rows.map(({ day, value_7, value_30, value_120 }): DayGrowth => ({
    day,
    values: [value_7, value_30, value_120],
  }));
  return { posts, series: trendSeries(today, period, growth), topPostIds };
}

/** Of the newest posts that carry it, those that gained most. */
async function topPosts(sql: Sql, { platform, kind, country, period }: Ranking, key: string): Promise<string[]> {
  const newest = await sql.all<{ post_id: string }>(
    `SELECT post_id FROM post_lists WHERE key = $1 AND platform = $2 AND list = $3 ORDER BY sort_key, post_id LIMIT $4`,
    key,
    platform,
    kind,
    TOP_POSTS_AMONG,
  );
  const top = await sql.all<{ key: string }>(
    `SELECT key FROM trend_sums WHERE list = $1 AND key = ANY($2) AND gain_${period} > 0
     ORDER BY gain_${period} DESC, key LIMIT $3`,
    trendList(platform, "post", country),
    newest.map(({ post_id }) => post_id),
    TOP_POSTS,
  );
  return top.map((row) => row.key);
}

/** A hashtag or sound that posts carry but nobody captured on its own still has a name: its key. */
function bareRecord(kind: TrendKind, key: string): StoredRecord<object> | null {
  if (kind === "post") return null;
  const bare = { id: key, native: {}, counters: {}, capturedAt: 0, source: "" };
  if (kind === "hashtag") return { ...bare, name: key, platformId: null } as Hashtag;
  return { ...bare, title: null, artistName: null, artistId: null, durationS: null } as Sound;
}
