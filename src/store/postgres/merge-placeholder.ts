/**
 * Some captures know a person by name only; such an account has the provisional id `@name`. When a capture shows the
 * real id, everything that referred to the name is moved to it and the provisional account goes. What lies elsewhere
 * under another key cannot be renamed in place: it is read, taken out and put again.
 */
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import { documentOf } from "#search/documents.ts";
import { encodeRecord } from "../row-encoder.ts";
import { commentDoc } from "../search-doc-ids.ts";
import { RECORD_COLUMNS, recordOf, type RecordRow } from "../record-row.ts";
import type { Changes, AnyRecord, Merge } from "../store.ts";
import { WriteBatch, type UnitOfWork } from "./write-batch.ts";
import type { Sql } from "./sql.ts";
import { addToLists, type ListRow, removeFromLists } from "./post-list-rows.ts";

interface Adoption {
  platform: PlatformName;
  from: string;
  to: string;
}

export async function mergePlaceholder(turn: UnitOfWork, adoption: Adoption, merge: Merge): Promise<void> {
  const { sql, index } = turn;
  const { platform, from, to } = adoption;
  const provisional = await sql.get<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM records WHERE id = $1 AND platform = $2 AND kind = 'account'`,
    from,
    platform,
  );
  await movePosts(turn, adoption);
  await moveFollows(sql, adoption);
  await moveComments(turn, adoption);
  await moveCounters(sql, adoption);
  await index.remove(sql, platform, "account", [from]);
  await sql.run("DELETE FROM records WHERE id = $1 AND platform = $2 AND kind = 'account'", from, platform);
  if (provisional === undefined) return;
  const known = { ...recordOf<AnyRecord>(provisional), id: to };
  const { name } = known as unknown as Account;
  await sql.run(
    "UPDATE account_names SET id = $1 WHERE name = $2 AND platform = $3 AND id = $4",
    to,
    foldName(name ?? ""),
    platform,
    from,
  );
  // What was known under the name is as good as any capture.
  const change = { kind: "account" as const, postId: null, incoming: encodeRecord("account", known), point: null };
  const changes: Changes = { platform, records: [change], subtitles: [], follows: [], chartEntries: [] };
  const applying = await WriteBatch.begin(turn, [changes]);
  applying.apply(changes, merge);
  await applying.flush(turn);
}

async function movePosts(turn: UnitOfWork, { platform, from, to }: Adoption): Promise<void> {
  const { sql } = turn;
  const rows = await sql.all<ListRow>(
    `SELECT key, platform, list, sort_key AS "sortKey", post_id AS "postId" FROM post_lists
     WHERE key = $1 AND platform = $2 AND list = ANY($3)`,
    from,
    platform,
    ["author", "tagged"],
  );
  for (const postId of new Set(rows.map((row) => row.postId)))
    await readdressPost(turn, { platform, from, to }, postId);
  await removeFromLists(sql, rows);
  await addToLists(
    sql,
    rows.map((row) => ({ ...row, key: to })),
  );
}

async function readdressPost(
  { sql, index }: UnitOfWork,
  { platform, from, to }: Adoption,
  postId: string,
): Promise<void> {
  const row = await sql.get<{ header: string }>(
    "SELECT header FROM records WHERE id = $1 AND platform = $2 AND kind = 'post'",
    postId,
    platform,
  );
  if (row === undefined) return;
  const post = JSON.parse(row.header) as Post;
  if (post.authorId === from) post.authorId = to;
  post.taggedIds = [...new Set(post.taggedIds.map((id) => (id === from ? to : id)))];
  await sql.run(
    "UPDATE records SET header = $1, version = version + 1 WHERE id = $2 AND platform = $3 AND kind = 'post'",
    JSON.stringify(post),
    postId,
    platform,
  );
  index.put(platform, "post", postId, documentOf("post", post), "held");
}

interface FollowRow {
  account_id: string;
  follower_id: string;
  at: number;
  since: number | null;
  captured_at: number;
  source: string;
}

/** A follow that is known under both ids is kept as it was known under the name. */
async function moveFollows(sql: Sql, { platform, from, to }: Adoption): Promise<void> {
  for (const side of ["account_id", "follower_id"] as const) {
    const rows = await sql.all<FollowRow>(
      `SELECT account_id, follower_id, at, since, captured_at, source FROM follows WHERE ${side} = $1 AND platform = $2`,
      from,
      platform,
    );
    await sql.run(`DELETE FROM follows WHERE ${side} = $1 AND platform = $2`, from, platform);
    for (const row of rows) {
      row[side] = to;
      const { account_id, follower_id, at, since, captured_at, source } = row;
      await sql.run(
        `INSERT INTO follows (account_id, platform, follower_id, at, since, captured_at, source)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (account_id, platform, follower_id) DO UPDATE
         SET at = excluded.at, since = excluded.since, captured_at = excluded.captured_at, source = excluded.source`,
        account_id,
        platform,
        follower_id,
        at,
        since,
        captured_at,
        source,
      );
    }
  }
}

async function moveComments({ sql, index }: UnitOfWork, { platform, from, to }: Adoption): Promise<void> {
  const rows = await sql.all<{ post_id: string; id: string; header: string }>(
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
    index.put(platform, "comment", commentDoc(post_id, id), documentOf("comment", comment), "held");
  }
}

async function moveCounters(sql: Sql, { platform, from, to }: Adoption): Promise<void> {
  const rows = await sql.all<{ captured_at: number; counters: string }>(
    "SELECT captured_at, counters FROM counter_points WHERE id = $1 AND platform = $2 AND kind = 'account'",
    from,
    platform,
  );
  await sql.run("DELETE FROM counter_points WHERE id = $1 AND platform = $2 AND kind = 'account'", from, platform);
  for (const { captured_at, counters } of rows) {
    await sql.run(
      `INSERT INTO counter_points (id, platform, kind, captured_at, counters) VALUES ($1, $2, 'account', $3, $4)
       ON CONFLICT (id, platform, kind, captured_at) DO UPDATE SET counters = excluded.counters`,
      to,
      platform,
      captured_at,
      counters,
    );
  }
}
