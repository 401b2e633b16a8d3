/**
 * Some captures know a person by name only; such an account has the provisional id `@name`. When a capture shows the
 * real id, everything that refers to the provisional account is moved to it.
 */
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import { documentOf } from "#search/documents.ts";
import type { AnyRecord } from "../encoded-record.ts";
import { parseRecordRow, RECORD_COLUMNS, type RecordRow } from "../record-row.ts";
import { replaceAccount } from "../replace-account.ts";
import { encodeRecord } from "../row-encoder.ts";
import { commentDocId } from "../search-doc-ids.ts";
import type { Merge } from "../writer.ts";
import type { WriteTables } from "./record-rows.ts";
import type { CommentsRow, PostListsRow, RecordsRow } from "./rows.ts";

export function mergePlaceholder(
  tables: WriteTables,
  platform: PlatformName,
  from: string,
  to: string,
  merge: Merge,
): void {
  const { db, index, rows } = tables;
  const placeholder = db.get<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = 'account' AND id = ?`,
    platform,
    from,
  );
  movePosts(tables, platform, from, to);
  db.run("UPDATE OR REPLACE follows SET account_id = ? WHERE platform = ? AND account_id = ?", to, platform, from);
  db.run("UPDATE OR REPLACE follows SET follower_id = ? WHERE platform = ? AND follower_id = ?", to, platform, from);
  moveComments(tables, platform, from, to);
  db.run("UPDATE account_names SET id = ? WHERE platform = ? AND id = ?", to, platform, from);
  db.run(
    "UPDATE OR REPLACE counter_points SET id = ? WHERE platform = ? AND kind = 'account' AND id = ?",
    to,
    platform,
    from,
  );
  index.delete(platform, "account", from);
  db.run("DELETE FROM records WHERE platform = ? AND kind = 'account' AND id = ?", platform, from);
  // What was known under the name merges like any capture.
  if (placeholder !== undefined) {
    const account = { ...parseRecordRow<AnyRecord>(placeholder), id: to };
    rows.write(platform, "account", encodeRecord("account", account), merge);
  }
}

function movePosts(tables: WriteTables, platform: PlatformName, from: string, to: string): void {
  const { db } = tables;
  const listed = db.all<Pick<PostListsRow, "post_id">>(
    "SELECT DISTINCT post_id FROM post_lists WHERE platform = ? AND list IN ('author', 'tagged') AND key = ?",
    platform,
    from,
  );
  for (const { post_id } of listed) movePost(tables, platform, post_id, from, to);
  db.run(
    "UPDATE OR REPLACE post_lists SET key = ? WHERE platform = ? AND list IN ('author', 'tagged') AND key = ?",
    to,
    platform,
    from,
  );
}

function movePost(
  { db, index, rendered }: WriteTables,
  platform: PlatformName,
  postId: string,
  from: string,
  to: string,
): void {
  const row = db.get<RecordRow & Pick<RecordsRow, "number">>(
    `SELECT number, ${RECORD_COLUMNS} FROM records WHERE platform = ? AND kind = 'post' AND id = ?`,
    platform,
    postId,
  );
  if (row === undefined) return;
  const post = replaceAccount(JSON.parse(row.header) as Post, from, to);
  const header = JSON.stringify(post);
  db.run(
    "UPDATE records SET header = ?, version = version + 1 WHERE platform = ? AND kind = 'post' AND id = ?",
    header,
    platform,
    postId,
  );
  rendered.write(platform, "post", row.number, { ...row, header, capturedAt: row.captured_at });
  index.put(platform, "post", postId, documentOf("post", post));
}

function moveComments({ db, index, rendered }: WriteTables, platform: PlatformName, from: string, to: string): void {
  // The range of author_id repeats the condition of the partial index, so that SQLite uses it.
  const moved = db.all<RecordRow & Pick<CommentsRow, "post_id">>(
    `UPDATE comments SET author_id = ?, header = json_set(header, '$.authorId', ?)
     WHERE platform = ? AND author_id = ? AND author_id >= '@' AND author_id < 'A' RETURNING post_id, ${RECORD_COLUMNS}`,
    to,
    to,
    platform,
    from,
  );
  for (const { post_id, ...row } of moved) {
    rendered.writeComment(platform, post_id, { ...row, capturedAt: row.captured_at });
    index.put(platform, "comment", commentDocId(post_id, row.id), documentOf("comment", parseRecordRow(row)));
  }
}
