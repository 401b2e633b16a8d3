/** Answers a platform's questions from SQLite. Every list is a range of an index, so any page costs what the first does. */
import type { Account } from "#domain/account.ts";
import type { Chart } from "#domain/chart.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Page, PageRequest, Keyset } from "#domain/page.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { CounterPoint, Counters, StoredRecord, PlatformName, RecordKind } from "#domain/record.ts";
import type { Follow } from "#domain/relation.ts";
import type { Sound } from "#domain/sound.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import { foldName } from "#domain/folding.ts";
import type { CommentOrder, Natives, PostList, Reader, TrendKind, TrendRequest } from "../store.ts";
import type { Database } from "./database.ts";
import { RECORD_COLUMNS, recordOf, type RecordRow } from "../record-row.ts";
import { renderingReader } from "../rendering-reader.ts";
import { createSearchQueries } from "../search-queries.ts";
import type { ProjectionRegistry } from "#domain/projection.ts";
import { listKey, pageOf, START } from "./pages.ts";
import { createSearchEngine } from "./search-engine.ts";
import { createRenderedReads } from "./rendered-reads.ts";
import { listTrends } from "./trends.ts";

/** How many of a list's newest posts compete for its top places. */
const TOP_CANDIDATES = 1_000;

/** With the shapes that texts are kept of, records are shown from these; with null, they are drawn. */
export function createReader<N extends Natives>(
  db: Database,
  platform: PlatformName,
  kept: ProjectionRegistry | null,
): Reader<N> {
  function getRecord<Kept extends StoredRecord<object>>(kind: RecordKind, id: string): Kept | null {
    const row = db.get<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = ? AND id = ?`,
      platform,
      kind,
      id,
    );
    return row === undefined ? null : recordOf<Kept>(row);
  }

  function getRecords<Kept extends StoredRecord<object>>(kind: RecordKind, ids: readonly string[]): Kept[] {
    return ids.flatMap((id) => getRecord<Kept>(kind, id) ?? []);
  }

  function getAccountByName(name: string): Account<N["account"]> | null {
    const row = db.get<RecordRow>(
      `SELECT r.id, header, native, r.captured_at, source FROM account_names n
       JOIN records r ON r.platform = n.platform AND r.kind = 'account' AND r.id = n.id
       WHERE n.platform = ? AND n.name = ?`,
      platform,
      foldName(name),
    );
    return row === undefined ? null : recordOf<Account<N["account"]>>(row);
  }

  async function listPosts(
    list: PostList,
    key: string,
    { limit, after = START }: PageRequest,
  ): Promise<Page<Post<N["post"]>>> {
    const rows = db.all<RecordRow & { at: number }>(
      // `at <= ?` bounds the range that is read; the clause in brackets only settles ties at its edge.
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
    return pageOf(rows, limit, positionOf, (row) => recordOf<Post<N["post"]>>(row));
  }

  async function listComments(
    postId: string,
    order: CommentOrder,
    request: PageRequest,
  ): Promise<Page<Comment<N["comment"]>>> {
    const rows = order === "newest" ? newestComments(postId, request) : topComments(postId, request);
    return pageOf(rows, request.limit, positionOf, (row) => recordOf<Comment<N["comment"]>>(row));
  }

  function newestComments(postId: string, { limit, after = START }: PageRequest): (RecordRow & { at: number })[] {
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

  /** Where likes decide, a position holds them as they were: a change meanwhile does not move the walk. */
  function topComments(postId: string, { limit, after }: PageRequest): (RecordRow & { at: number; likes: number })[] {
    const { at, id, likes = Number.MAX_SAFE_INTEGER } = after ?? START;
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

  async function listFollowers(accountId: string, { limit, after = START }: PageRequest): Promise<Page<Follow>> {
    const rows = db.all<{ id: string; at: number; since: number | null; captured_at: number; source: string }>(
      `SELECT follower_id AS id, at, since, captured_at, source FROM follows
       WHERE platform = ? AND account_id = ? AND at <= ? AND (at < ? OR follower_id > ?)
       ORDER BY at DESC, follower_id LIMIT ?`,
      platform,
      accountId,
      after.at,
      after.at,
      after.id,
      limit + 1,
    );
    return pageOf(rows, limit, positionOf, ({ id, since, captured_at, source }) => ({
      accountId,
      followerId: id,
      since,
      capturedAt: captured_at,
      source,
    }));
  }

  const searches = createSearchQueries<N>(createSearchEngine(db), platform, {
    records: async (kind, ids) => ids.map((id) => getRecord(kind, id)),
    comments: async (keys) =>
      keys.map(({ postId, id }) => {
        const row = db.get<RecordRow>(
          `SELECT ${RECORD_COLUMNS} FROM comments WHERE platform = ? AND post_id = ? AND id = ?`,
          platform,
          postId,
          id,
        );
        return row === undefined ? null : recordOf<Comment>(row);
      }),
    subtitles: async (keys) =>
      keys.map(({ postId, language, automatic }) => {
        const row = db.get<SubtitleRow>(
          `SELECT ${SUBTITLE_COLUMNS} FROM subtitles
           WHERE platform = ? AND post_id = ? AND language = ? AND automatic = ?`,
          platform,
          postId,
          language,
          automatic ? 1 : 0,
        );
        return row === undefined ? null : trackOf(postId, language, row);
      }),
  });

  const shared: Pick<
    Reader<N>,
    "getAccountByName" | "getAccounts" | "getPost" | "listPosts" | "listComments" | "listFollowers"
  > = {
    getAccountByName: async (name) => getAccountByName(name),
    getAccounts: async (ids) => getRecords<Account<N["account"]>>("account", ids),
    getPost: async (id) => getRecord<Post<N["post"]>>("post", id),
    listPosts,
    listComments,
    listFollowers,
  };

  return {
    ...shared,
    ...(kept === null ? renderingReader(shared, "object") : createRenderedReads(db, platform, kept, shared)),
    getAccount: async (id) => getRecord<Account<N["account"]>>("account", id),
    async hasProvisionalAccounts() {
      const row = db.get(
        "SELECT 1 FROM records WHERE platform = ? AND kind = 'account' AND id >= '@' AND id < 'A' LIMIT 1",
        platform,
      );
      return row !== undefined;
    },
    getPosts: async (ids) => getRecords<Post<N["post"]>>("post", ids),
    getSound: async (id) => getRecord<Sound<N["sound"]>>("sound", id),
    getHashtag: async (name) => getRecord<Hashtag<N["hashtag"]>>("hashtag", foldName(name)),
    getPlace: async (id) => getRecord<Place<N["place"]>>("place", id),

    async listPostKeysets(list, key, at) {
      return db
        .all<{ post_id: string }>(
          "SELECT post_id FROM post_lists WHERE platform = ? AND list = ? AND key = ? AND at = ? ORDER BY post_id",
          platform,
          list,
          listKey(list, key),
          at,
        )
        .map((row) => ({ at, id: row.post_id }));
    },
    async listTopPosts(list, key, limit) {
      // Attention is kept beside the search documents: no post is read but those that are given.
      const rows = db.all<{ id: string; engagement: number }>(
        `SELECT d.id, d.engagement FROM post_lists l
         JOIN search_scopes s ON s.platform = l.platform AND s.kind = 'post'
         JOIN search_docs d ON d.scope = s.scope AND d.id = l.post_id
         WHERE l.platform = ? AND l.list = ? AND l.key = ? ORDER BY l.at DESC, l.post_id LIMIT ?`,
        platform,
        list,
        listKey(list, key),
        TOP_CANDIDATES,
      );
      const best = rows.toSorted((a, b) => b.engagement - a.engagement || (a.id < b.id ? -1 : 1)).slice(0, limit);
      return getRecords<Post<N["post"]>>(
        "post",
        best.map(({ id }) => id),
      );
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

    async listCommentKeysets(postId, within) {
      const conditions = [
        ...(within.at === undefined ? [] : [{ sql: "AND at = ?", value: within.at }]),
        ...(within.likes === undefined ? [] : [{ sql: "AND likes = ?", value: within.likes }]),
      ];
      return db
        .all<{ id: string; at: number; likes: number }>(
          `SELECT id, at, likes FROM comments WHERE platform = ? AND post_id = ? AND parent_id IS NULL
           ${conditions.map(({ sql }) => sql).join(" ")} ORDER BY id`,
          platform,
          postId,
          ...conditions.map(({ value }) => value),
        )
        .map(({ id, at, likes }) => ({ id, at, likes }));
    },
    async countComments(postId) {
      const row = db.get<{ comments: number; likes: number | null }>(
        "SELECT count(*) AS comments, sum(max(likes, 0)) AS likes FROM comments WHERE platform = ? AND post_id = ? AND parent_id IS NULL",
        platform,
        postId,
      );
      return { comments: row?.comments ?? 0, likes: row?.likes ?? 0 };
    },

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
        .all<{ language: string; automatic: number }>(
          "SELECT language, automatic FROM subtitles WHERE platform = ? AND post_id = ? ORDER BY language, automatic",
          platform,
          postId,
        )
        .map(({ language, automatic }) => ({ language, automatic: automatic === 1 }));
    },
    async getSubtitles(postId, language): Promise<SubtitleTrack | null> {
      const row = db.get<SubtitleRow>(
        `SELECT ${SUBTITLE_COLUMNS} FROM subtitles
         WHERE platform = ? AND post_id = ? AND language = ? ORDER BY automatic LIMIT 1`,
        platform,
        postId,
        language,
      );
      return row === undefined ? null : trackOf(postId, language, row);
    },

    async getChart(country, section): Promise<Chart | null> {
      const rows = db.all<{ day: string; post_id: string; captured_at: number; source: string }>(
        `SELECT day, post_id, captured_at, source FROM chart_entries
         WHERE platform = ? AND country = ? AND section = ? AND day =
           (SELECT max(day) FROM chart_entries WHERE platform = ? AND country = ? AND section = ?)
         ORDER BY rank`,
        platform,
        country,
        section,
        platform,
        country,
        section,
      );
      const [first] = rows;
      if (first === undefined) return null;
      const { day, captured_at: capturedAt, source } = first;
      return { country, section, day, postIds: [...new Set(rows.map((row) => row.post_id))], capturedAt, source };
    },

    async listCounters(kind, id): Promise<CounterPoint[]> {
      return db
        .all<{ captured_at: number; counters: string }>(
          "SELECT captured_at, counters FROM counter_points WHERE platform = ? AND kind = ? AND id = ? ORDER BY captured_at",
          platform,
          kind,
          id,
        )
        .map((row) => ({ capturedAt: row.captured_at, counters: JSON.parse(row.counters) as Counters }));
    },

    ...searches,

    listTrends: async <K extends TrendKind>(kind: K, request: TrendRequest) =>
      listTrends<K, N>(db, platform, kind, request),
  };
}

const SUBTITLE_COLUMNS = "automatic, lines, captured_at, source";

interface SubtitleRow {
  automatic: number;
  lines: string;
  captured_at: number;
  source: string;
}

function trackOf(postId: string, language: string, row: SubtitleRow): SubtitleTrack {
  return {
    postId,
    language,
    automatic: row.automatic === 1,
    lines: JSON.parse(row.lines) as SubtitleLine[],
    capturedAt: row.captured_at,
    source: row.source,
  };
}

function positionOf({ at, id, likes }: Keyset): Keyset {
  return likes === undefined ? { at, id } : { at, id, likes };
}
