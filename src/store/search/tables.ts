/**
 * Full-text search: one document per record, comment and subtitle track. `sort_key` orders by static rank, best first, then
 * by doc. Tokens come from src/search and are prefixed with the partition (platform and kind), so that a search never reads
 * the postings of another one.
 */
import type { SearchKind } from "#domain/record.ts";
import {
  bigint,
  defineTable,
  double,
  nullable,
  oneOf,
  opaque,
  references,
  type RowOf,
  text,
  tsvector,
} from "#store/sql/table.ts";

/** SQLite's rows refer to a partition by its number. */
const PARTITION = { partition: references(bigint, "search_partitions (partition)") };
const KIND = oneOf<SearchKind>();

export const SEARCH_PARTITIONS = defineTable("search_partitions", {
  columns: { platform: text, kind: KIND, partition: bigint },
  sqlite: { key: ["partition"], unique: ["platform", "kind"] },
  postgres: { key: ["platform", "kind"], unique: ["partition"] },
});

export const SEARCH_DOCS = defineTable("search_docs", {
  columns: {
    id: text,
    sort_key: bigint,
    at: bigint,
    engagement: double,
    views: bigint,
    likes: bigint,
    author: nullable(text),
    language: nullable(text),
    country: nullable(text),
    title: text,
    tags: text,
    text,
  },
  indexes: { by_token: { postgres: "USING gin (tokens)" }, by_rank: { postgres: "(platform, kind, sort_key)" } },
  sqlite: {
    columns: { ...PARTITION, filter_terms: text },
    key: ["sort_key"],
    unique: ["partition", "id"],
    after: [
      `CREATE VIRTUAL TABLE search_index USING fts5 (
         title, tags, text, filter_terms, content = '', columnsize = 0, tokenize = "ascii tokenchars '#@_.:='"
       )`,
      // Deletes a document's tokens from the index immediately, so that erased words leave no bytes behind.
      "INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1)",
      // Large enough to hold a batch, which then makes one segment and leaves fewer to merge.
      "INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 8388608)",
    ],
  },
  postgres: {
    columns: { platform: text, kind: KIND, doc: bigint, tokens: tsvector },
    key: ["id", "platform", "kind"],
    withoutStatistics: ["title", "tags", "text"],
    // A sequence, which no writer holds until it commits.
    after: ["CREATE SEQUENCE search_doc_numbers"],
  },
});
export type SearchDocRow = RowOf<typeof SEARCH_DOCS.postgres>;

/**
 * Document frequency of each word, for prefix search and typo correction. Words are read by ranges within a partition: from
 * their start, and compounds from their end (see word-endings.ts), which SQLite keeps in `reversed`.
 */
export const SEARCH_WORDS = defineTable("search_words", {
  columns: { word: text, docs: bigint },
  indexes: {
    by_end: {
      sqlite: "(partition, reversed) WHERE reversed IS NOT NULL",
      postgres: "(platform, kind, reverse(word)) WHERE length(word) >= 7",
    },
  },
  sqlite: { columns: { ...PARTITION, reversed: nullable(text) }, key: ["partition", "word"] },
  postgres: { columns: { platform: text, kind: KIND }, key: ["platform", "kind", "word"], fillfactor: 60 },
});

/** `newest` is the last document added; `documents_version` tells when the index must be rebuilt. */
export const SEARCH_STATE = defineTable("search_state", {
  only: "sqlite",
  columns: { newest: bigint, documents_version: bigint },
  firstRow: { newest: 0, documents_version: 0 },
});

/**
 * Word counts of long imports that are not in `search_words` yet: one row per transaction and partition, with words and docs
 * as space-separated lists of equal length.
 */
export const SEARCH_PENDING = defineTable("search_pending", {
  only: "postgres",
  columns: { platform: text, kind: KIND, size: bigint, words: opaque, docs: opaque },
});
