/**
 * Some captures know a person by name only; such an account has the provisional id `@name`. When a capture shows the
 * real id, everything that referred to the name is moved to it and the provisional account goes.
 */
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import { documentOf } from "#search/documents.ts";
import { encodeRecord } from "../row-encoder.ts";
import { commentDoc } from "../search-doc-ids.ts";
import type { AnyRecord, Merge } from "../store.ts";
import type { Database } from "./database.ts";
import type { RecordRows } from "./record-rows.ts";
import { RECORD_COLUMNS, recordOf, type RecordRow } from "../record-row.ts";
import type { SearchIndex } from "./search-index.ts";
import type { RenderedRows } from "./rendered-rows.ts";

export function mergePlaceholder(
  { db, index, rows, shown }: { db: Database; index: SearchIndex; rows: RecordRows; shown: RenderedRows },
  platform: PlatformName,
  from: string,
  to: string,
  merge: Merge,
): void {
  const provisional = db.get<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = 'account' AND id = ?`,
    platform,
    from,
  );
  const listed = db.all<{ list: "author" | "tagged"; at: number; post_id: string }>(
    "SELECT list, at, post_id FROM post_lists WHERE platform = ? AND list IN ('author', 'tagged') AND key = ?",
    platform,
    from,
  );
  for (const { post_id } of new Map(listed.map((row) => [row.post_id, row])).values())
    readdressPost({ db, index, shown }, platform, post_id, from, to);
  db.run(
    "UPDATE OR REPLACE post_lists SET key = ? WHERE platform = ? AND list IN ('author', 'tagged') AND key = ?",
    to,
    platform,
    from,
  );
  db.run("UPDATE OR REPLACE follows SET account_id = ? WHERE platform = ? AND account_id = ?", to, platform, from);
  db.run("UPDATE OR REPLACE follows SET follower_id = ? WHERE platform = ? AND follower_id = ?", to, platform, from);
  const comments = db.all<{ post_id: string; id: string }>(
    "SELECT post_id, id FROM comments WHERE platform = ? AND author_id = ? AND author_id >= '@' AND author_id < 'A'",
    platform,
    from,
  );
  db.run(
    `UPDATE comments SET author_id = ?, header = json_set(header, '$.authorId', ?)
     WHERE platform = ? AND author_id = ? AND author_id >= '@' AND author_id < 'A'`,
    to,
    to,
    platform,
    from,
  );
  for (const { post_id, id } of comments) {
    const comment = db.get<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM comments WHERE platform = ? AND post_id = ? AND id = ?`,
      platform,
      post_id,
      id,
    );
    const row = comment as RecordRow;
    shown.putComment(platform, post_id, { ...row, capturedAt: row.captured_at });
    index.put(platform, "comment", commentDoc(post_id, id), documentOf("comment", recordOf(row)));
  }
  db.run("UPDATE account_names SET id = ? WHERE platform = ? AND id = ?", to, platform, from);
  db.run(
    "UPDATE OR REPLACE counter_points SET id = ? WHERE platform = ? AND kind = 'account' AND id = ?",
    to,
    platform,
    from,
  );
  index.delete(platform, "account", from);
  db.run("DELETE FROM records WHERE platform = ? AND kind = 'account' AND id = ?", platform, from);
  // What was known under the name is as good as any capture.
  if (provisional !== undefined) {
    const known = { ...recordOf<AnyRecord>(provisional), id: to };
    rows.put(platform, "account", encodeRecord("account", known), merge);
  }
}

function readdressPost(
  { db, index, shown }: { db: Database; index: SearchIndex; shown: RenderedRows },
  platform: PlatformName,
  postId: string,
  from: string,
  to: string,
): void {
  const row = db.get<RecordRow & { number: number }>(
    `SELECT number, ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = 'post' AND id = ?`,
    platform,
    postId,
  );
  if (row === undefined) return;
  const post = JSON.parse(row.header) as Post;
  if (post.authorId === from) post.authorId = to;
  post.taggedIds = [...new Set(post.taggedIds.map((id) => (id === from ? to : id)))];
  const header = JSON.stringify(post);
  db.run(
    "UPDATE records SET header = ?, version = version + 1 WHERE platform = ? AND kind = 'post' AND id = ?",
    header,
    platform,
    postId,
  );
  shown.put(platform, "post", row.number, { ...row, header, capturedAt: row.captured_at });
  index.put(platform, "post", postId, documentOf("post", post));
}
