/** Tables of the engine itself. */
import { bigint, boolean, defineTable, opaque, text, timestamptz, withDefault } from "../sql/table.ts";

/** One row: the version of the schema. SQLite has it in the header of its file. */
export const TRIPTYCH_STORE = defineTable("triptych_store", { only: "postgres", columns: { version: bigint } });

/** Settings that all nodes must share, such as the fingerprint of the token pepper. */
export const SHARED_SETTINGS = defineTable("shared_settings", {
  only: "postgres",
  columns: { name: text, value: opaque },
  key: ["name"],
});

/** Whether the last transactions of writers were committed, for a writer that lost its connection during COMMIT. */
export const WRITE_OUTCOMES = defineTable("write_outcomes", {
  only: "postgres",
  columns: { id: text, is_committed: boolean, at: withDefault(timestamptz, "now()") },
  key: ["id"],
});
