/** Keeps posts in the lists that they name, and out of those that they named before. */
import type { Post } from "#domain/post.ts";
import type { PlatformName } from "#domain/record.ts";
import { listsOf } from "../post-lists.ts";
import type { PostList, EncodedRecord } from "../store.ts";
import type { Sql } from "./sql.ts";
import { ErasedIds } from "./erased-ids.ts";
import { asHeld } from "./storable-text.ts";
import { insert, type Table, upsert } from "./upsert.ts";

export interface ListRow {
  key: string;
  platform: PlatformName;
  list: PostList;
  sortKey: number;
  postId: string;
}

export interface MovedPost {
  platform: PlatformName;
  /** As it was listed; null when it was not held. */
  before: Post | null;
  now: EncodedRecord;
}

const TABLE: Table<ListRow> = {
  name: "post_lists",
  key: ["key", "platform", "list", "sort_key", "post_id"],
  columns: [
    { name: "key", type: "text", of: ({ key }) => key },
    { name: "platform", type: "text", of: ({ platform }) => platform },
    { name: "list", type: "text", of: ({ list }) => list },
    { name: "sort_key", type: "bigint", of: ({ sortKey }) => sortKey },
    { name: "post_id", type: "text", of: ({ postId }) => postId },
  ],
};

export async function movePosts(sql: Sql, posts: readonly MovedPost[]): Promise<void> {
  const left: ListRow[] = [];
  const entered: ListRow[] = [];
  const added: ListRow[] = [];
  for (const { platform, before, now } of posts) {
    const from = before === null ? [] : rowsOf(platform, now.id, before);
    const to = now.lists.map(([list, key]): ListRow => ({ key, platform, list, sortKey: -now.at, postId: now.id }));
    if (before !== null && textOf(from) === textOf(to)) continue;
    left.push(...from);
    (before === null ? added : entered).push(...to);
  }
  const isErased = await erasedAmong(sql, [...entered, ...added]);
  const listed = (rows: ListRow[]) => rows.filter((row) => !isErased(row));
  await Promise.all([
    insert(sql, TABLE, withoutDoubles(listed(added))),
    removeFromLists(sql, left).then(() => addToLists(sql, listed(entered))),
  ]);
}

/** Others' posts may still name an erased account: it stands in no list of its own. */
async function erasedAmong(sql: Sql, rows: readonly ListRow[]): Promise<(row: ListRow) => boolean> {
  const tagged = new Set(rows.filter(({ list }) => list === "tagged").map(({ key }) => key));
  if (tagged.size === 0) return () => false;
  const erased = new ErasedIds();
  await erased.load(sql, tagged);
  return ({ platform, list, key }) => list === "tagged" && erased.has(platform, "account", key);
}

export function rowsOf(platform: PlatformName, postId: string, post: Post): ListRow[] {
  return listsOf(post).map(({ list, key, at }) => ({ key, platform, list, sortKey: -at, postId }));
}

function textOf(rows: ListRow[]): string {
  return JSON.stringify(rows.map(({ list, key, sortKey }) => [list, key, sortKey]));
}

export function addToLists(sql: Sql, rows: readonly ListRow[]): Promise<void> {
  return upsert(sql, TABLE, withoutDoubles(rows));
}

/** Two keys that differ in half characters only are one in the store. */
function withoutDoubles(rows: readonly ListRow[]): readonly ListRow[] {
  if (rows.every(({ key }) => key.isWellFormed())) return rows;
  return [
    ...new Map(rows.map((row) => [`${row.platform} ${row.list} ${row.postId} ${asHeld(row.key)}`, row])).values(),
  ];
}

/** Rows in one statement. Few enough for the server to look each up in the key. */
const AT_ONCE = 32;
const REMOVE = `DELETE FROM post_lists WHERE (key, platform, list, sort_key, post_id) IN
  (${Array.from({ length: AT_ONCE }, (_, row) => `($${row * 5 + 1}, $${row * 5 + 2}, $${row * 5 + 3}, $${row * 5 + 4}, $${row * 5 + 5})`).join(", ")})`;

export async function removeFromLists(sql: Sql, rows: readonly ListRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const part = rows.slice(start, start + AT_ONCE);
    // The last part is filled up with what it holds already, so that one statement serves all.
    const values = Array.from({ length: AT_ONCE }, (_, index) => {
      const { key, platform, list, sortKey, postId } = (part[index] ?? part[0]) as ListRow;
      return [key, platform, list, sortKey, postId];
    });
    await sql.run(REMOVE, ...values.flat());
  }
}
