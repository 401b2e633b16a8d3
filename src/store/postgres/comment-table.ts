/** The comments of one batch. */
import type { PlatformName } from "#domain/record.ts";
import type { WriteResult } from "../batch-changes.ts";
import type { AnyRecord, EncodedRecord } from "../encoded-record.ts";
import { isSameRecord, parseRecordRow, toRecordRow } from "../record-row.ts";
import { decodeRecord, encodeRecord } from "../row-encoder.ts";
import { commentDocId } from "../search-doc-ids.ts";
import { columnNames } from "../sql/table.ts";
import type { Merge } from "../writer.ts";
import { RowCache } from "./row-cache.ts";
import type { SearchIndexWriter } from "./search-index-writer.ts";
import type { Sql } from "./sql.ts";
import { type CommentRow, COMMENTS } from "./tables.ts";
import { upsert } from "./upsert.ts";

const LOAD = `SELECT ${columnNames(COMMENTS).join(", ")} FROM comments
  WHERE post_id = ANY($1) AND platform = $2 AND id = ANY($3)`;

export class CommentTable {
  readonly #rows = new RowCache<CommentRow>();
  readonly #index: SearchIndexWriter;

  constructor(index: SearchIndexWriter) {
    this.#index = index;
  }

  async load(sql: Sql, platform: PlatformName, comments: readonly { postId: string; id: string }[]): Promise<void> {
    if (comments.length === 0) return;
    const postIds = [...new Set(comments.map(({ postId }) => postId))];
    const ids = [...new Set(comments.map(({ id }) => id))];
    for (const row of await sql.all<CommentRow>(LOAD, postIds, platform, ids)) {
      this.#rows.load([platform, row.post_id, row.id], row);
    }
  }

  put(platform: PlatformName, postId: string, incoming: EncodedRecord, merge: Merge): WriteResult {
    const key = [platform, postId, incoming.id];
    const stored = this.#rows.get(key);
    if (stored !== undefined && isSameRecord(stored, incoming)) return "unchanged";
    const encoded =
      stored === undefined
        ? incoming
        : encodeRecord("comment", merge("comment", parseRecordRow<AnyRecord>(stored), decodeRecord(incoming)));
    if (stored !== undefined && isSameRecord(stored, encoded)) return "unchanged";
    this.#rows.put(key, toCommentRow(platform, postId, encoded));
    if (stored?.header !== encoded.header) {
      const state = stored === undefined ? "new" : "stored";
      this.#index.put(platform, "comment", commentDocId(postId, encoded.id), encoded.document, state);
    }
    return stored === undefined ? "new" : "updated";
  }

  async flush(sql: Sql): Promise<void> {
    await upsert(sql, COMMENTS, this.#rows.takeChanged());
  }
}

export function toCommentRow(platform: PlatformName, postId: string, encoded: EncodedRecord): CommentRow {
  const { parentId, authorId, at, likes } = encoded;
  return {
    ...toRecordRow(encoded),
    post_id: postId,
    platform,
    parent_id: parentId,
    author_id: authorId,
    at,
    likes,
  };
}
