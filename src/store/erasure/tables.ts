import { bigint, defineTable, nullable, text } from "#store/sql/table.ts";

/** Keyed digests of erased ids, so that later imports skip them; kind 'key' has the key: keys.ts. */
export const ERASED = defineTable("erased", {
  columns: { platform: text, kind: text, id: text, at: bigint },
  key: ["platform", "kind", "id"],
  distributedBy: "id",
});

/**
 * One row: whether bytes of deleted records may still be on disk, see purge-state.ts. In SQLite also until when a process
 * may be rewriting the file: compact.ts.
 */
export const PURGE_STATE = defineTable("purge_state", {
  columns: { deletions: bigint, pending_since: nullable(bigint) },
  firstRow: { deletions: 0 },
  sqlite: { columns: { rewriting_until: nullable(bigint) } },
});
