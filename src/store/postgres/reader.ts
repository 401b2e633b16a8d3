/** Reads one platform's records. Each look-up and each page reads one key, and so, with Citus, one machine. */
import type { Account } from "#domain/account.ts";
import type { Chart } from "#domain/chart.ts";
import { foldName } from "#domain/folding.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Page, PageRequest } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import type { RenderMode } from "#domain/projection.ts";
import type { CounterPoint, Counters, PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { Sound } from "#domain/sound.ts";
import { toChart } from "../chart-rows.ts";
import { listTrends } from "../list-trends.ts";
import type { Natives } from "../natives.ts";
import { START, toPage } from "../pages.ts";
import type { Reader } from "../reader.ts";
import { renderingReader } from "../rendering-reader.ts";
import { createSearchReader } from "../search-queries.ts";
import type { TrendKind, TrendRequest } from "../trend-reader.ts";
import { chartName } from "./chart-name.ts";
import { CommentReads } from "./comment-reads.ts";
import type { Database } from "./database.ts";
import { PostListReads } from "./post-list-reads.ts";
import { createRecordLoader } from "./record-loader.ts";
import { getAccountId, RecordReads } from "./record-reads.ts";
import { createSearchEngine } from "./search-engine.ts";
import type { Sql } from "./sql.ts";
import { getSubtitles } from "./subtitle-reads.ts";
import type { ChartEntryRow, CounterPointRow, FollowRow, SubtitleRow } from "./tables.ts";
import { createTrendQueries } from "./trend-tables.ts";

export function createReader<N extends Natives = Natives>(
  db: Database,
  platform: PlatformName,
  mode: RenderMode,
): Reader<N> {
  const records = new RecordReads(db, platform);
  const posts = new PostListReads<N["post"]>(db, platform, records);
  const comments = new CommentReads<N["comment"]>(db, platform);
  const trends = createTrendQueries(db, records);

  async function getAccountByName(name: string): Promise<Account<N["account"]> | null> {
    const id = await getAccountId(db, platform, name);
    return id === null ? null : records.get<Account<N["account"]>>("account", id);
  }

  const plain: Parameters<typeof renderingReader<N>>[0] = {
    getAccountByName,
    getAccounts: (ids) => records.list<Account<N["account"]>>("account", ids),
    getPost: (id) => records.get<Post<N["post"]>>("post", id),
    listPosts: (list, key, page) => posts.page(list, key, page),
    listComments: (postId, order, page) => comments.page(postId, order, page),
    listFollowers: (accountId, page) => listFollowers(db, platform, accountId, page),
  };

  return {
    ...plain,
    ...renderingReader(plain, mode),
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

    listPostKeysets: (list, key, at) => posts.keysets(list, key, at),
    listTopPosts: (list, key, limit) => posts.top(list, key, limit),
    countPosts: (list, key) => posts.count(list, key),

    listCommentKeysets: (postId, within) => comments.keysets(postId, within),
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
      db.all<Pick<SubtitleRow, "language" | "automatic">>(
        "SELECT language, automatic FROM subtitles WHERE post_id = $1 AND platform = $2 ORDER BY language, automatic",
        postId,
        platform,
      ),
    getSubtitles: (postId, language) => getSubtitles(db, platform, postId, language),
    getChart: (country, section) => getChart(db, platform, country, section),
    listCounters: (kind, id) => listCounters(db, platform, kind, id),

    ...createSearchReader<N>(createSearchEngine(db), platform, createRecordLoader(db)),

    listTrends: <K extends TrendKind>(kind: K, request: TrendRequest) =>
      listTrends<K, N>(trends, platform, kind, request),
  };
}

async function listFollowers(
  sql: Sql,
  platform: PlatformName,
  accountId: string,
  { limit, after = START }: PageRequest,
): Promise<Page<Follow>> {
  const rows = await sql.all<FollowRow>(
    `SELECT * FROM follows WHERE account_id = $1 AND platform = $2 AND at <= $3 AND (at < $3 OR follower_id > $4)
     ORDER BY at DESC, follower_id LIMIT $5`,
    accountId,
    platform,
    after.at,
    after.id,
    limit + 1,
  );
  return toPage(
    rows,
    limit,
    ({ at, follower_id }) => ({ at, id: follower_id }),
    ({ follower_id, since, captured_at, source }) => ({
      accountId,
      followerId: follower_id,
      since,
      capturedAt: captured_at,
      source,
    }),
  );
}

async function getChart(sql: Sql, platform: PlatformName, country: string, section: string): Promise<Chart | null> {
  const rows = await sql.all<ChartEntryRow>(
    `SELECT * FROM chart_entries
     WHERE chart = $1 AND day = (SELECT max(day) FROM chart_entries WHERE chart = $1) ORDER BY rank`,
    chartName(platform, country, section),
  );
  return toChart(country, section, rows);
}

async function listCounters(sql: Sql, platform: PlatformName, kind: RecordKind, id: string): Promise<CounterPoint[]> {
  const rows = await sql.all<CounterPointRow>(
    "SELECT * FROM counter_points WHERE id = $1 AND platform = $2 AND kind = $3 ORDER BY captured_at",
    id,
    platform,
    kind,
  );
  return rows.map((row) => ({ capturedAt: row.captured_at, counters: JSON.parse(row.counters) as Counters }));
}
