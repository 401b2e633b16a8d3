import type { Watch } from "#domain/watch.ts";
import { bigint, defineTable, nullable, oneOf, opaque, text } from "#store/sql/table.ts";

/** What live sources are asked for again and again. */
export const WATCHES = defineTable("watches", {
  columns: {
    id: text,
    platform: text,
    kind: text,
    target: text,
    every_ms: bigint,
    state: oneOf<Watch["state"]>(opaque),
    created_at: bigint,
    next_at: bigint,
    last_at: nullable(bigint),
    last_outcome: nullable(opaque),
    runs: bigint,
  },
  key: ["id"],
  unique: ["platform", "kind", "target"],
});

/** Which process runs the watches of a source. */
export const WATCH_LEASES = defineTable("watch_leases", {
  columns: { source: text, owner: opaque, lease_until: bigint },
  key: ["source"],
});
