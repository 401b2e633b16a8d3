/** The comments of one batch, with their search documents. */
import type { PlatformName } from "#domain/record.ts";
import type { EncodedRecord } from "#store/write/encoded-record.ts";
import { compositeKey } from "#store/undo/port.ts";
import { imageOf, mergeImage, mergeRecord, toRecordRow } from "#store/write/record-row.ts";
import { commentDocId } from "#store/search/doc-ids.ts";
import type { Merge } from "#store/write/port.ts";
import type { NewDocument, SearchIndexWriter } from "#store/search/postgres.ts";
import { type CommentRow, COMMENTS } from "./tables.ts";
import { type BatchOrder, type MergedEntry, readByKey, VersionedRows } from "#store/postgres/versioned-rows.ts";

interface CommentValue {
  row: CommentRow;
  /** Null for a comment as it is stored. */
  encoded: EncodedRecord | null;
}

export type CommentRowKey = Pick<CommentRow, "platform" | "post_id" | "id">;

type IncomingComment = CommentRowKey & { encoded: EncodedRecord };

export class CommentTable extends VersionedRows<CommentRowKey, CommentRow, CommentValue, IncomingComment> {
  constructor(merge: Merge, order: BatchOrder) {
    super(
      {
        table: COMMENTS.postgres,
        kindOf: () => "comment",
        keyOf: ({ platform, post_id, id }) => [platform, post_id, id],
        fromRow: (row) => ({ row, encoded: null }),
        merge: (current, incoming) => mergeComment(current, incoming, merge),
        read: (sql, comments) => readByKey(sql, COMMENTS.postgres, comments),
        touchKeyOf: ({ post_id, id }) => compositeKey(post_id, id),
        imageOf,
        mergeImage: (image, { platform, encoded }) => mergeImage(platform, "comment", image, encoded, merge),
      },
      order,
    );
  }

  indexNew(index: SearchIndexWriter): void {
    for (const entry of this.added()) indexComment(index, entry);
  }

  /** After `write`. */
  indexOthers(index: SearchIndexWriter): void {
    for (const entry of this.changed()) if (!entry.isInserted) indexComment(index, entry);
  }

  /** The documents that are not in the index yet. */
  newDocuments(): NewDocument[] {
    return this.added().map(({ order, value }) => {
      const { platform, post_id, id } = (value as CommentValue).row;
      return { order, platform, kind: "comment", id: commentDocId(post_id, id) };
    });
  }
}

function mergeComment(
  current: CommentValue | undefined,
  { platform, post_id: postId, encoded: incoming }: IncomingComment,
  merge: Merge,
): CommentValue | null {
  if (current === undefined) return { row: toCommentRow(platform, postId, incoming), encoded: incoming };
  const merged = mergeRecord(platform, "comment", current.row, incoming, merge);
  if (merged === null) return null;
  return { row: toCommentRow(platform, postId, merged.encoded), encoded: merged.encoded };
}

function indexComment(index: SearchIndexWriter, { stored, value }: MergedEntry<CommentValue>): void {
  const { row, encoded } = value as CommentValue;
  if (encoded === null || stored?.row.header === row.header) return;
  const state = stored === undefined ? "new" : "stored";
  index.put(row.platform, "comment", commentDocId(row.post_id, row.id), encoded.document, state);
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
    version: 1,
  };
}
