/** Answers a platform's questions from PostgreSQL. Each look-up and each page goes to one key, and so to one machine. */
import type { Account } from "#domain/account.ts";
import type { Chart } from "#domain/chart.ts";
import { foldName } from "#domain/folding.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Page, PageRequest } from "#domain/page.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint, Counters, PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleTrack } from "#domain/subtitle.ts";
import { renderingReader } from "../rendering-reader.ts";
import { createSearchQueries } from "../search-queries.ts";
import type { RenderMode } from "#domain/projection.ts";
import type { Natives, Reader, TrendKind, TrendRequest } from "../store.ts";
import { chartName } from "./chart-name.ts";
import { CommentReads } from "./comment-reads.ts";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import { cut, START } from "./pages.ts";
import { PostListReads } from "./post-list-reads.ts";
import { RecordReads } from "./record-reads.ts";
import { createSearchEngine } from "./search-engine.ts";
import { listTrends } from "./trend-reads.ts";
import { getSubtitles, listTracks } from "./subtitle-reads.ts";

export function createReader<N extends Natives>(
  db: Database,
  platform: PlatformName,
  spread: boolean,
  form: RenderMode = "object",
): Reader<N> {
  const records = new RecordReads(db, platform, spread);
  const posts = new PostListReads<N["post"]>(db, platform, records);
  const comments = new CommentReads<N["comment"]>(db, platform);

  async function getAccountByName(name: string): Promise<Account<N["account"]> | null> {
    const named = await db.get<{ id: string }>(
      "SELECT id FROM account_names WHERE name = $1 AND platform = $2",
      foldName(name),
      platform,
    );
    return named === undefined ? null : records.get<Account<N["account"]>>("account", named.id);
  }

  const shared: Pick<
    Reader<N>,
    "getAccountByName" | "getAccounts" | "getPost" | "listPosts" | "listComments" | "listFollowers"
  > = {
    getAccountByName,
    getAccounts: (ids) => records.list<Account<N["account"]>>("account", ids),
    getPost: (id) => records.get<Post<N["post"]>>("post", id),
    listPosts: (list, key, page) => posts.page(list, key, page),
    listComments: (postId, order, page) => comments.page(postId, order, page),
    listFollowers: (accountId, page) => listFollowers(db, platform, accountId, page),
  };

  return {
    ...shared,
    ...renderingReader(shared, form),
    getAccount: (id) => records.get<Account<N["account"]>>("account", id),
    async hasProvisionalAccounts() {
      const row = await db.get(
        "SELECT 1 FROM records WHERE platform = $1 AND kind = 'account' AND id >= '@' AND id < 'A' LIMIT 1",
        platform,
      );
      return row !== undefined;
    },
    getPosts: (ids) => records.list<Post<N["post"]>>("post", ids),
    getSound: (id) => records.get<Sound<N["sound"]>>("sound", id),
    getHashtag: (name) => records.get<Hashtag<N["hashtag"]>>("hashtag", foldName(name)),
    getPlace: (id) => records.get<Place<N["place"]>>("place", id),

    listPostKeysets: (list, key, at) => posts.positions(list, key, at),
    listTopPosts: (list, key, limit) => posts.top(list, key, limit),
    countPosts: (list, key) => posts.count(list, key),

    listCommentKeysets: (postId, within) => comments.positions(postId, within),
    countComments: (postId) => comments.count(postId),

    async countFollowers(accountId) {
      const row = await db.get<{ n: number }>(
        "SELECT count(*) AS n FROM follows WHERE account_id = $1 AND platform = $2",
        accountId,
        platform,
      );
      return row?.n ?? 0;
    },

    listSubtitleLanguages: (postId) =>
      db.all<Pick<SubtitleTrack, "language" | "automatic">>(
        "SELECT language, automatic FROM subtitles WHERE post_id = $1 AND platform = $2 ORDER BY language, automatic",
        postId,
        platform,
      ),
    getSubtitles: (postId, language) => getSubtitles(db, platform, postId, language),
    getChart: (country, section) => getChart(db, platform, country, section),
    listCounters: (kind, id) => listCounters(db, platform, kind, id),

    ...createSearchQueries<N>(createSearchEngine(db), platform, {
      records: (kind, ids) => records.listEach(kind, ids),
      comments: (keys) => comments.listEach(keys),
      subtitles: (keys) => listTracks(db, platform, keys),
    }),

    listTrends: <K extends TrendKind>(kind: K, request: TrendRequest) =>
      listTrends<K, N>(db, records, platform, kind, request),
  };
}

async function listFollowers(
  db: Sql,
  platform: PlatformName,
  accountId: string,
  { limit, after = START }: PageRequest,
): Promise<Page<Follow>> {
  const found = await db.all<{ id: string; at: number; since: number | null; captured_at: number; source: string }>(
    `SELECT follower_id AS id, at, since, captured_at, source FROM follows
     WHERE account_id = $1 AND platform = $2 AND at <= $3 AND (at < $3 OR follower_id > $4)
     ORDER BY at DESC, follower_id LIMIT $5`,
    accountId,
    platform,
    after.at,
    after.id,
    limit + 1,
  );
  const { rows, rest } = cut(found, limit);
  const items = rows.map(({ id, since, captured_at, source }) => ({
    accountId,
    followerId: id,
    since,
    capturedAt: captured_at,
    source,
  }));
  return { items, ...rest };
}

async function getChart(db: Sql, platform: PlatformName, country: string, section: string): Promise<Chart | null> {
  const rows = await db.all<{ day: string; post_id: string; captured_at: number; source: string }>(
    `SELECT day, post_id, captured_at, source FROM chart_entries
     WHERE chart = $1 AND day = (SELECT max(day) FROM chart_entries WHERE chart = $1) ORDER BY rank`,
    chartName(platform, country, section),
  );
  const [first] = rows;
  if (first === undefined) return null;
  const { day, captured_at: capturedAt, source } = first;
  return { country, section, day, postIds: [...new Set(rows.map((row) => row.post_id))], capturedAt, source };
}

async function listCounters(db: Sql, platform: PlatformName, kind: RecordKind, id: string): Promise<CounterPoint[]> {
  const rows = await db.all<{ captured_at: number; counters: string }>(
    "SELECT captured_at, counters FROM counter_points WHERE id = $1 AND platform = $2 AND kind = $3 ORDER BY captured_at",
    id,
    platform,
    kind,
  );
  return rows.map((row) => ({ capturedAt: row.captured_at, counters: JSON.parse(row.counters) as Counters }));
}
