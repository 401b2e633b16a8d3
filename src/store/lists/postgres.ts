/** Adds posts to the lists they belong to, and removes them from those they no longer belong to. */
import { present } from "#domain/present.ts";
import type { Header } from "#domain/records.ts";
import type { PlatformName } from "#domain/record.ts";
import { isMoved, listsOf, type ListTable, type MovedPost } from "./port.ts";
import { columnNames } from "#store/sql/table.ts";
import type { Sql } from "#store/postgres/sql.ts";
import type { ListDialect } from "./statements.ts";
import { asStored } from "#store/postgres/storable-text.ts";
import { POST_LISTS, type PostListRow } from "./tables.ts";
import { insert, upsert } from "#store/postgres/upsert.ts";

export async function movePosts(sql: Sql, posts: readonly MovedPost[]): Promise<void> {
  const left: PostListRow[] = [];
  const entered: PostListRow[] = [];
  const added: PostListRow[] = [];
  for (const { platform, before, now } of posts.filter(isMoved)) {
    if (before !== null) left.push(...postListRows(platform, now.id, before));
    for (const [list, key] of now.lists)
      (before === null ? added : entered).push({ key, platform, list, sort_key: -now.at, post_id: now.id });
  }
  await Promise.all([
    insert(sql, POST_LISTS.postgres, withoutDuplicates(added)),
    removeFromLists(sql, left).then(() => upsert(sql, POST_LISTS.postgres, withoutDuplicates(entered))),
  ]);
}

export function postListRows(platform: PlatformName, postId: string, post: Header<"post">): PostListRow[] {
  return listsOf(post).map(({ list, key, at }) => ({ key, platform, list, sort_key: -at, post_id: postId }));
}

/** Keys that differ only in unpaired surrogates are the same once stored. */
function withoutDuplicates(rows: readonly PostListRow[]): readonly PostListRow[] {
  if (rows.every(({ key }) => key.isWellFormed())) return rows;
  const unique = new Map(rows.map((row) => [`${row.platform} ${row.list} ${row.post_id} ${asStored(row.key)}`, row]));
  return [...unique.values()];
}

/** Rows per statement: few enough for the planner to look each up by the primary key. */
const DELETE_ROWS = 32;
const COLUMNS = columnNames(POST_LISTS.postgres);
const PARAMETERS = Array.from({ length: DELETE_ROWS }, (_row, row) => {
  const numbers = COLUMNS.map((_column, column) => `$${row * COLUMNS.length + column + 1}`);
  return `(${numbers.join(", ")})`;
});
const DELETE = `DELETE FROM post_lists WHERE (${COLUMNS.join(", ")}) IN (${PARAMETERS.join(", ")})`;

export async function removeFromLists(sql: Sql, rows: readonly PostListRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += DELETE_ROWS) {
    const batch = rows.slice(start, start + DELETE_ROWS);
    const first = present(batch[0]);
    // The last batch is padded with repeats, so that one prepared statement serves all.
    const padded = Array.from({ length: DELETE_ROWS }, (_, index) => batch[index] ?? first);
    await sql.run(DELETE, ...padded.flatMap((row) => COLUMNS.map((column) => row[column])));
  }
}

export function createListTable(sql: Sql): ListTable {
  return {
    columns: { key: "platform, list, sort_key, post_id", rest: [] },
    remove: (platform, posts) =>
      removeFromLists(
        sql,
        posts.flatMap(({ id, post }) => postListRows(platform, id, post)),
      ),
  };
}

/** The key has the negated time, so that it ascends; search documents may be on other machines than the list. */
export function createListDialect(db: Sql): ListDialect {
  return {
    at: "-sort_key",
    isAt: "sort_key = -$4::bigint",
    isAfter: "(sort_key, post_id) > (-$4::bigint, $5)",
    order: "sort_key, post_id",
    async listNewest(key, platform, ...values) {
      const newest = await db.all<{ post_id: string }>(
        `SELECT post_id FROM post_lists WHERE key = $1 AND platform = $2 AND list = $3
         ORDER BY sort_key, post_id LIMIT $4`,
        key,
        platform,
        ...values,
      );
      return db.all(
        "SELECT id, engagement FROM search_docs WHERE id = ANY($1) AND platform = $2 AND kind = 'post'",
        newest.map(({ post_id }) => post_id),
        platform,
      );
    },
  };
}
