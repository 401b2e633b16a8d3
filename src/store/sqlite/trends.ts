/** Rankings by growth: of posts, and of the hashtags and sounds that posts carry. */
import type { Hashtag } from "#domain/hashtag.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint, Counters, Held, PlatformName } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import { foldName } from "#domain/folding.ts";
import type { Natives, Trend, TrendKind, TrendPage, TrendRequest } from "../store.ts";
import { gained, type GrowthCurve, growthCurve } from "../trends.ts";
import type { Database } from "./database.ts";
import { RECORD_COLUMNS, recordOf, type RecordRow } from "./rows.ts";

const DAY = 86_400;
const TOP_POSTS = 5;

interface Mover {
  post: Pick<Post, "id" | "authorId" | "hashtags" | "soundId" | "title" | "text">;
  curve: GrowthCurve;
  now: number;
  before: number;
}

interface Group {
  key: string;
  movers: Mover[];
  now: number;
  before: number;
}

export function listTrends<K extends TrendKind, N extends Natives>(
  db: Database,
  platform: PlatformName,
  kind: K,
  request: TrendRequest,
): TrendPage<K, N> {
  const from = request.now - request.days * DAY;
  const groups = groupBy(kind, moversOf(db, platform, request));
  const current = groups.filter((group) => group.now > 0).toSorted((a, b) => b.now - a.now || compare(a.key, b.key));
  const previous = groups
    .filter((group) => group.before > 0)
    .toSorted((a, b) => b.before - a.before || compare(a.key, b.key));
  const previousRank = new Map(previous.map((group, index) => [group.key, index + 1]));

  const items = current
    .slice(request.offset, request.offset + request.limit)
    .flatMap((group, index): Trend<Held<object>>[] => {
      const item = recordFor(db, platform, kind, group.key);
      if (item === null) return [];
      const movers = group.movers
        .filter((mover) => mover.now > 0)
        .toSorted((a, b) => b.now - a.now || compare(a.post.id, b.post.id));
      return [
        {
          item,
          rank: request.offset + index + 1,
          previousRank: previousRank.get(group.key) ?? null,
          posts: movers.length,
          views: Math.round(group.now),
          series: Array.from({ length: request.days }, (_, day) => {
            const at = from + day * DAY;
            return { at, value: Math.round(sum(movers, ({ curve }) => gained(curve, at, at + DAY))) };
          }),
          topPostIds: movers.slice(0, TOP_POSTS).map(({ post }) => post.id),
        },
      ];
    });
  return { items: items as TrendPage<K, N>["items"], total: current.length };
}

/** The posts that gained anything in the period or in the one before it. */
function moversOf(db: Database, platform: PlatformName, { country, days, now, topic }: TrendRequest): Mover[] {
  const from = now - days * DAY;
  const start = from - days * DAY;
  const rows = db.all<{ id: string; header: string; captured_at: number; counters: string }>(
    `SELECT r.id, r.header, p.captured_at, p.counters
     FROM (SELECT id FROM counter_points WHERE platform = ? AND kind = 'post' AND captured_at >= ? GROUP BY id) moved
     JOIN records r ON r.platform = ? AND r.kind = 'post' AND r.id = moved.id
     JOIN counter_points p ON p.platform = r.platform AND p.kind = r.kind AND p.id = r.id
     ORDER BY r.id, p.captured_at`,
    platform,
    start * 1000,
    platform,
  );
  const topics = topic == null ? null : new Set(topic.map(foldName));
  const movers: Mover[] = [];
  for (let index = 0; index < rows.length;) {
    const first = rows[index] as (typeof rows)[number];
    const points: CounterPoint[] = [];
    for (; rows[index]?.id === first.id; index++) {
      const row = rows[index] as (typeof rows)[number];
      points.push({ capturedAt: row.captured_at, counters: JSON.parse(row.counters) as Counters });
    }
    const post = { ...(JSON.parse(first.header) as Post), id: first.id };
    if (country !== null && post.country !== country) continue;
    if (topics !== null && !onTopic(post, topics)) continue;
    const curve = growthCurve(post.publishedAt, points);
    if (curve === null) continue;
    movers.push({ post, curve, now: gained(curve, from, now), before: gained(curve, start, from) });
  }
  return movers;
}

function onTopic(post: Post, topics: Set<string>): boolean {
  return (
    (post.category != null && topics.has(foldName(post.category))) ||
    post.hashtags.some((tag) => topics.has(foldName(tag)))
  );
}

function groupBy(kind: TrendKind, movers: Mover[]): Group[] {
  const groups = new Map<string, Group>();
  for (const mover of movers) {
    for (const key of keysOf(kind, mover.post)) {
      let group = groups.get(key);
      if (group === undefined) groups.set(key, (group = { key, movers: [], now: 0, before: 0 }));
      group.movers.push(mover);
      group.now += mover.now;
      group.before += mover.before;
    }
  }
  return [...groups.values()];
}

function keysOf(kind: TrendKind, post: Mover["post"]): string[] {
  if (kind === "post") return [post.id];
  if (kind === "sound") return post.soundId === null ? [] : [post.soundId];
  return [...new Set(post.hashtags.map(foldName))];
}

/** A hashtag or sound that posts carry but nobody captured on its own still has a name: its key. */
function recordFor(db: Database, platform: PlatformName, kind: TrendKind, key: string): Held<object> | null {
  const row = db.get<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = ? AND id = ?`,
    platform,
    kind,
    key,
  );
  if (row !== undefined) return recordOf(row);
  if (kind === "post") return null;
  const bare = { id: key, native: {}, counters: {}, capturedAt: 0, source: "" };
  if (kind === "hashtag") return { ...bare, name: key, platformId: null } as Hashtag;
  return { ...bare, title: null, artistName: null, artistId: null, durationS: null } as Sound;
}

function sum<Item>(items: Item[], valueOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
