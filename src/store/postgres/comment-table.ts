/** The comments of one batch. */
import type { PlatformName } from "#domain/record.ts";
import { prepareRecord, recordFrom } from "../prepared-record.ts";
import { commentDoc } from "../search-docs.ts";
import { RECORD_COLUMNS, recordOf, type RecordRow } from "../record-row.ts";
import type { Counted, Merge, PreparedRecord } from "../store.ts";
import type { Verdict } from "../batch-changes.ts";
import type { Sql } from "./sql.ts";
import { HeldRows } from "./held-rows.ts";
import { isSame, rowOf } from "./record-table.ts";
import type { SearchUpkeep } from "./search-upkeep.ts";
import { type Table, upsert } from "./upsert.ts";

interface ChangedComment {
  platform: PlatformName;
  postId: string;
  now: PreparedRecord;
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
  readonly #rows = new HeldRows<HeldComment>();
  readonly #index: SearchUpkeep;

  constructor(index: SearchUpkeep) {
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
    for (const { post_id, ...row } of rows) this.#rows.hold([platform, post_id, row.id], { row, change: null });
  }

  put(platform: PlatformName, postId: string, found: PreparedRecord, merge: Merge): Verdict {
    const key = [platform, postId, found.id];
    const held = this.#rows.get(key)?.row;
    if (held !== undefined && isSame(held, found)) return "unchanged";
    const now =
      held === undefined
        ? found
        : prepareRecord("comment", merge("comment", recordOf<Counted>(held), recordFrom(found)));
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
