/**
 * Some captures know an account by name only; it has the provisional id `@name`. When a capture shows the real id, all
 * references to the provisional account move to it, and the provisional account is deleted. If that id is erased, all that
 * is known by the name is erased instead.
 */
import type { Account } from "#domain/account.ts";
import { replaceReferences } from "#domain/account-references.ts";
import type { Comment } from "#domain/comment.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import { documentOf } from "#search/documents.ts";
import { compositeKey, type Image } from "#store/undo/port.ts";
import {
  imageOf,
  mergeImage,
  parseImage,
  parseRecordRow,
  RECORD_COLUMNS,
  type RecordRow,
} from "#store/write/record-row.ts";
import { FOLLOW_ROWS } from "#store/follows/relation.ts";
import { relationImage } from "#store/write/relation.ts";
import { encodeRecord } from "#store/write/row-encoder.ts";
import { commentDocId } from "#store/search/doc-ids.ts";
import type { Merge } from "#store/write/port.ts";
import { removeLearnt } from "#store/erasure/erase.ts";
import { isMarkedErased, markErased } from "#store/erasure/statements.ts";
import { moveTouches } from "#store/undo/statements.ts";
import { batchesOf, type RecordSteps } from "#store/write/unit.ts";
import { type SqlSteps, step, type Steps } from "#store/sql/sql.ts";

interface Merging {
  platform: PlatformName;
  /** The provisional id. */
  from: string;
  to: string;
}

export function* mergePlaceholder(unit: RecordSteps, merging: Merging, merge: Merge): Steps<void> {
  const { sql } = unit;
  const { platform, from, to } = merging;
  if (yield* isMarkedErased(sql, platform, "account", to)) {
    yield* markErased(sql, platform, "account", [from]);
    return yield* removeLearnt(unit, [{ platform, kind: "account", id: from }]);
  }
  const placeholder = yield* getAccount(sql, platform, from);
  yield* moveTouchedRows(sql, merging, placeholder, merge);
  yield* movePosts(unit, merging);
  yield* moveComments(unit, merging);
  for (const table of MOVED) yield* moveRows(sql, table, merging);
  yield* step(unit.removeDocuments(platform, "account", [from]));
  yield* sql.run("DELETE FROM records WHERE id = $1 AND platform = $2 AND kind = 'account'", from, platform);
  if (placeholder === undefined) return;
  const account = { ...parseRecordRow<Account>(placeholder), id: to };
  yield* sql.run(
    "DELETE FROM account_names WHERE name = $1 AND platform = $2 AND id = $3",
    foldName(account.name ?? ""),
    platform,
    from,
  );
  // The placeholder's data is merged like any other capture.
  const change = { kind: "account" as const, postId: null, incoming: encodeRecord("account", account), point: null };
  yield* step(unit.apply({ platform, records: [change], subtitles: [], follows: [], chartEntries: [] }, merge));
}

