import type { RetentionKind } from "#domain/retention.ts";
import { bigint, defineTable, nullable, oneOf, text } from "#store/sql/table.ts";

/**
 * How many days records are kept, by source and kind; an empty text stands for all, no number for ever. See
 * src/privacy/retention.ts.
 */
export const RETENTION = defineTable("retention", {
  columns: { source: text, kind: oneOf<RetentionKind | "">(), days: nullable(bigint) },
  key: ["source", "kind"],
});
