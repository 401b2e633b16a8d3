/** The columns of each table that is written in bulk, and its rows, whose properties are named like the columns. */
import type { SearchKind } from "#domain/record.ts";
import type { PostList } from "../reader.ts";
import type { NonCommentKind } from "../record-row.ts";
import type { Column, RowOf, Table } from "../sql/table.ts";

const text: Column<string> = "text";
const nullableText: Column<string | null> = "text";
const json: Column<string> = "json";
const bigint: Column<number> = "bigint";
const oneOf = <Value extends string>(): Column<Value> => "text";

const CAPTURE = { captured_at: bigint, source: text };
/** Incremented by every transaction that changes the row or what belongs to it. */
const VERSION = { version: bigint };
const RECORD = { id: text, header: json, native: json, ...CAPTURE, ...VERSION };

const RECORD_COLUMNS = { ...RECORD, platform: text, kind: oneOf<NonCommentKind>() };
export type RecordTableRow = RowOf<typeof RECORD_COLUMNS>;
export const RECORDS: Table<RecordTableRow> = {
  name: "records",
  key: ["id", "platform", "kind"],
  columns: RECORD_COLUMNS,
};

const COMMENT_COLUMNS = {
  ...RECORD,
  post_id: text,
  platform: text,
  parent_id: nullableText,
  author_id: nullableText,
  at: bigint,
  likes: bigint,
};
export type CommentRow = RowOf<typeof COMMENT_COLUMNS>;
export const COMMENTS: Table<CommentRow> = {
  name: "comments",
  key: ["post_id", "platform", "id"],
  columns: COMMENT_COLUMNS,
};

const NAME_COLUMNS = { name: text, platform: text, id: text, captured_at: bigint };
export type AccountNameRow = RowOf<typeof NAME_COLUMNS>;
export const ACCOUNT_NAMES: Table<AccountNameRow> = {
  name: "account_names",
  key: ["name", "platform", "id"],
  columns: NAME_COLUMNS,
};

/** `sort_key` is the negated publication time in Unix seconds. */
const LIST_COLUMNS = { key: text, platform: text, list: oneOf<PostList>(), sort_key: bigint, post_id: text };
export type PostListRow = RowOf<typeof LIST_COLUMNS>;
export const POST_LISTS: Table<PostListRow> = {
  name: "post_lists",
  key: ["key", "platform", "list", "sort_key", "post_id"],
  columns: LIST_COLUMNS,
};

const FOLLOW_COLUMNS = {
  account_id: text,
  platform: text,
  follower_id: text,
  at: bigint,
  since: "bigint" as Column<number | null>,
  ...CAPTURE,
  ...VERSION,
};
export type FollowRow = RowOf<typeof FOLLOW_COLUMNS>;
export const FOLLOWS: Table<FollowRow> = {
  name: "follows",
  key: ["account_id", "platform", "follower_id"],
  columns: FOLLOW_COLUMNS,
};

const SUBTITLE_COLUMNS = {
  post_id: text,
  platform: text,
  language: text,
  automatic: "boolean" as Column<boolean>,
  lines: json,
  ...CAPTURE,
  ...VERSION,
};
export type SubtitleRow = RowOf<typeof SUBTITLE_COLUMNS>;
export const SUBTITLES: Table<SubtitleRow> = {
  name: "subtitles",
  key: ["post_id", "platform", "language", "automatic"],
  columns: SUBTITLE_COLUMNS,
};

/** For `chart` see chart-name.ts. */
const CHART_COLUMNS = {
  chart: text,
  day: text,
  rank: bigint,
  platform: text,
  post_id: text,
  ...CAPTURE,
  ...VERSION,
};
export type ChartEntryRow = RowOf<typeof CHART_COLUMNS>;
export const CHART_ENTRIES: Table<ChartEntryRow> = {
  name: "chart_entries",
  key: ["chart", "day", "rank"],
  columns: CHART_COLUMNS,
};

const DOC_COLUMNS = {
  id: text,
  platform: text,
  kind: oneOf<SearchKind>(),
  doc: bigint,
  sort_key: bigint,
  at: bigint,
  engagement: "double precision" as Column<number>,
  views: bigint,
  likes: bigint,
  author: nullableText,
  language: nullableText,
  country: nullableText,
  title: text,
  tags: text,
  text,
  tokens: "tsvector" as Column<string>,
};
export type SearchDocRow = RowOf<typeof DOC_COLUMNS>;
export const SEARCH_DOCS: Table<SearchDocRow> = {
  name: "search_docs",
  key: ["id", "platform", "kind"],
  columns: DOC_COLUMNS,
};
