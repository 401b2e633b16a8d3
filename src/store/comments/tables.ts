import type { JsonText } from "#domain/json-text.ts";
import type { Header } from "#domain/records.ts";
import { bigint, defineTable, json, nullable, oneOf, opaque, type RowOf, rowVersion, text } from "#store/sql/table.ts";

export const COMMENTS = defineTable("comments", {
  columns: {
    platform: text,
    post_id: text,
    id: text,
    parent_id: nullable(text),
    author_id: nullable(text),
    at: bigint,
    likes: bigint,
    header: oneOf<JsonText<Header<"comment">>>(json),
    native: oneOf<JsonText<object>>(json),
    captured_at: bigint,
    source: text,
  },
  key: ["platform", "post_id", "id"],
  distributedBy: "post_id",
  indexes: {
    newest: {
      sqlite: "(platform, post_id, at DESC, id) WHERE parent_id IS NULL",
      postgres: "(post_id, platform, at DESC, id) WHERE parent_id IS NULL",
    },
    top: {
      sqlite: "(platform, post_id, likes DESC, at DESC, id) WHERE parent_id IS NULL",
      postgres: "(post_id, platform, likes DESC, at DESC, id) WHERE parent_id IS NULL",
    },
    // The replies to a comment, in the order of a conversation.
    replies: {
      sqlite: "(platform, post_id, parent_id, at, id) WHERE parent_id IS NOT NULL",
      postgres: "(post_id, platform, parent_id, at, id) WHERE parent_id IS NOT NULL",
    },
    by_source: "(platform, source, captured_at)",
    // Comments by accounts known by name only (ids that begin with @); they move when the real id becomes known.
    provisional: {
      sqlite: "(platform, author_id) WHERE author_id >= '@' AND author_id < 'A'",
      postgres: "(author_id, platform) WHERE author_id >= '@' AND author_id < 'A'",
    },
  },
  // Comments are short: their rendered JSON is a column.
  sqlite: { columns: { digest: nullable(opaque), rendered: nullable(opaque) }, hasRowid: true },
  postgres: { columns: { version: rowVersion }, withoutStatistics: ["header", "native"] },
});
export type CommentRow = RowOf<typeof COMMENTS.postgres>;
