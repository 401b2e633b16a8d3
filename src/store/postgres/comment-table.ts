/** The comments of one batch. */
import type { PlatformName } from "#domain/record.ts";
import { encodeRecord, decodeRecord } from "../row-encoder.ts";
import { commentDoc } from "../search-doc-ids.ts";
import { RECORD_COLUMNS, recordOf, type RecordRow } from "../record-row.ts";
import type { AnyRecord, Merge, EncodedRecord } from "../store.ts";
import type { WriteResult } from "../batch-changes.ts";
import type { Sql } from "./sql.ts";
import { RowCache } from "./row-cache.ts";
import { isSame, rowOf } from "./record-table.ts";
import type { SearchIndexWriter } from "./search-index-writer.ts";
import { type Table, upsert } from "./upsert.ts";

interface ChangedComment {
  platform: PlatformName;
  postId: string;
  now: EncodedRecord;
}

interface HeldComment {
  row: RecordRow;
  change: ChangedComment | null;
}

const TABLE: Table<ChangedComment> = {
  name: "comments",
  key: ["post_id", "platform", "id"],
  columns: [
    { name: "post_id", type: "text", of: ({ postId }) => postId },
    { name: "platform", type: "text", of: ({ platform }) => platform },
    { name: "id", type: "text", of: ({ now }) => now.id },
    { name: "parent_id", type: "text", of: ({ now }) => now.parentId },
    { name: "author_id", type: "text", of: ({ now }) => now.authorId },
    { name: "at", type: "bigint", of: ({ now }) => now.at },
    { name: "likes", type: "bigint", of: ({ now }) => now.likes },
    { name: "header", type: "json", of: ({ now }) => now.header },
    { name: "native", type: "json", of: ({ now }) => now.native },
    { name: "captured_at", type: "bigint", of: ({ now }) => now.capturedAt },
    { name: "source", type: "text", of: ({ now }) => now.source },
  ],
};

export class CommentTable {
  readonly #rows = new RowCache<HeldComment>();
  readonly #index: SearchIndexWriter;

  constructor(index: SearchIndexWriter) {
    this.#index = index;
  }

  async load(sql: Sql, platform: PlatformName, comments: readonly { postId: string; id: string }[]): Promise<void> {
    if (comments.length === 0) return;
    const rows = await sql.all<RecordRow & { post_id: string }>(
      `SELECT ${RECORD_COLUMNS}, post_id FROM comments WHERE post_id = ANY($1) AND platform = $2 AND id = ANY($3)`,
      [...new Set(comments.map(({ postId }) => postId))],
      platform,
      [...new Set(comments.map(({ id }) => id))],
    );
    for (const { post_id, ...row } of rows) this.#rows.load([platform, post_id, row.id], { row, change: null });
  }

  put(platform: PlatformName, postId: string, found: EncodedRecord, merge: Merge): WriteResult {
    const key = [platform, postId, found.id];
    const held = this.#rows.get(key)?.row;
    if (held !== undefined && isSame(held, found)) return "unchanged";
    const now =
      held === undefined
        ? found
        : encodeRecord("comment", merge("comment", recordOf<AnyRecord>(held), decodeRecord(found)));
    if (held !== undefined && isSame(held, now)) return "unchanged";
    this.#rows.put(key, { row: rowOf(now), change: { platform, postId, now } });
    if (held?.header !== now.header) {
      const was = held === undefined ? "new" : "held";
      this.#index.put(platform, "comment", commentDoc(postId, now.id), now.document, was);
    }
    return held === undefined ? "new" : "updated";
  }

  async flush(sql: Sql): Promise<void> {
    const changed = this.#rows.takeChanged().flatMap(({ change }) => change ?? []);
    await upsert(sql, TABLE, changed);
  }
}
