/** Rankings by growth, read from the tables that `trend-upkeep.ts` keeps: a short range of an index each. */
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
import { RECORD_COLUMNS, recordOf, type RecordRow } from "../record-row.ts";
import type { Database } from "./database.ts";
import { rankingOf } from "./trend-ranks.ts";

const RANKED = "SELECT key, value FROM trend_ranks WHERE ranking = ? ORDER BY value DESC, key LIMIT ? OFFSET ?";
const GET_RECORD = `SELECT ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = ? AND id = ?`;

// Spelt out once for each period: a statement is found again by its text.
const POSTS_OF: Record<TrendPeriod, string> = {
  7: "SELECT posts_7 AS posts FROM trend_sums WHERE list = ? AND key = ?",
  30: "SELECT posts_30 AS posts FROM trend_sums WHERE list = ? AND key = ?",
  120: "SELECT posts_120 AS posts FROM trend_sums WHERE list = ? AND key = ?",
};
const TOP_POSTS_OF: Record<TrendPeriod, string> = { 7: topPosts(7), 30: topPosts(30), 120: topPosts(120) };

function topPosts(period: TrendPeriod): string {
  return `SELECT s.key FROM (
      SELECT post_id FROM post_lists WHERE platform = ? AND list = ? AND key = ? ORDER BY at DESC, post_id LIMIT ?
    ) newest JOIN trend_sums s ON s.list = ? AND s.key = newest.post_id AND s.gain_${period} > 0
    ORDER BY s.gain_${period} DESC, s.key LIMIT ?`;
}

interface Entry {
  key: string;
  value: number;
}

/** One ranking of one platform, and what is needed to describe its entries. */
interface Ranking {
  db: Database;
  platform: PlatformName;
  kind: TrendKind;
  country: string | null;
  period: TrendPeriod;
  list: string;
  today: number;
}

export function listTrends<K extends TrendKind, N extends Natives>(
  db: Database,
  platform: PlatformName,
  kind: K,
  { country, days, offset, limit, topic }: TrendRequest,
): TrendPage<K, N> {
  const today = db.get<{ day: number }>("SELECT coalesce(day, goal) AS day FROM trend_state")?.day ?? 0;
  const ranking = { db, platform, kind, country, period: days, list: trendList(platform, kind, country), today };
  const { entries, total } =
    topic == null ? pageOf(ranking, offset, limit) : pageOnTopic(ranking, new Set(topic.map(foldName)), offset, limit);
  const ranksBefore = entries.length === 0 ? new Map<string, number>() : ranksOfPeriodBefore(ranking);
  const items = entries.flatMap(({ key, value }, index): Trend<StoredRecord<object>>[] => {
    const item = recordFor(ranking, key);
    if (item === null) return [];
    const rank = offset + index + 1;
    return [{ item, rank, previousRank: ranksBefore.get(key) ?? null, views: value, ...detailsOf(ranking, item) }];
  });
  return { items: items as TrendPage<K, N>["items"], total, day: startOfDay(today) / 1000 };
}

function pageOf({ db, list, period }: Ranking, offset: number, limit: number): { entries: Entry[]; total: number } {
  const ranking = rankingOf(list, period, "now");
  const shown = Math.max(0, Math.min(limit, SHOWN_ENTRIES - offset));
  const { total } = db.get<{ total: number }>(
    "SELECT count(*) AS total FROM (SELECT 1 FROM trend_ranks WHERE ranking = ? LIMIT ?)",
    ranking,
    SHOWN_ENTRIES,
  ) as { total: number };
  return { entries: shown === 0 ? [] : db.all<Entry>(RANKED, ranking, shown, offset), total };
}

/** The ranking is read only as far as the page needs. */
function pageOnTopic(
  { db, platform, list, period }: Ranking,
  topics: Set<string>,
  offset: number,
  limit: number,
): { entries: Entry[]; total: number } {
  const found: Entry[] = [];
  for (const entry of db.all<Entry>(RANKED, rankingOf(list, period, "now"), TOPIC_DEPTH, 0)) {
    const row = db.get<{ header: string }>(
      "SELECT header FROM records WHERE platform = ? AND kind = 'post' AND id = ?",
      platform,
      entry.key,
    );
    if (row !== undefined && onTopic(JSON.parse(row.header) as Post, topics)) found.push(entry);
    if (found.length > offset + limit) break;
  }
  return { entries: found.slice(offset, offset + limit), total: found.length };
}

function onTopic(post: Post, topics: Set<string>): boolean {
  return (
    (post.category != null && topics.has(foldName(post.category))) ||
    post.hashtags.some((tag) => topics.has(foldName(tag)))
  );
}

function ranksOfPeriodBefore({ db, list, period }: Ranking): Map<string, number> {
  const entries = db.all<Entry>(RANKED, rankingOf(list, period, "before"), SHOWN_ENTRIES, 0);
  return new Map(entries.map(({ key }, index) => [key, index + 1]));
}

function detailsOf(
  ranking: Ranking,
  { id, ...item }: StoredRecord<object>,
): Pick<Trend<unknown>, "posts" | "series" | "topPostIds"> {
  const { db, platform, kind, country, period, list, today } = ranking;
  if (kind === "post") {
    const growth = growthOfPost(ranking, id, (item as unknown as Post).publishedAt);
    return { posts: 1, series: trendSeries(today, period, growth), topPostIds: [id] };
  }
  const top = db.all<{ key: string }>(
    TOP_POSTS_OF[period],
    platform,
    kind,
    id,
    TOP_POSTS_AMONG,
    trendList(platform, "post", country),
    TOP_POSTS,
  );
  return {
    posts: db.get<{ posts: number }>(POSTS_OF[period], list, id)?.posts ?? 0,
    series: trendSeries(today, period, growthOfEntry(ranking, id)),
    topPostIds: top.map(({ key }) => key),
  };
}

function growthOfPost({ db, platform }: Ranking, id: string, publishedAt: number | null): DayGrowth[] {
  const rows = db.all<{ captured_at: number; counters: string }>(
    `SELECT captured_at, counters FROM counter_points
     WHERE platform = ? AND kind = 'post' AND id = ? ORDER BY captured_at`,
    platform,
    id,
  );
  return growthByDay(
    publishedAt,
    rows.map((row) => ({ capturedAt: row.captured_at, counters: JSON.parse(row.counters) as Counters })),
  );
}

function growthOfEntry({ db, list, period, today }: Ranking, key: string): DayGrowth[] {
  return db
    .all<{ day: number; value_7: number; value_30: number; value_120: number }>(
      "SELECT day, value_7, value_30, value_120 FROM trend_days WHERE list = ? AND key = ? AND day > ?",
      list,
      key,
      today - period,
    )
    .map(({ day, value_7, value_30, value_120 }) => ({ day, values: [value_7, value_30, value_120] }));
}

/** A hashtag or sound that posts carry but nobody captured on its own still has a name: its key. */
function recordFor({ db, platform, kind }: Ranking, key: string): StoredRecord<object> | null {
  const row = db.get<RecordRow>(GET_RECORD, platform, kind, key);
  if (row !== undefined) return recordOf(row);
  if (kind === "post") return null;
  const bare = { id: key, native: {}, counters: {}, capturedAt: 0, source: "" };
  if (kind === "hashtag") return { ...bare, name: key, platformId: null } as Hashtag;
  return { ...bare, title: null, artistName: null, artistId: null, durationS: null } as Sound;
}
