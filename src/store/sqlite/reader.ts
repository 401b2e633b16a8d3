/** Reads one platform's records from SQLite. Every list is an index range, so a later page costs as much as the first. */
import type { Account } from "#domain/account.ts";
import type { ChartDay } from "#domain/chart.ts";
import type { Comment } from "#domain/comment.ts";
import { foldName } from "#domain/folding.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Page, PageRequest } from "#domain/page.ts";
import type { Post } from "#domain/post.ts";
import type { ProjectionRegistry } from "#domain/projection.ts";
import type { Counters, PlatformName, StoredRecord } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { Sound } from "#domain/sound.ts";
import { isFirstOfChart, toChart, toChartRank } from "../chart-rows.ts";
import { listTrends } from "../sql/list-trends.ts";
import type { Natives } from "../natives.ts";
import { keysetOf, START, toPage } from "../pages.ts";
import { listKey } from "../post-lists.ts";
import type { CommentOrder, PostList, Reader } from "../reader.ts";
import { parseRecordRow, RECORD_COLUMNS, type RecordRow } from "../record-row.ts";
import { type RecordReads, renderingReader } from "../rendering-reader.ts";
import { createSearchReader, type RecordKey } from "../search-queries.ts";
import type { TrendKind, TrendRequest } from "../trend-reader.ts";
import { TOP_CANDIDATES, topPostIds } from "../top-posts.ts";
import type { Database } from "./database.ts";
import { createRecordLoader, getRecord, TRACK_COLUMNS, toTrack, type TrackRow } from "./record-loader.ts";
import { createRenderedReads } from "./rendered-reads.ts";
import type {
  ChartEntriesRow,
  CommentsRow,
  CounterPointsRow,
  FollowsRow,
  PostListsRow,
  SearchDocsRow,
  SubtitlesRow,
} from "./rows.ts";
import { createSearchEngine } from "./search-engine.ts";
import { shareSql } from "./shared-sql.ts";

