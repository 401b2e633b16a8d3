/** The rows and columns of each table that is written in bulk. Properties are named like the columns. */
import type { PlatformName, RecordKind, SearchKind } from "#domain/record.ts";
import type { PostList } from "../reader.ts";
import type { RecordRow } from "../record-row.ts";
import type { Table } from "../sql/table.ts";
import type { VersionedRow } from "./upsert.ts";

export type NonCommentKind = Exclude<RecordKind, "comment">;

export interface RecordTableRow extends RecordRow, VersionedRow {
  platform: PlatformName;
  kind: NonCommentKind;
}

export const RECORDS: Table<RecordTableRow> = {
  name: "records",
  key: ["id", "platform", "kind"],
  columns: {
    id: "text",
    platform: "text",
    kind: "text",
    header: "json",
    native: "json",
    captured_at: "bigint",
    source: "text",
    version: "bigint",
  },
};

export interface CommentRow extends RecordRow, VersionedRow {
  post_id: string;
  platform: PlatformName;
  parent_id: string | null;
  author_id: string | null;
  at: number;
  likes: number;
}

export const COMMENTS: Table<CommentRow> = {
  name: "comments",
  key: ["post_id", "platform", "id"],
  columns: {
    post_id: "text",
    platform: "text",
    id: "text",
    parent_id: "text",
    author_id: "text",
    at: "bigint",
    likes: "bigint",
    header: "json",
    native: "json",
    captured_at: "bigint",
    source: "text",
    version: "bigint",
  },
};

export interface AccountNameRow {
  name: string;
  platform: PlatformName;
  id: string;
  captured_at: number;
}

export const ACCOUNT_NAMES: Table<AccountNameRow> = {
  name: "account_names",
  key: ["name", "platform"],
  columns: { name: "text", platform: "text", id: "text", captured_at: "bigint" },
};

export interface PostListRow {
  key: string;
  platform: PlatformName;
  list: PostList;
  /** Negated publication time in Unix seconds. */
  sort_key: number;
  post_id: string;
}

export const POST_LISTS: Table<PostListRow> = {
  name: "post_lists",
  key: ["key", "platform", "list", "sort_key", "post_id"],
  columns: { key: "text", platform: "text", list: "text", sort_key: "bigint", post_id: "text" },
};

export interface FollowRow extends VersionedRow {
  account_id: string;
  platform: PlatformName;
  follower_id: string;
  at: number;
  since: number | null;
  captured_at: number;
  source: string;
}

export const FOLLOWS: Table<FollowRow> = {
  name: "follows",
  key: ["account_id", "platform", "follower_id"],
  columns: {
    account_id: "text",
    platform: "text",
    follower_id: "text",
    at: "bigint",
    since: "bigint",
    captured_at: "bigint",
    source: "text",
    version: "bigint",
  },
};

export interface SubtitleRow extends VersionedRow {
  post_id: string;
  platform: PlatformName;
  language: string;
  automatic: boolean;
  /** JSON */
  lines: string;
  captured_at: number;
  source: string;
}

export const SUBTITLES: Table<SubtitleRow> = {
  name: "subtitles",
  key: ["post_id", "platform", "language", "automatic"],
  columns: {
    post_id: "text",
    platform: "text",
    language: "text",
    automatic: "boolean",
    lines: "json",
    captured_at: "bigint",
    source: "text",
    version: "bigint",
  },
};

export interface ChartEntryRow extends VersionedRow {
  /** See chart-name.ts. */
  chart: string;
  day: string;
  rank: number;
  platform: PlatformName;
  post_id: string;
  captured_at: number;
  source: string;
}

export const CHART_ENTRIES: Table<ChartEntryRow> = {
  name: "chart_entries",
  key: ["chart", "day", "rank"],
  columns: {
    chart: "text",
    day: "text",
    rank: "bigint",
    platform: "text",
    post_id: "text",
    captured_at: "bigint",
    source: "text",
    version: "bigint",
  },
};

export interface CounterPointRow {
  id: string;
  platform: PlatformName;
  kind: RecordKind;
  captured_at: number;
  /** JSON */
  counters: string;
}

export const COUNTER_POINTS: Table<CounterPointRow> = {
  name: "counter_points",
  key: ["id", "platform", "kind", "captured_at"],
  columns: { id: "text", platform: "text", kind: "text", captured_at: "bigint", counters: "json" },
};

export interface SearchDocRow {
  id: string;
  platform: PlatformName;
  kind: SearchKind;
  doc: number;
  sort_key: number;
  at: number;
  engagement: number;
  views: number;
  likes: number;
  author: string | null;
  language: string | null;
  country: string | null;
  title: string;
  tags: string;
  text: string;
  tokens: string;
}

export const SEARCH_DOCS: Table<SearchDocRow> = {
  name: "search_docs",
  key: ["id", "platform", "kind"],
  columns: {
    id: "text",
    platform: "text",
    kind: "text",
    doc: "bigint",
    sort_key: "bigint",
    at: "bigint",
    engagement: "double precision",
    views: "bigint",
    likes: "bigint",
    author: "text",
    language: "text",
    country: "text",
    title: "text",
    tags: "text",
    text: "text",
    tokens: "tsvector",
  },
};
