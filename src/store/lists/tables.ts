import type { PostList } from "./port.ts";
import { bigint, defineTable, descending, oneOf, type RowOf, text } from "#store/sql/table.ts";

/**
 * The lists a post belongs to: by author, sound, hashtag, tagged account, place; newest first, then by id. PostgreSQL's
 * `sort_key` is the negated publication time in Unix seconds, since its keys have no descending columns.
 */
export const POST_LISTS = defineTable("post_lists", {
  columns: { platform: text, list: oneOf<PostList>(), key: text, post_id: text },
  sqlite: {
    columns: { at: descending(bigint), record: bigint },
    key: ["platform", "list", "key", "at", "post_id"],
  },
  postgres: { columns: { sort_key: bigint }, key: ["key", "platform", "list", "sort_key", "post_id"] },
});
export type PostListRow = RowOf<typeof POST_LISTS.postgres>;
