/** Adds posts to the lists they belong to, and removes them from those they no longer belong to. */
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import type { EncodedRecord } from "../encoded-record.ts";
import { listsOf } from "../post-lists.ts";
import { columnNames } from "../sql/table.ts";
import type { Sql } from "./sql.ts";
import { asStored } from "./storable-text.ts";
import { POST_LISTS, type PostListRow } from "./tables.ts";
import { insert, upsert } from "./upsert.ts";

export interface MovedPost {
  platform: PlatformName;
  /** The stored post; null for a new one. */
  before: Post | null;
  now: EncodedRecord;
}

export async function movePosts(sql: Sql, posts: readonly MovedPost[]): Promise<void> {
  const left: PostListRow[] = [];
  const entered: PostListRow[] = [];
  const added: PostListRow[] = [];
  for (const { platform, before, now } of posts) {
    const from = before === null ? [] : postListRows(platform, now.id, before);
    const to = now.lists.map(([list, key]) => ({ key, platform, list, sort_key: -now.at, post_id: now.id }));
    if (before !== null && isSameList(from, to)) continue;
    for (const row of from) left.push(row);
    for (const row of to) (before === null ? added : entered).push(row);
  }
  await Promise.all([
    insert(sql, POST_LISTS, withoutDuplicates(added)),
    removeFromLists(sql, left).then(() => upsert(sql, POST_LISTS, withoutDuplicates(entered))),
  ]);
}

export function postListRows(platform: PlatformName, postId: string, post: Post): PostListRow[] {
  return listsOf(post).map(({ list, key, at }) => ({ key, platform, list, sort_key: -at, post_id: postId }));
}

function isSameList(some: readonly PostListRow[], others: readonly PostListRow[]): boolean {
  const keysOf = (rows: readonly PostListRow[]) => rows.map(({ list, key, sort_key }) => [list, key, sort_key]);
  return JSON.stringify(keysOf(some)) === JSON.stringify(keysOf(others));
}

/** Keys that differ only in unpaired surrogates are the same once stored. */
function withoutDuplicates(rows: readonly PostListRow[]): readonly PostListRow[] {
  if (rows.every(({ key }) => key.isWellFormed())) return rows;
  const unique = new Map(rows.map((row) => [`${row.platform} ${row.list} ${row.post_id} ${asStored(row.key)}`, row]));
  return [...unique.values()];
}

/** Rows per statement: few enough for the planner to look each up by the primary key. */
const DELETE_ROWS = 32;
const COLUMNS = columnNames(POST_LISTS);
const PARAMETERS = Array.from({ length: DELETE_ROWS }, (_row, row) => {
  const numbers = COLUMNS.map((_column, column) => `$${row * COLUMNS.length + column + 1}`);
  return `(${numbers.join(", ")})`;
});
const DELETE = `DELETE FROM post_lists WHERE (${COLUMNS.join(", ")}) IN (${PARAMETERS.join(", ")})`;

export async function removeFromLists(sql: Sql, rows: readonly PostListRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += DELETE_ROWS) {
    const batch = rows.slice(start, start + DELETE_ROWS);
    const [first] = batch as [PostListRow];
    // The last batch is padded with repeats, so that one prepared statement serves all.
    const padded = Array.from({ length: DELETE_ROWS }, (_, index) => batch[index] ?? first);
    await sql.run(DELETE, ...padded.flatMap((row) => COLUMNS.map((column) => row[column])));
  }
}
