/** The columns of each table; see migrations.ts. Queries select a `Pick` of them. */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { SearchDocument } from "#search/documents.ts";
import type { KnownWord, SearchPartition } from "#search/engine.ts";
import type { PostList } from "../reader.ts";
import type { RecordRow } from "../record-row.ts";

export interface RecordsRow extends RecordRow {
  number: number;
  platform: PlatformName;
  kind: Exclude<RecordKind, "comment">;
  version: number;
}

export interface RenderedRecordsRow {
  id: number;
  captured_at: number;
  digest: string;
  json: string;
}

export interface RenderedProjectionsRow {
  platform: PlatformName;
  kind: RecordKind;
  slot: number;
  name: string;
  version: number;
}

export interface PostListsRow {
  platform: PlatformName;
  list: PostList;
  key: string;
  at: number;
  post_id: string;
  record: number;
}

export interface CommentsRow extends RecordRow {
  rowid: number;
  platform: PlatformName;
  post_id: string;
  parent_id: string | null;
  author_id: string | null;
  at: number;
  likes: number;
  digest: string | null;
  rendered: string | null;
}

export interface FollowsRow {
  platform: PlatformName;
  account_id: string;
  follower_id: string;
  at: number;
  since: number | null;
  captured_at: number;
  source: string;
}

export interface SubtitlesRow {
  rowid: number;
  platform: PlatformName;
  post_id: string;
  language: string;
  automatic: 0 | 1;
  lines: string;
  captured_at: number;
  source: string;
}

export interface ChartEntriesRow {
  platform: PlatformName;
  country: string;
  section: string;
  day: string;
  rank: number;
  post_id: string;
  captured_at: number;
  source: string;
}

export interface CounterPointsRow {
  platform: PlatformName;
  kind: RecordKind;
  id: string;
  captured_at: number;
  counters: string;
}

export interface SearchPartitionsRow extends SearchPartition {
  partition: number;
}

export interface SearchDocsRow extends Omit<SearchDocument, "filterTerms" | "staticRank"> {
  sort_key: number;
  partition: number;
  id: string;
  filter_terms: string;
}

export interface SearchWordsRow extends KnownWord {
  partition: number;
}

export interface SearchStateRow {
  newest: number;
  documents_version: number;
}
