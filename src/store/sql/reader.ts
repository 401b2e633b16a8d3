/**
 * Reads one platform's records. Each look-up and each page reads one key, and so, with Citus, one machine. Every list is an
 * index range, so a later page costs as much as the first.
 */
import type { Account } from "#domain/account.ts";
import { exactHistory, type StoredPoint } from "#domain/approximate.ts";
import type { Comment } from "#domain/comment.ts";
import { foldName } from "#domain/folding.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Keyset, Page, PageRequest } from "#domain/page.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { Sound } from "#domain/sound.ts";
import type { SearchEngine } from "#search/engine.ts";
import type { Natives } from "../natives.ts";
import { keysetOf, START, toPage } from "../pages.ts";
import type { CommentOrder, CommentSortKey, CounterPeriod, Reader } from "../reader.ts";
import { parseRecordRow, RECORD_COLUMNS, type RecordRow } from "../record-row.ts";
import type { RecordReads, RenderedReads } from "../rendering-reader.ts";
import { createSearchReader } from "../search-queries.ts";
import type { TrendKind, TrendRequest } from "../trend-reader.ts";
import type { PostListDialect } from "./dialect.ts";
import { listTrends } from "./list-trends.ts";
import { createPostLists } from "./post-list-reads.ts";
import { createRecordLoader, RecordsById, TRACK_COLUMNS, type TrackRow, toTrack } from "./record-loader.ts";
import type { MaybePromise, Sql, Value } from "./sql.ts";

/** What a store has of its own. */
export interface ReaderParts<N extends Natives> {
  sql: Sql;
  lists: PostListDialect;
  charts: ChartReads;
  engine: SearchEngine;
  render: (reads: RecordReads<N>) => RenderedReads<N>;
}

export type ChartReads = Pick<Reader, "getChart" | "listCharts" | "listChartRanks">;

const WHOLE_HISTORY: CounterPeriod = {
  since: Number.MIN_SAFE_INTEGER,
  until: Number.MAX_SAFE_INTEGER,
  limit: Number.MAX_SAFE_INTEGER,
};

const IN_POST = "post_id = $1 AND platform = $2 AND parent_id IS NULL";

function sortColumnOf(sortKey: CommentSortKey): [column: "at" | "likes", value: number] {
  return "likes" in sortKey ? ["likes", sortKey.likes] : ["at", sortKey.at];
}

