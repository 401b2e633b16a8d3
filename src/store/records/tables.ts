import type { JsonText } from "#domain/json-text.ts";
import type { Header } from "#domain/records.ts";
import type { NonCommentKind } from "#store/write/record-row.ts";
import { bigint, defineTable, json, oneOf, type RowOf, text } from "#store/sql/table.ts";

/**
 * Accounts, posts, sounds, hashtags, places. The header holds what we query, native what the platform sent; both are JSON
 * text that the engine never parses.
 */
export const RECORDS = defineTable("records", {
  columns: {
    platform: text,
    kind: oneOf<NonCommentKind>(),
    id: text,
    header: oneOf<JsonText<Header<NonCommentKind>>>(json),
    native: oneOf<JsonText<object>>(json),
    captured_at: bigint,
    source: text,
    version: bigint,
  },
  key: ["platform", "kind", "id"],
  distributedBy: "id",
  // Captures of a source by time: for counts, and for deletions by source and age.
  indexes: { by_source: "(platform, kind, source, captured_at)" },
  // The number never changes and is also the rowid, so post_lists.record refers to it.
  sqlite: { columns: { number: bigint }, key: ["number"], unique: ["platform", "kind", "id"] },
  postgres: { withoutStatistics: ["header", "native"] },
});
export type RecordTableRow = RowOf<typeof RECORDS.postgres>;

/**
 * Folded names of all accounts, with the capture time of the account. Several may have one name, since captures are of
 * different times: it belongs to the one captured last.
 */
export const ACCOUNT_NAMES = defineTable("account_names", {
  columns: { platform: text, name: text, id: text, captured_at: bigint },
  key: ["platform", "name", "id"],
  distributedBy: "name",
});