function getAccount(sql: SqlSteps, platform: PlatformName, id: string): Steps<RecordRow | undefined> {
  return sql.get<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM records WHERE id = $1 AND platform = $2 AND kind = 'account'`,
    id,
    platform,
  );
}

/** An import that is undone later finds the account and its follows under the new id. */
function* moveTouchedRows(
  sql: SqlSteps,
  { platform, from, to }: Merging,
  placeholder: RecordRow | undefined,
  merge: Merge,
): Steps<void> {
  const account = yield* getAccount(sql, platform, to);
  const imageOfRow = (row: RecordRow | undefined) => (row === undefined ? null : imageOf(row));
  yield* moveTouches(
    sql,
    { platform, kind: "account", from, to },
    account !== undefined,
    (own = imageOfRow(account), other = imageOfRow(placeholder)) =>
      other === null
        ? own
        : mergeImage(platform, "account", own, encodeRecord("account", parseImage(to, other)), merge),
  );
  const follows = yield* sql.all<FollowRow>(
    `SELECT ${FOLLOW_COLUMNS} FROM follows WHERE platform = $1 AND (account_id = $2 OR follower_id = $2)`,
    platform,
    from,
  );
  for (const follow of follows) {
    const { account_id, follower_id } = follow;
    const moved = [account_id, follower_id].map((id) => (id === from ? to : id)) as [string, string];
    const stored = yield* sql.get<FollowRow>(
      `SELECT ${FOLLOW_COLUMNS} FROM follows WHERE platform = $1 AND account_id = $2 AND follower_id = $3`,
      platform,
      ...moved,
    );
    const keys = { from: compositeKey(account_id, follower_id), to: compositeKey(...moved) };
    const imageOfFollow = (row: FollowRow | undefined) => (row === undefined ? null : relationImage(FOLLOW_ROWS, row));
    yield* moveTouches(
      sql,
      { platform, kind: "follow", ...keys },
      stored !== undefined,
      (own = imageOfFollow(stored), other = imageOfFollow(follow)) => mergeFollowImages(own, other),
    );
  }
}

/** A table with a column that holds an account's id. */
interface MovedTable {
  name: string;
  column: string;
  /** The other columns of the primary key, and those that are not part of it. */
  key: string;
  rest: readonly string[];
  condition?: string;
  /** What remains of two rows; by default that of the placeholder. */
  updates?: string;
}

interface FollowRow {
  account_id: string;
  follower_id: string;
  at: number;
  since: number | null;
  captured_at: number;
  source: string;
}

const FOLLOW = FOLLOW_ROWS.restored;

const FOLLOW_COLUMNS = ["account_id", "follower_id", ...FOLLOW].join(", ");

const newer = (column: string) =>
  `CASE WHEN excluded.captured_at > follows.captured_at THEN excluded.${column} ELSE follows.${column} END`;

const SINCE = `coalesce(${newer("since")}, excluded.since, follows.since)`;

/** As two captures are merged: see follows/relation.ts. Without a date, a follow has that of its first capture. */
const MERGED_FOLLOW = `since = ${SINCE}, captured_at = ${newer("captured_at")}, source = ${newer("source")},
  at = coalesce(${SINCE}, CASE WHEN excluded.at < follows.at THEN excluded.at ELSE follows.at END)`;

/** The same for their imported states. */
function mergeFollowImages(own: Image, other: Image): Image {
  if (own === null || other === null) return own ?? other;
  const stored = JSON.parse(own) as FollowRow;
  const moved = JSON.parse(other) as FollowRow;
  const isNewer = moved.captured_at > stored.captured_at;
  const since = (isNewer ? moved.since : stored.since) ?? moved.since ?? stored.since;
  const at = since ?? Math.min(stored.at, moved.at);
  return relationImage(FOLLOW_ROWS, { ...(isNewer ? moved : stored), since, at });
}

const MOVED: readonly MovedTable[] = [
  { name: "follows", column: "account_id", key: "platform, follower_id", rest: FOLLOW, updates: MERGED_FOLLOW },
  { name: "follows", column: "follower_id", key: "platform, account_id", rest: FOLLOW, updates: MERGED_FOLLOW },
  {
    name: "counter_points",
    column: "id",
    key: "platform, kind, captured_at",
    rest: ["counters"],
    condition: "AND kind = 'account'",
  },
];

/** Inserts rows under the new id and deletes them under the old one: Citus cannot move a row whose key changes. */
function* moveRows(sql: SqlSteps, table: MovedTable, { platform, from, to }: Merging): Steps<void> {
  const { name, column, key, rest, condition = "" } = table;
  const others = [key, ...rest].join(", ");
  const updates = table.updates ?? rest.map((other) => `${other} = excluded.${other}`).join(", ");
  yield* sql.run(
    `INSERT INTO ${name} (${column}, ${others}) SELECT CAST($1 AS text), ${others} FROM ${name}
     WHERE ${column} = $2 AND platform = $3 ${condition}
     ON CONFLICT (${column}, ${key}) DO ${updates === "" ? "NOTHING" : `UPDATE SET ${updates}`}`,
    to,
    from,
    platform,
  );
  yield* sql.run(`DELETE FROM ${name} WHERE ${column} = $1 AND platform = $2 ${condition}`, from, platform);
}

function* movePosts(unit: RecordSteps, merging: Merging): Steps<void> {
  const { sql } = unit;
  const { platform, from, to } = merging;
  const condition = "AND list IN ('author', 'tagged')";
  const listed = yield* sql.all<{ post_id: string }>(
    `SELECT DISTINCT post_id FROM post_lists WHERE key = $1 AND platform = $2 ${condition}`,
    from,
    platform,
  );
  for (const batch of batchesOf(listed)) {
    const rows = yield* sql.all<RecordRow>(
      `SELECT ${RECORD_COLUMNS} FROM records WHERE id = ANY($1) AND platform = $2 AND kind = 'post'`,
      batch.map(({ post_id }) => post_id),
      platform,
    );
    for (const row of rows) {
      const post = replaceReferences(JSON.parse(row.header) as Post, (id) => (id === from ? to : id));
      const header = JSON.stringify(post);
      yield* sql.run(
        "UPDATE records SET header = $1, version = version + 1 WHERE id = $2 AND platform = $3 AND kind = 'post'",
        header,
        row.id,
        platform,
      );
      unit.renderRecord(platform, "post", { ...row, header });
      unit.putDocument(platform, "post", row.id, documentOf("post", post));
    }
  }
  yield* moveRows(sql, { name: "post_lists", column: "key", ...unit.listColumns, condition }, merging);
}

function* moveComments(unit: RecordSteps, { platform, from, to }: Merging): Steps<void> {
  const { sql } = unit;
  const rows = yield* sql.all<RecordRow & { post_id: string }>(
    // The range of author_id repeats the condition of the partial index, so that it is used.
    `SELECT post_id, ${RECORD_COLUMNS} FROM comments
     WHERE author_id = $1 AND platform = $2 AND author_id >= '@' AND author_id < 'A'`,
    from,
    platform,
  );
  for (const { post_id, ...row } of rows) {
    const comment: Comment = { ...(JSON.parse(row.header) as Comment), authorId: to };
    const header = JSON.stringify(comment);
    yield* sql.run(
      "UPDATE comments SET author_id = $1, header = $2 WHERE post_id = $3 AND platform = $4 AND id = $5",
      to,
      header,
      post_id,
      platform,
      row.id,
    );
    unit.renderComment(platform, post_id, { ...row, header });
    unit.putDocument(platform, "comment", commentDocId(post_id, row.id), documentOf("comment", comment));
  }
}
