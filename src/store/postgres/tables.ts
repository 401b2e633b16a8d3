/** The columns of each table that is written in bulk, and its rows, whose properties are named like the columns. */
import type { SearchKind } from "#domain/record.ts";
import type { PostList } from "#store/lists/port.ts";
import type { NonCommentKind } from "#store/write/record-row.ts";
import {
  bigint,
  boolean,
  defineTable,
  double,
  json,
  nullableBigint,
  nullableText,
  oneOf,
  type RowOf,
  text,
  tsvector,
} from "../sql/table.ts";

const CAPTURE = { captured_at: bigint, source: text };
/** Incremented by every transaction that changes the row or what belongs to it. */
const VERSION = { version: bigint };
const RECORD = { id: text, header: json, native: json, ...CAPTURE, ...VERSION };

export const RECORDS = defineTable("records", ["id", "platform", "kind"], {
  ...RECORD,
  platform: text,
  kind: oneOf<NonCommentKind>(),
});
export type RecordTableRow = RowOf<typeof RECORDS>;

export const COMMENTS = defineTable("comments", ["post_id", "platform", "id"], {
  ...RECORD,
  post_id: text,
  platform: text,
  parent_id: nullableText,
  author_id: nullableText,
  at: bigint,
  likes: bigint,
});
export type CommentRow = RowOf<typeof COMMENTS>;

export const ACCOUNT_NAMES = defineTable("account_names", ["name", "platform", "id"], {
  name: text,
  platform: text,
  id: text,
  captured_at: bigint,
});

/** `sort_key` is the negated publication time in Unix seconds. */
export const POST_LISTS = defineTable("post_lists", ["key", "platform", "list", "sort_key", "post_id"], {
  key: text,
  platform: text,
  list: oneOf<PostList>(),
  sort_key: bigint,
  post_id: text,
});
export type PostListRow = RowOf<typeof POST_LISTS>;

export const FOLLOWS = defineTable("follows", ["account_id", "platform", "follower_id"], {
  account_id: text,
  platform: text,
  follower_id: text,
  at: bigint,
  since: nullableBigint,
  ...CAPTURE,
  ...VERSION,
});
export type FollowRow = RowOf<typeof FOLLOWS>;

export const SUBTITLES = defineTable("subtitles", ["post_id", "platform", "language", "automatic"], {
  post_id: text,
  platform: text,
  language: text,
  automatic: boolean,
  lines: json,
  ...CAPTURE,
  ...VERSION,
});
export type SubtitleRow = RowOf<typeof SUBTITLES>;

/** For `chart` see chart-name.ts. */
export const CHART_ENTRIES = defineTable("chart_entries", ["chart", "day", "rank"], {
  chart: text,
  day: text,
  rank: bigint,
  platform: text,
  post_id: text,
  ...CAPTURE,
  ...VERSION,
});
export type ChartEntryRow = RowOf<typeof CHART_ENTRIES>;

export const SEARCH_DOCS = defineTable("search_docs", ["id", "platform", "kind"], {
  id: text,
  platform: text,
  kind: oneOf<SearchKind>(),
  doc: bigint,
  sort_key: bigint,
  at: bigint,
  engagement: double,
  views: bigint,
  likes: bigint,
  author: nullableText,
  language: nullableText,
  country: nullableText,
  title: text,
  tags: text,
  text,
  tokens: tsvector,
});
export type SearchDocRow = RowOf<typeof SEARCH_DOCS>;
