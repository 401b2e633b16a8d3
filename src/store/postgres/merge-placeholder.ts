/**
 * Some captures know an account by name only; it has the provisional id `@name`. When a capture shows the real id, all
 * references to the provisional account move to it, and the provisional account is deleted. Rows whose key changes are
 * deleted and inserted again, since Citus cannot move them in place.
 */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import { documentOf } from "#search/documents.ts";
import { parseRecordRow, RECORD_COLUMNS, type RecordRow } from "../record-row.ts";
import { replaceAccount } from "../replace-account.ts";
import { encodeRecord } from "../row-encoder.ts";
import { commentDocId } from "../search-doc-ids.ts";
import type { Changes, Merge } from "../writer.ts";
import { addToLists, removeFromLists } from "./post-list-rows.ts";
import { getHeaders } from "./record-reads.ts";
import type { Sql } from "./sql.ts";
import {
  type CommentRow,
  COUNTER_POINTS,
  type CounterPointRow,
  type FollowRow,
  FOLLOWS,
  type PostListRow,
} from "./tables.ts";
import { upsert } from "./upsert.ts";
import { type UnitOfWork, WriteBatch } from "./write-batch.ts";

interface Merging {
  platform: PlatformName;
  /** The provisional id. */
  from: string;
  to: string;
}

export async function mergePlaceholder(unit: UnitOfWork, merging: Merging, merge: Merge): Promise<void> {
  const { sql, index } = unit;
  const { platform, from, to } = merging;
  const placeholder = await sql.get<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM records WHERE id = $1 AND platform = $2 AND kind = 'account'`,
    from,
    platform,
  );
  await movePosts(unit, merging);
  await moveFollows(sql, merging);
  await moveComments(unit, merging);
  await moveCounters(sql, merging);
  await index.remove(sql, platform, "account", [from]);
  await sql.run("DELETE FROM records WHERE id = $1 AND platform = $2 AND kind = 'account'", from, platform);
  if (placeholder === undefined) return;
  const account = { ...parseRecordRow<Account>(placeholder), id: to };
  await sql.run(
    "UPDATE account_names SET id = $1 WHERE name = $2 AND platform = $3 AND id = $4",
    to,
    foldName(account.name ?? ""),
    platform,
    from,
  );
  // The placeholder's data is merged like any other capture.
  const change = { kind: "account" as const, postId: null, incoming: encodeRecord("account", account), point: null };
  const changes: Changes = { platform, records: [change], subtitles: [], follows: [], chartEntries: [] };
  const batch = await WriteBatch.load(unit, [changes]);
  batch.apply(changes, merge);
  await batch.flush(unit);
}

async function movePosts({ sql, index }: UnitOfWork, { platform, from, to }: Merging): Promise<void> {
  const rows = await sql.all<PostListRow>(
    "SELECT * FROM post_lists WHERE key = $1 AND platform = $2 AND list = ANY($3)",
    from,
    platform,
    ["author", "tagged"],
  );
  const headers = await getHeaders(sql, platform, "post", [...new Set(rows.map(({ post_id }) => post_id))]);
  for (const [id, header] of headers) {
    const post = replaceAccount(JSON.parse(header) as Post, from, to);
    await sql.run(
      "UPDATE records SET header = $1, version = version + 1 WHERE id = $2 AND platform = $3 AND kind = 'post'",
      JSON.stringify(post),
      id,
      platform,
    );
    index.put(platform, "post", id, documentOf("post", post), "stored");
  }
  await removeFromLists(sql, rows);
  await addToLists(
    sql,
    rows.map((row) => ({ ...row, key: to })),
  );
}

/** If both accounts have the same follow, the one of the placeholder wins. */
async function moveFollows(sql: Sql, { platform, from, to }: Merging): Promise<void> {
  for (const side of ["account_id", "follower_id"] as const) {
    const rows = await sql.all<FollowRow>(
      `DELETE FROM follows WHERE ${side} = $1 AND platform = $2 RETURNING *`,
      from,
      platform,
    );
    await upsert(
      sql,
      FOLLOWS,
      rows.map((row) => ({ ...row, [side]: to })),
    );
  }
}

async function moveComments({ sql, index }: UnitOfWork, { platform, from, to }: Merging): Promise<void> {
  const rows = await sql.all<Pick<CommentRow, "post_id" | "id" | "header">>(
    `SELECT post_id, id, header FROM comments
     WHERE author_id = $1 AND platform = $2 AND author_id >= '@' AND author_id < 'A'`,
    from,
    platform,
  );
  for (const { post_id, id, header } of rows) {
    const comment: Comment = { ...(JSON.parse(header) as Comment), authorId: to };
    await sql.run(
      "UPDATE comments SET author_id = $1, header = $2 WHERE post_id = $3 AND platform = $4 AND id = $5",
      to,
      JSON.stringify(comment),
      post_id,
      platform,
      id,
    );
    index.put(platform, "comment", commentDocId(post_id, id), documentOf("comment", comment), "stored");
  }
}

async function moveCounters(sql: Sql, { platform, from, to }: Merging): Promise<void> {
  const rows = await sql.all<CounterPointRow>(
    "DELETE FROM counter_points WHERE id = $1 AND platform = $2 AND kind = 'account' RETURNING *",
    from,
    platform,
  );
  await upsert(
    sql,
    COUNTER_POINTS,
    rows.map((row) => ({ ...row, id: to })),
  );
}
