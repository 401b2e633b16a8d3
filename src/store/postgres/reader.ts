/** Reads one platform's records. Each look-up and each page reads one key, and so, with Citus, one machine. */
import type { Account } from "#domain/account.ts";
import type { Chart, ChartDay, ChartRank } from "#domain/chart.ts";
import { foldName } from "#domain/folding.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Page, PageRequest } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import type { RenderMode } from "#domain/projection.ts";
import type { CounterPoint, Counters, PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { Sound } from "#domain/sound.ts";
import { isFirstOfChart, toChart, toChartRank } from "../chart-rows.ts";
import { listTrends } from "../sql/list-trends.ts";
import type { Natives } from "../natives.ts";
import { keysetOf, START, toPage } from "../pages.ts";
import type { Reader } from "../reader.ts";
import { renderingReader } from "../rendering-reader.ts";
import { createSearchReader } from "../search-queries.ts";
import type { TrendKind, TrendRequest } from "../trend-reader.ts";
import { chartName, parseChartName } from "./chart-name.ts";
import { CommentReads } from "./comment-reads.ts";
import type { Database } from "./database.ts";
import { PostListReads } from "./post-list-reads.ts";
import { createRecordLoader } from "./record-loader.ts";
import { getAccountId, RecordReads } from "./record-reads.ts";
import { createSearchEngine } from "./search-engine.ts";
import type { Sql } from "./sql.ts";
import { getSubtitles } from "./subtitle-reads.ts";
import type { ChartEntryRow, CounterPointRow, FollowRow, SubtitleRow } from "./tables.ts";

export function createReader<N extends Natives = Natives>(
  db: Database,
  platform: PlatformName,
  mode: RenderMode,
): Reader<N> {
  const records = new RecordReads(db, platform);
  const posts = new PostListReads<N["post"]>(db, platform, records);
  const comments = new CommentReads<N["comment"]>(db, platform);

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
    listFollowers: (accountId, page) => listFollows(db, platform, "account_id", accountId, page),
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
    async getAnyPostId() {
      const row = await db.get<{ id: string }>(
        "SELECT id FROM records WHERE platform = $1 AND kind = 'post' LIMIT 1",
        platform,
      );
      return row?.id ?? null;
    },
    getPosts: (ids) => records.list<Post<N["post"]>>("post", ids),
    getSound: (id) => records.get<Sound<N["sound"]>>("sound", id),
    getHashtag: (name) => records.get<Hashtag<N["hashtag"]>>("hashtag", foldName(name)),

    listPostKeysets: (list, key, at) => posts.keysets(list, key, at),
    listTopPosts: (list, key, limit) => posts.top(list, key, limit),
    countPosts: (list, key) => posts.count(list, key),

    listReplies: (postId, commentId, page) => comments.replies(postId, commentId, page),
    listCommentKeysets: (postId, within) => comments.keysets(postId, within),
    countComments: (postId) => comments.count(postId),

    listFollowing: (followerId, page) => listFollows(db, platform, "follower_id", followerId, page),
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
    getChart: (country, section, day) => getChart(db, platform, country, section, day),
    listChartDays: () => listChartDays(db, platform),
    listChartRanks: (postId) => listChartRanks(db, platform, postId),
    listCounters: (kind, id) => listCounters(db, platform, kind, id),

    ...createSearchReader<N>(createSearchEngine(db), platform, createRecordLoader(db)),

    listTrends: <K extends TrendKind>(kind: K, request: TrendRequest) =>
      listTrends<K, N>(db, (_, ids) => records.listEach(kind, ids), platform, kind, request),
  };
}

/** Of `column`, the other account is in the other column. */
async function listFollows(
  sql: Sql,
  platform: PlatformName,
  column: "account_id" | "follower_id",
  id: string,
  { limit, after = START }: PageRequest,
): Promise<Page<Follow>> {
  const other = column === "account_id" ? "follower_id" : "account_id";
  const rows = await sql.all<FollowRow & { id: string }>(
    `SELECT *, ${other} AS id FROM follows
     WHERE ${column} = $1 AND platform = $2 AND at <= $3 AND (at < $3 OR ${other} > $4)
     ORDER BY at DESC, ${other} LIMIT $5`,
    id,
    platform,
    after.at,
    after.id,
    limit + 1,
  );
  return toPage(rows, limit, keysetOf, (row) => ({
    accountId: row.account_id,
    followerId: row.follower_id,
    since: row.since,
    capturedAt: row.captured_at,
    source: row.source,
  }));
}

async function getChart(
  sql: Sql,
  platform: PlatformName,
  country: string,
  section: string,
  day: string | undefined,
): Promise<Chart | null> {
  const rows = await sql.all<ChartEntryRow>(
    `SELECT * FROM chart_entries
     WHERE chart = $1 AND day = coalesce($2, (SELECT max(day) FROM chart_entries WHERE chart = $1)) ORDER BY rank`,
    chartName(platform, country, section),
    day ?? null,
  );
  return toChart(country, section, rows);
}

async function listChartDays(sql: Sql, platform: PlatformName): Promise<ChartDay[]> {
  const rows = await sql.all<Pick<ChartEntryRow, "chart" | "day">>(
    "SELECT chart, day FROM chart_entries WHERE platform = $1 GROUP BY chart, day",
    platform,
  );
  return rows
    .map(({ chart, day }) => ({ ...parseChartName(platform, chart), day }))
    .toSorted((a, b) => compare(a.country, b.country) || compare(a.section, b.section) || compare(a.day, b.day));
}

async function listChartRanks(sql: Sql, platform: PlatformName, postId: string): Promise<ChartRank[]> {
  const rows = await sql.all<ChartEntryRow>(
    // Stored ranks may have gaps: counts the posts above.
    `SELECT e.chart, e.day, e.captured_at, e.source,
       1 + (SELECT count(DISTINCT o.post_id) FROM chart_entries o
            WHERE o.chart = e.chart AND o.day = e.day AND o.rank < e.rank) AS rank
     FROM chart_entries e WHERE e.platform = $1 AND e.post_id = $2`,
    platform,
    postId,
  );
  return rows
    .map(({ chart, ...row }) => toChartRank({ ...row, ...parseChartName(platform, chart) }))
    .toSorted(
      (a, b) =>
        compare(a.day, b.day) || compare(a.country, b.country) || compare(a.section, b.section) || a.rank - b.rank,
    )
    .filter(isFirstOfChart);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
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
