/** The comments of one batch, with their search documents. */
import type { PlatformName } from "#domain/record.ts";
import type { AnyRecord, EncodedRecord } from "../encoded-record.ts";
import { isSameRecord, parseRecordRow, toRecordRow } from "../record-row.ts";
import { decodeRecord, encodeRecord } from "../row-encoder.ts";
import { commentDocId } from "../search-doc-ids.ts";
import { columnNames } from "../sql/table.ts";
import type { Merge, WriteCounts } from "../writer.ts";
import type { NewDocument, SearchIndexWriter } from "./search-index-writer.ts";
import type { Sql } from "./sql.ts";
import { type CommentRow, COMMENTS } from "./tables.ts";
import { type BatchOrder, type MergedEntry, VersionedRows } from "./versioned-rows.ts";

interface CommentValue {
  row: CommentRow;
  /** Null for a comment as it is stored. */
  encoded: EncodedRecord | null;
}

interface IncomingComment {
  platform: PlatformName;
  postId: string;
  encoded: EncodedRecord;
}

type CommentEntry = MergedEntry<CommentValue, IncomingComment>;

export type CommentKey = Pick<CommentRow, "platform" | "post_id" | "id">;

const LOAD = `SELECT ${columnNames(COMMENTS).join(", ")} FROM comments
  WHERE post_id = ANY($1) AND platform = $2 AND id = ANY($3)`;

export class CommentTable {
  readonly #comments: VersionedRows<CommentRow, CommentValue, IncomingComment>;

  constructor(merge: Merge, order: BatchOrder) {
    this.#comments = new VersionedRows<CommentRow, CommentValue, IncomingComment>(
      {
        table: COMMENTS,
        keyOf: toKey,
        fromRow: (row) => ({ row, encoded: null }),
        merge: (current, incoming) => mergeComment(current, incoming, merge),
        read: readComments,
      },
      order,
    );
  }

  async load(sql: Sql, comments: readonly CommentKey[]): Promise<void> {
    for (const row of await readComments(sql, comments)) this.#comments.load(row, "comment");
  }

  put(platform: PlatformName, postId: string, encoded: EncodedRecord): void {
    this.#comments.put([platform, postId, encoded.id], "comment", { platform, postId, encoded });
  }

  indexNew(index: SearchIndexWriter): void {
    for (const entry of this.#comments.added()) indexComment(index, entry);
  }

  insertNew(sql: Sql): Promise<void> {
    return this.#comments.insertNew(sql, this.#comments.added());
  }

  /** Writes the changed comments that were stored before. */
  async write(sql: Sql): Promise<void> {
    await this.#comments.write(sql);
  }

  /** After `write`. */
  indexOthers(index: SearchIndexWriter): void {
    for (const entry of this.#comments.changed()) if (!entry.isInserted) indexComment(index, entry);
  }

  /** The documents that are not in the index yet. */
  newDocuments(): NewDocument[] {
    return this.#comments.added().map(({ order, value }) => {
      const { platform, post_id, id } = (value as CommentValue).row;
      return { order, platform, kind: "comment", id: commentDocId(post_id, id) };
    });
  }

  countInto(counts: WriteCounts): void {
    this.#comments.countInto(counts);
  }
}

function toKey({ platform, post_id, id }: CommentKey): string[] {
  return [platform, post_id, id];
}

async function readComments(sql: Sql, comments: readonly CommentKey[]): Promise<CommentRow[]> {
  const reads = [...Map.groupBy(comments, ({ platform }) => platform)].map(([platform, group]) => {
    const postIds = [...new Set(group.map(({ post_id }) => post_id))];
    const ids = [...new Set(group.map(({ id }) => id))];
    return sql.all<CommentRow>(LOAD, postIds, platform, ids);
  });
  return (await Promise.all(reads)).flat();
}

function mergeComment(
  current: CommentValue | undefined,
  { platform, postId, encoded: incoming }: IncomingComment,
  merge: Merge,
): CommentValue | null {
  if (current === undefined) return { row: toCommentRow(platform, postId, incoming), encoded: incoming };
  if (isSameRecord(current.row, incoming)) return null;
  const before = parseRecordRow<AnyRecord>(current.row);
  const encoded = encodeRecord("comment", merge("comment", before, decodeRecord(incoming)));
  if (isSameRecord(current.row, encoded)) return null;
  return { row: toCommentRow(platform, postId, encoded), encoded };
}

function indexComment(index: SearchIndexWriter, { stored, value }: CommentEntry): void {
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