/** Rendered reads use the JSON of these projections; with null, they return objects. */
export function createReader<N extends Natives>(
  db: Database,
  platform: PlatformName,
  projections: ProjectionRegistry | null,
): Reader<N> {
  const { sql } = shareSql(db);

  function getOne<Stored extends StoredRecord<object>>(kind: RecordKey["kind"], id: string): Stored | null {
    return getRecord<Stored>(db, { platform, kind, id });
  }

  function getRecords<Stored extends StoredRecord<object>>(kind: RecordKey["kind"], ids: readonly string[]): Stored[] {
    return ids.flatMap((id) => getOne<Stored>(kind, id) ?? []);
  }

  function getAccountByName(name: string): Account<N["account"]> | null {
    const row = db.get<RecordRow>(
      `SELECT r.id, header, native, r.captured_at, source FROM account_names n
       JOIN records r ON r.platform = n.platform AND r.kind = 'account' AND r.id = n.id
       WHERE n.platform = ? AND n.name = ?`,
      platform,
      foldName(name),
    );
    return row === undefined ? null : parseRecordRow<Account<N["account"]>>(row);
  }

  async function listPosts(
    list: PostList,
    key: string,
    { limit, after = START }: PageRequest,
  ): Promise<Page<Post<N["post"]>>> {
    const rows = db.all<RecordRow & Pick<PostListsRow, "at">>(
      // `at <= ?` bounds the index range; the clause in brackets only breaks ties at its start.
      `SELECT ${RECORD_COLUMNS}, l.at FROM post_lists l
       JOIN records r ON r.platform = l.platform AND r.kind = 'post' AND r.id = l.post_id
       WHERE l.platform = ? AND l.list = ? AND l.key = ? AND l.at <= ? AND (l.at < ? OR l.post_id > ?)
       ORDER BY l.at DESC, l.post_id LIMIT ?`,
      platform,
      list,
      listKey(list, key),
      after.at,
      after.at,
      after.id,
      limit + 1,
    );
    return toPage(rows, limit, keysetOf, (row) => parseRecordRow<Post<N["post"]>>(row));
  }

  async function listComments(
    postId: string,
    order: CommentOrder,
    request: PageRequest,
  ): Promise<Page<Comment<N["comment"]>>> {
    const rows = order === "newest" ? newestComments(postId, request) : topComments(postId, request);
    return toPage(rows, request.limit, keysetOf, (row) => parseRecordRow<Comment<N["comment"]>>(row));
  }

  function newestComments(
    postId: string,
    { limit, after = START }: PageRequest,
  ): (RecordRow & Pick<CommentsRow, "at">)[] {
    return db.all(
      `SELECT ${RECORD_COLUMNS}, at FROM comments
       WHERE platform = ? AND post_id = ? AND parent_id IS NULL AND at <= ? AND (at < ? OR id > ?)
       ORDER BY at DESC, id LIMIT ?`,
      platform,
      postId,
      after.at,
      after.at,
      after.id,
      limit + 1,
    );
  }

  /** The keyset holds the likes as they were, so that a change of likes does not move the page. */
  function topComments(
    postId: string,
    { limit, after = START }: PageRequest,
  ): (RecordRow & Pick<CommentsRow, "at" | "likes">)[] {
    const { at, id, likes = Number.MAX_SAFE_INTEGER } = after;
    return db.all(
      `SELECT ${RECORD_COLUMNS}, at, likes FROM comments
       WHERE platform = ? AND post_id = ? AND parent_id IS NULL AND likes <= ?
         AND (likes < ? OR at < ? OR (at = ? AND id > ?))
       ORDER BY likes DESC, at DESC, id LIMIT ?`,
      platform,
      postId,
      likes,
      likes,
      at,
      at,
      id,
      limit + 1,
    );
  }

  /** Of `column`, the other account is in the other column. */
  async function listFollows(
    column: "account_id" | "follower_id",
    id: string,
    { limit, after = START }: PageRequest,
  ): Promise<Page<Follow>> {
    const other = column === "account_id" ? "follower_id" : "account_id";
    const rows = db.all<FollowsRow & { id: string }>(
      `SELECT *, ${other} AS id FROM follows
       WHERE platform = ? AND ${column} = ? AND at <= ? AND (at < ? OR ${other} > ?)
       ORDER BY at DESC, ${other} LIMIT ?`,
      platform,
      id,
      after.at,
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

  const recordReads: RecordReads<N> = {
    getAccountByName: async (name) => getAccountByName(name),
    getAccounts: async (ids) => getRecords<Account<N["account"]>>("account", ids),
    getPost: async (id) => getOne<Post<N["post"]>>("post", id),
    listPosts,
    listComments,
    listFollowers: (accountId, page) => listFollows("account_id", accountId, page),
  };

  return {
    ...recordReads,
    ...(projections === null
      ? renderingReader(recordReads, "object")
      : createRenderedReads(db, platform, projections, recordReads)),
    getAccount: async (id) => getOne<Account<N["account"]>>("account", id),
    async hasProvisionalAccounts() {
      const row = db.get(
        "SELECT 1 FROM records WHERE platform = ? AND kind = 'account' AND id >= '@' AND id < 'A' LIMIT 1",
        platform,
      );
      return row !== undefined;
    },
    async getAnyPostId() {
      const row = db.get<{ id: string }>(
        "SELECT id FROM records WHERE platform = ? AND kind = 'post' LIMIT 1",
        platform,
      );
      return row?.id ?? null;
    },
    getPosts: async (ids) => getRecords<Post<N["post"]>>("post", ids),
    getSound: async (id) => getOne<Sound<N["sound"]>>("sound", id),
    getHashtag: async (name) => getOne<Hashtag<N["hashtag"]>>("hashtag", foldName(name)),

    async listPostKeysets(list, key, at) {
      return db
        .all<Pick<PostListsRow, "post_id">>(
          "SELECT post_id FROM post_lists WHERE platform = ? AND list = ? AND key = ? AND at = ? ORDER BY post_id",
          platform,
          list,
          listKey(list, key),
          at,
        )
        .map((row) => ({ at, id: row.post_id }));
    },
    async listTopPosts(list, key, limit) {
      // Search documents hold the engagement, so only the posts that are returned need to be read.
      const candidates = db.all<Pick<SearchDocsRow, "id" | "engagement">>(
        `SELECT d.id, d.engagement FROM post_lists l
         JOIN search_partitions p ON p.platform = l.platform AND p.kind = 'post'
         JOIN search_docs d ON d.partition = p.partition AND d.id = l.post_id
         WHERE l.platform = ? AND l.list = ? AND l.key = ? ORDER BY l.at DESC, l.post_id LIMIT ?`,
        platform,
        list,
        listKey(list, key),
        TOP_CANDIDATES,
      );
      return getRecords<Post<N["post"]>>("post", topPostIds(candidates, limit));
    },
    async countPosts(list, key) {
      const row = db.get<{ n: number }>(
        "SELECT count(*) AS n FROM post_lists WHERE platform = ? AND list = ? AND key = ?",
        platform,
        list,
        listKey(list, key),
      );
      return row?.n ?? 0;
    },

    async listReplies(postId, commentId, { limit, after = { at: -1, id: "" } }) {
      const rows = db.all<RecordRow & Pick<CommentsRow, "at">>(
        `SELECT ${RECORD_COLUMNS}, at FROM comments
         WHERE platform = ? AND post_id = ? AND parent_id = ? AND (at, id) > (?, ?) ORDER BY at, id LIMIT ?`,
        platform,
        postId,
        commentId,
        after.at,
        after.id,
        limit + 1,
      );
      return toPage(rows, limit, keysetOf, (row) => parseRecordRow<Comment<N["comment"]>>(row));
    },
    async listCommentKeysets(postId, filter) {
      const columns = (["at", "likes"] as const).filter((column) => filter[column] !== undefined);
      return db
        .all<Pick<CommentsRow, "id" | "at" | "likes">>(
          `SELECT id, at, likes FROM comments WHERE platform = ? AND post_id = ? AND parent_id IS NULL
           ${columns.map((column) => `AND ${column} = ?`).join(" ")} ORDER BY id`,
          platform,
          postId,
          ...columns.map((column) => filter[column] as number),
        )
        .map((row) => ({ ...row }));
    },
    async countComments(postId) {
      const row = db.get<{ comments: number; likes: number | null }>(
        "SELECT count(*) AS comments, sum(max(likes, 0)) AS likes FROM comments WHERE platform = ? AND post_id = ? AND parent_id IS NULL",
        platform,
        postId,
      );
      return { comments: row?.comments ?? 0, likes: row?.likes ?? 0 };
    },

    listFollowing: (followerId, page) => listFollows("follower_id", followerId, page),
    async countFollowers(accountId) {
      const row = db.get<{ n: number }>(
        "SELECT count(*) AS n FROM follows WHERE platform = ? AND account_id = ?",
        platform,
        accountId,
      );
      return row?.n ?? 0;
    },

    async listSubtitleLanguages(postId) {
      return db
        .all<Pick<SubtitlesRow, "language" | "automatic">>(
          "SELECT language, automatic FROM subtitles WHERE platform = ? AND post_id = ? ORDER BY language, automatic",
          platform,
          postId,
        )
        .map(({ language, automatic }) => ({ language, automatic: automatic === 1 }));
    },
    async getSubtitles(postId, language) {
      const row = db.get<TrackRow>(
        `SELECT ${TRACK_COLUMNS} FROM subtitles
         WHERE platform = ? AND post_id = ? AND language = ? ORDER BY automatic LIMIT 1`,
        platform,
        postId,
        language,
      );
      return row === undefined ? null : toTrack(postId, language, row);
    },

    async getChart(country, section, day) {
      const rows = db.all<Pick<ChartEntriesRow, "day" | "post_id" | "captured_at" | "source">>(
        `SELECT day, post_id, captured_at, source FROM chart_entries
         WHERE platform = ? AND country = ? AND section = ? AND day = coalesce(?,
           (SELECT max(day) FROM chart_entries WHERE platform = ? AND country = ? AND section = ?))
         ORDER BY rank`,
        platform,
        country,
        section,
        day ?? null,
        platform,
        country,
        section,
      );
      return toChart(country, section, rows);
    },
    async listChartDays() {
      // One step of the index per chart: reading every entry would block other requests.
      const days: ChartDay[] = [];
      for (let last: ChartDay | undefined = { country: "", section: "", day: "" }; last !== undefined;) {
        last = db.get<ChartDay>(
          `SELECT country, section, day FROM chart_entries
           WHERE platform = ? AND (country, section, day) > (?, ?, ?) ORDER BY country, section, day LIMIT 1`,
          platform,
          last.country,
          last.section,
          last.day,
        );
        if (last !== undefined) days.push({ ...last });
      }
      return days;
    },
    async listChartRanks(postId) {
      return db
        .all<Pick<ChartEntriesRow, "country" | "section" | "day" | "rank" | "captured_at" | "source">>(
          `SELECT e.country, e.section, e.day, ${DENSE_RANK} AS rank, e.captured_at, e.source FROM chart_entries e
           WHERE e.platform = ? AND e.post_id = ? ORDER BY e.day, e.country, e.section, e.rank`,
          platform,
          postId,
        )
        .map(toChartRank)
        .filter(isFirstOfChart);
    },

    async listCounters(kind, id) {
      return db
        .all<Pick<CounterPointsRow, "captured_at" | "counters">>(
          "SELECT captured_at, counters FROM counter_points WHERE platform = ? AND kind = ? AND id = ? ORDER BY captured_at",
          platform,
          kind,
          id,
        )
        .map((row) => ({ capturedAt: row.captured_at, counters: JSON.parse(row.counters) as Counters }));
    },

    ...createSearchReader<N>(createSearchEngine(db), platform, createRecordLoader(db)),

    listTrends: <K extends TrendKind>(kind: K, request: TrendRequest) =>
      listTrends<K, N>(sql, async (_, ids) => ids.map((id) => getOne(kind, id)), platform, kind, request),
  };
}

/** Stored ranks may have gaps: counts the posts above. */
const DENSE_RANK = `1 + (SELECT count(DISTINCT o.post_id) FROM chart_entries o
  WHERE o.platform = e.platform AND o.country = e.country AND o.section = e.section AND o.day = e.day AND o.rank < e.rank)`;
