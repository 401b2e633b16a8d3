/** Writes comments with their search documents, one row per statement. Their rendered JSON is a column. */
import { present } from "#domain/present.ts";
import type { PlatformName } from "#domain/record.ts";
import type { RenderedWriter } from "#store/rendered/port.ts";
import { commentDocId } from "#store/search/port.ts";
import { compositeKey } from "#store/undo/port.ts";
import type { EncodedRecord } from "#store/write/encoded-record.ts";
import type { RecordChange } from "#store/write/port.ts";
import { mergeCapture } from "#store/write/record-row.sqlite.ts";
import { RECORD_COLUMNS, type RecordRow } from "#store/write/record-row.ts";
import type { WriteState } from "#store/write/state.sqlite.ts";

const GET_COMMENT = `SELECT ${RECORD_COLUMNS} FROM comments WHERE platform = ? AND post_id = ? AND id = ?`;
const WRITE_COMMENT = `INSERT INTO comments
    (platform, post_id, id, parent_id, author_id, at, likes, header, native, captured_at, source, digest, rendered)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (platform, post_id, id) DO UPDATE SET parent_id = excluded.parent_id, author_id = excluded.author_id,
    at = excluded.at, likes = excluded.likes, header = excluded.header, native = excluded.native,
    captured_at = excluded.captured_at, source = excluded.source, digest = excluded.digest, rendered = excluded.rendered`;

export function createCommentRows(state: WriteState, rendered: RenderedWriter) {
  const { db, index } = state;

  /** Writes a comment as it is. */
  function put(platform: PlatformName, postId: string, comment: EncodedRecord, stored?: RecordRow): void {
    const json = rendered.renderComment(platform, comment);
    db.run(
      WRITE_COMMENT,
      platform,
      postId,
      comment.id,
      comment.parentId,
      comment.authorId,
      comment.at,
      comment.likes,
      comment.header,
      comment.native,
      comment.capturedAt,
      comment.source,
      json?.digest ?? null,
      json?.json ?? null,
    );
    if (stored?.header === comment.header) return;
    const docId = commentDocId(postId, comment.id);
    index.put(platform, "comment", docId, comment.document, stored === undefined ? "new" : "stored");
  }

  function write(platform: PlatformName, change: RecordChange): void {
    const [postId, { id }] = [present(change.postId), change.incoming];
    const stored = db.get<RecordRow>(GET_COMMENT, platform, postId, id);
    const merged = mergeCapture(state, [platform, "comment", compositeKey(postId, id)], stored, change.incoming);
    if (merged !== null) put(platform, postId, merged.encoded, stored);
  }

  return { write, put };
}
