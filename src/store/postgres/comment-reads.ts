/** The comments of a post, which are stored together. */
import type { Comment } from "#domain/comment.ts";
import type { Page, PageRequest, Keyset } from "#domain/page.ts";
import type { PlatformName } from "#domain/record.ts";
import { keysetOf, START, toPage } from "../pages.ts";
import { parseRecordRow, RECORD_COLUMNS, type RecordRow } from "../record-row.ts";
import type { CommentOrder } from "../reader.ts";
import type { Sql } from "./sql.ts";

type CommentPageRow = RecordRow & { at: number; likes?: number };

const IN_POST = "post_id = $1 AND platform = $2 AND parent_id IS NULL";

export class CommentReads<Native extends object> {
  readonly #db: Sql;
  readonly #platform: PlatformName;

  constructor(db: Sql, platform: PlatformName) {
    this.#db = db;
    this.#platform = platform;
  }

  async page(postId: string, order: CommentOrder, request: PageRequest): Promise<Page<Comment<Native>>> {
    const rows = await (order === "newest" ? this.#newest(postId, request) : this.#top(postId, request));
    return toPage(rows, request.limit, keysetOf, (row) => parseRecordRow<Comment<Native>>(row));
  }

  #newest(postId: string, { limit, after = START }: PageRequest): Promise<CommentPageRow[]> {
    return this.#db.all<CommentPageRow>(
      // `at <= $3` bounds the index range; the clause in brackets only breaks ties at its start.
      `SELECT ${RECORD_COLUMNS}, at FROM comments WHERE ${IN_POST} AND at <= $3 AND (at < $3 OR id > $4)
       ORDER BY at DESC, id LIMIT $5`,
      postId,
      this.#platform,
      after.at,
      after.id,
      limit + 1,
    );
  }

  /** The keyset contains the likes as they were, so that a change between two pages does not shift the second. */
  #top(postId: string, { limit, after = START }: PageRequest): Promise<CommentPageRow[]> {
    return this.#db.all<CommentPageRow>(
      `SELECT ${RECORD_COLUMNS}, at, likes FROM comments
       WHERE ${IN_POST} AND likes <= $3 AND (likes < $3 OR at < $4 OR (at = $4 AND id > $5))
       ORDER BY likes DESC, at DESC, id LIMIT $6`,
      postId,
      this.#platform,
      after.likes ?? Number.MAX_SAFE_INTEGER,
      after.at,
      after.id,
      limit + 1,
    );
  }

  /** Oldest first. */
  async replies(
    postId: string,
    commentId: string,
    { limit, after = { at: -1, id: "" } }: PageRequest,
  ): Promise<Page<Comment<Native>>> {
    const rows = await this.#db.all<CommentPageRow>(
      `SELECT ${RECORD_COLUMNS}, at FROM comments
       WHERE post_id = $1 AND platform = $2 AND parent_id = $3 AND (at, id) > ($4, $5) ORDER BY at, id LIMIT $6`,
      postId,
      this.#platform,
      commentId,
      after.at,
      after.id,
      limit + 1,
    );
    return toPage(rows, limit, keysetOf, (row) => parseRecordRow<Comment<Native>>(row));
  }

  async keysets(postId: string, within: { at?: number; likes?: number }): Promise<Keyset[]> {
    return this.#db.all<Keyset>(
      `SELECT at, id, likes FROM comments
       WHERE ${IN_POST} AND ($3::bigint IS NULL OR at = $3) AND ($4::bigint IS NULL OR likes = $4) ORDER BY id`,
      postId,
      this.#platform,
      within.at ?? null,
      within.likes ?? null,
    );
  }

  async count(postId: string): Promise<{ comments: number; likes: number }> {
    const row = await this.#db.get<{ comments: number; likes: number }>(
      `SELECT count(*) AS comments, coalesce(sum(greatest(likes, 0)), 0)::bigint AS likes FROM comments WHERE ${IN_POST}`,
      postId,
      this.#platform,
    );
    return row ?? { comments: 0, likes: 0 };
  }
}