export function createSqlReader<N extends Natives>(
  platform: PlatformName,
  { sql, lists, charts, engine, render }: ReaderParts<N>,
): Reader<N> {
  const records = new RecordsById(sql, platform);
  const posts = createPostLists<N>(sql, platform, lists, records);

  async function getAccountByName(name: string): Promise<Account<N["account"]> | null> {
    const row = await sql.get<{ id: string }>(
      "SELECT id FROM account_names WHERE name = $1 AND platform = $2 ORDER BY captured_at DESC, id LIMIT 1",
      foldName(name),
      platform,
    );
    return row === undefined ? null : records.get<Account<N["account"]>>("account", row.id);
  }

  type CommentRow = RecordRow & { at: number; likes?: number };

  function newestComments(postId: string, { limit, after = START }: PageRequest): MaybePromise<CommentRow[]> {
    return sql.all<CommentRow>(
      // `at <= $3` bounds the index range; the clause in brackets only breaks ties at its start.
      `SELECT ${RECORD_COLUMNS}, at FROM comments WHERE ${IN_POST} AND at <= $3 AND (at < $3 OR id > $4)
       ORDER BY at DESC, id LIMIT $5`,
      postId,
      platform,
      after.at,
      after.id,
      limit + 1,
    );
  }

  /** The keyset contains the likes as they were, so that a change between two pages does not shift the second. */
  function topComments(postId: string, { limit, after = START }: PageRequest): MaybePromise<CommentRow[]> {
    return sql.all<CommentRow>(
      `SELECT ${RECORD_COLUMNS}, at, likes FROM comments
       WHERE ${IN_POST} AND likes <= $3 AND (likes < $3 OR at < $4 OR (at = $4 AND id > $5))
       ORDER BY likes DESC, at DESC, id LIMIT $6`,
      postId,
      platform,
      after.likes ?? Number.MAX_SAFE_INTEGER,
      after.at,
      after.id,
      limit + 1,
    );
  }

  function toCommentPage(rows: readonly CommentRow[], limit: number): Page<Comment<N["comment"]>> {
    return toPage(rows, limit, keysetOf, (row) => parseRecordRow<Comment<N["comment"]>>(row));
  }

  async function listComments(postId: string, order: CommentOrder, page: PageRequest) {
    return toCommentPage(await (order === "newest" ? newestComments : topComments)(postId, page), page.limit);
  }

  /** Of `column`, the other account is in the other column. */
  async function listFollows(
    column: "account_id" | "follower_id",
    id: string,
    { limit, after = START }: PageRequest,
  ): Promise<Page<Follow>> {
    const other = column === "account_id" ? "follower_id" : "account_id";
    const rows = await sql.all<Follow & Keyset>(
      `SELECT account_id AS "accountId", follower_id AS "followerId", since, captured_at AS "capturedAt", source,
         at, ${other} AS id FROM follows
       WHERE ${column} = $1 AND platform = $2 AND at <= $3 AND (at < $3 OR ${other} > $4)
       ORDER BY at DESC, ${other} LIMIT $5`,
      id,
      platform,
      after.at,
      after.id,
      limit + 1,
    );
    return toPage(rows, limit, keysetOf, ({ at: _at, id: _id, ...follow }) => follow);
  }

  async function count(text: string, ...values: Value[]): Promise<number> {
    return (await sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${text}`, ...values))?.n ?? 0;
  }

  const reads: RecordReads<N> = {
    getAccountByName,
    getAccounts: (ids) => records.list<Account<N["account"]>>("account", ids),
    getPost: (id) => records.get<Post<N["post"]>>("post", id),
    listPosts: posts.listPosts,
    listComments,
    listFollowers: (accountId, page) => listFollows("account_id", accountId, page),
  };

  return {
    ...reads,
    ...render(reads),
    ...posts,
    ...charts,
    getAccount: (id) => records.get<Account<N["account"]>>("account", id),
    async hasProvisionalAccounts() {
      const row = await sql.get(
        "SELECT 1 FROM records WHERE platform = $1 AND kind = 'account' AND id >= '@' AND id < 'A' LIMIT 1",
        platform,
      );
      return row !== undefined;
    },
    async getAnyPostId() {
      const row = await sql.get<{ id: string }>(
        "SELECT id FROM records WHERE platform = $1 AND kind = 'post' LIMIT 1",
        platform,
      );
      return row?.id ?? null;
    },
    getPosts: (ids) => records.list<Post<N["post"]>>("post", ids),
    getSound: (id) => records.get<Sound<N["sound"]>>("sound", id),
    getPlace: (id) => records.get<Place<N["place"]>>("place", id),
    getHashtag: (name) => records.get<Hashtag<N["hashtag"]>>("hashtag", foldName(name)),

    async getComment(postId, id) {
      const row = await sql.get<CommentRow>(
        `SELECT ${RECORD_COLUMNS} FROM comments WHERE post_id = $1 AND platform = $2 AND id = $3`,
        postId,
        platform,
        id,
      );
      return row === undefined ? null : parseRecordRow<Comment<N["comment"]>>(row);
    },
    async listReplies(postId, commentId, { limit, after = { at: -1, id: "" } }) {
      const rows = await sql.all<CommentRow>(
        `SELECT ${RECORD_COLUMNS}, at FROM comments
         WHERE post_id = $1 AND platform = $2 AND parent_id = $3 AND (at, id) > ($4, $5) ORDER BY at, id LIMIT $6`,
        postId,
        platform,
        commentId,
        after.at,
        after.id,
        limit + 1,
      );
      return toCommentPage(rows, limit);
    },
    async listCommentKeysets(postId, sortKey) {
      const [column, value] = sortColumnOf(sortKey);
      // In no order: SQLite would read all comments in that of the primary key, instead of an index range.
      const rows = await sql.all<Keyset>(
        `SELECT id, at, likes FROM comments WHERE ${IN_POST} AND ${column} = $3`,
        postId,
        platform,
        value,
      );
      return rows.map(keysetOf);
    },
    async listNearestCommentKeysets(postId, sortKey, limit) {
      const [column, value] = sortColumnOf(sortKey);
      const nearest = (condition: string, order: string) =>
        `SELECT * FROM (SELECT id, at, likes FROM comments WHERE ${IN_POST} AND ${column} ${condition} $3
                        ORDER BY ${column} ${order} LIMIT $4) AS nearest`;
      const rows = await sql.all<Keyset>(
        `${nearest(">", "ASC")} UNION ALL ${nearest("<", "DESC")}`,
        postId,
        platform,
        value,
        limit,
      );
      return rows.map(keysetOf);
    },
    async hasComments(postId) {
      const row = await sql.get(
        "SELECT 1 FROM comments WHERE post_id = $1 AND platform = $2 LIMIT 1",
        postId,
        platform,
      );
      return row !== undefined;
    },
    async countComments(postId) {
      // Each kind has an index of its own, which a count of both would not use.
      const row = await sql.get<{ comments: number; replies: number; likes: number | null }>(
        `SELECT count(*) AS comments, CAST(sum(CASE WHEN likes > 0 THEN likes END) AS bigint) AS likes,
           (SELECT count(*) FROM comments WHERE post_id = $1 AND platform = $2 AND parent_id IS NOT NULL) AS replies
         FROM comments WHERE ${IN_POST}`,
        postId,
        platform,
      );
      return { comments: row?.comments ?? 0, replies: row?.replies ?? 0, likes: row?.likes ?? 0 };
    },

    listFollowing: (followerId, page) => listFollows("follower_id", followerId, page),
    countFollowing: (followerId) => count("follows WHERE follower_id = $1 AND platform = $2", followerId, platform),
    countFollowers: (accountId) => count("follows WHERE account_id = $1 AND platform = $2", accountId, platform),

    async listSubtitleLanguages(postId) {
      const rows = await sql.all<Pick<TrackRow, "language" | "automatic">>(
        "SELECT language, automatic FROM subtitles WHERE post_id = $1 AND platform = $2 ORDER BY language, automatic",
        postId,
        platform,
      );
      return rows.map(({ language, automatic }) => ({ language, automatic: Boolean(automatic) }));
    },
    async getSubtitles(postId, language) {
      // The track written by people comes before the automatic one.
      const row = await sql.get<TrackRow>(
        `SELECT ${TRACK_COLUMNS} FROM subtitles
         WHERE post_id = $1 AND platform = $2 AND language = $3 ORDER BY automatic LIMIT 1`,
        postId,
        platform,
        language,
      );
      return row === undefined ? null : { ...toTrack(row), postId, language };
    },

    async listCounters(kind, id, period) {
      const { since, until, limit } = { ...WHOLE_HISTORY, ...period };
      // Whether a point repeats the one before it, or rounds another, is told by points of any age.
      const captured = await sql.all<StoredPoint>(
        `SELECT captured_at AS "capturedAt", counters FROM counter_points
         WHERE id = $1 AND platform = $2 AND kind = $3 ORDER BY captured_at`,
        id,
        platform,
        kind,
      );
      return exactHistory(platform, captured)
        .filter(({ capturedAt }) => capturedAt >= since && capturedAt < until)
        .slice(-limit);
    },

    ...createSearchReader<N>(engine, platform, createRecordLoader(sql)),

    listTrends: <K extends TrendKind>(kind: K, request: TrendRequest) =>
      listTrends<K, N>(sql, records, platform, kind, request),
  };
}
