import { MAX_STORED_PROJECTIONS } from "#domain/projection.ts";
import { bigint, defineTable, opaque, text } from "#store/sql/table.ts";

/** Pre-rendered JSON of a record, a row per projection: its id is made of the record's number and the projection's slot. */
export const RENDERED_RECORDS = defineTable("rendered_records", {
  only: "sqlite",
  columns: { id: bigint, captured_at: bigint, digest: opaque, json: opaque },
  key: ["id"],
  sqlite: {
    after: [
      `CREATE TRIGGER record_deleted AFTER DELETE ON records BEGIN
         DELETE FROM rendered_records
         WHERE id >= old.number * ${MAX_STORED_PROJECTIONS} AND id < old.number * ${MAX_STORED_PROJECTIONS} + ${MAX_STORED_PROJECTIONS};
       END`,
    ],
  },
});

/** The projections that `rendered_records` and comments were rendered by. */
export const RENDERED_PROJECTIONS = defineTable("rendered_projections", {
  only: "sqlite",
  columns: { platform: text, kind: text, slot: bigint, name: text, version: bigint },
  key: ["platform", "kind", "slot"],
});
