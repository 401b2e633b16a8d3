import type { Comment } from "#domain/comment.ts";
import type { Keyset, Page, PageRequest } from "#domain/page.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Natives } from "#store/records/port.ts";
import { keysetOf, START, toPage } from "#store/sql/pages.ts";
import { select } from "#store/sql/select.ts";
import type { RowOf } from "#store/sql/table.ts";
import { COMMENTS } from "./tables.ts";
import type { MaybePromise, Sql } from "#store/sql/sql.ts";
import { parseRecordRow, RECORD_ROW, type RecordRow } from "#store/write/record-row.ts";
import type { CommentOrder, CommentReader, CommentSortKey } from "./port.ts";

type CommentReads<N extends Natives> = Omit<CommentReader<N>, "listRenderedComments">;

type SortedRow = RecordRow & Pick<RowOf<typeof COMMENTS>, "at"> & { likes?: number };

const IN_POST = "post_id = $1 AND platform = $2 AND parent_id IS NULL";

function sortColumnOf(sortKey: CommentSortKey): [column: "at" | "likes", value: number] {
  return "likes" in sortKey ? ["likes", sortKey.likes] : ["at", sortKey.at];
}

export function createCommentReads<N extends Natives>(sql: Sql, platform: PlatformName): CommentReads<N> {
  function newestComments(postId: string, { limit, after = START }: PageRequest): MaybePromise<SortedRow[]> {
    return sql.all(
      // `at <= $3` bounds the index range; the clause in brackets only breaks ties at its start.
      select(
        COMMENTS,
        [...RECORD_ROW, "at"],
        `WHERE ${IN_POST} AND at <= $3 AND (at < $3 OR id > $4) ORDER BY at DESC, id LIMIT $5`,
      ),
      postId,
      platform,
      after.at,
      after.id,
      limit + 1,
    );
  }

  /** The keyset contains the likes as they were, so that a change between two pages does not shift the second. */
  function topComments(postId: string, { limit, after = START }: PageRequest): MaybePromise<SortedRow[]> {
    return sql.all(
      select(
        COMMENTS,
        [...RECORD_ROW, "at", "likes"],
        `WHERE ${IN_POST} AND likes <= $3 AND (likes < $3 OR at < $4 OR (at = $4 AND id > $5))
         ORDER BY likes DESC, at DESC, id LIMIT $6`,
      ),
      postId,
      platform,
      after.likes ?? Number.MAX_SAFE_INTEGER,
      after.at,
      after.id,
      limit + 1,
    );
  }

  function toCommentPage(rows: readonly SortedRow[], limit: number): Page<Comment<N["comment"]>> {
    return toPage(rows, limit, keysetOf, (row) => parseRecordRow<Comment<N["comment"]>>(row));
  }

  return {
    async listComments(postId: string, order: CommentOrder, page: PageRequest) {
      return toCommentPage(await (order === "newest" ? newestComments : topComments)(postId, page), page.limit);
    },
    async getComment(postId, id) {
      const row = await sql.get(
        select(COMMENTS, RECORD_ROW, "WHERE post_id = $1 AND platform = $2 AND id = $3"),
        postId,
        platform,
        id,
      );
      return row === undefined ? null : parseRecordRow<Comment<N["comment"]>>(row);
    },
    async listReplies(postId, commentId, { limit, after = { at: -1, id: "" } }) {
      const rows = await sql.all(
        select(
          COMMENTS,
          [...RECORD_ROW, "at"],
          "WHERE post_id = $1 AND platform = $2 AND parent_id = $3 AND (at, id) > ($4, $5) ORDER BY at, id LIMIT $6",
        ),
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
      const rows = await sql.all(
        select(COMMENTS, ["id", "at", "likes"], `WHERE ${IN_POST} AND ${column} = $3`),
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
  };
}
