/** The comments of one batch, with their search documents. */
import { present } from "#domain/present.ts";
import type { PlatformName } from "#domain/record.ts";
import type { EncodedRecord } from "#store/write/encoded-record.ts";
import { compositeKey } from "#store/undo/port.ts";
import { imageOf, mergeImage, mergeRecord, toRecordRow } from "#store/write/record-row.ts";
import { commentDocId } from "#store/search/port.ts";
import type { Merge, RecordChange } from "#store/write/port.ts";
import { type CommentRow, COMMENTS } from "./tables.ts";
import { type BatchOrder, readByKey, VersionedRows } from "#store/postgres/versioned-rows.ts";

interface CommentValue {
  row: CommentRow;
  /** Null for a comment as it is stored. */
  encoded: EncodedRecord | null;
}

type CommentKey = Pick<CommentRow, "platform" | "post_id" | "id">;

type IncomingComment = CommentKey & { encoded: EncodedRecord };

export function createCommentRows(
  merge: Merge,
  order: BatchOrder,
): VersionedRows<RecordChange, CommentKey, CommentRow, CommentValue, IncomingComment> {
  return new VersionedRows(
    {
      table: COMMENTS.postgres,
      kindOf: () => "comment",
      keyOf: ({ platform, post_id, id }) => [platform, post_id, id],
      incomingOf: (platform, { postId, incoming }) => {
        return { platform, post_id: present(postId), id: incoming.id, encoded: incoming };
      },
      fromRow: (row): CommentValue => ({ row, encoded: null }),
      merge(current, { platform, post_id, encoded: incoming }) {
        const encoded =
          current === undefined ? incoming : mergeRecord(platform, "comment", current.row, incoming, merge)?.encoded;
        return encoded === undefined ? null : { row: toCommentRow(platform, post_id, encoded), encoded };
      },
      read: (sql, comments) => readByKey(sql, COMMENTS.postgres, comments),
      touchKeyOf: ({ post_id, id }) => compositeKey(post_id, id),
      imageOf,
      mergeImage: (image, { platform, encoded }) => mergeImage(platform, "comment", image, encoded, merge),
      isCopied: () => true,
      document: {
        kindOf: () => "comment",
        idOf: ({ post_id, id }) => commentDocId(post_id, id),
        sourceOf: ({ header }) => header,
        of: ({ encoded }) => present(encoded).document,
      },
    },
    order,
  );
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
