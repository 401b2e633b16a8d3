import type { JsonText } from "#domain/json-text.ts";
import type { Counters, RecordKind } from "#domain/record.ts";
import { bigint, defineTable, json, oneOf, type RowOf, text } from "#store/sql/table.ts";

/** The history of counters: one row per capture. */
export const COUNTER_POINTS = defineTable("counter_points", {
  columns: {
    platform: text,
    kind: oneOf<RecordKind>(),
    id: text,
    captured_at: bigint,
    counters: oneOf<JsonText<Counters>>(json),
  },
  key: ["platform", "kind", "id", "captured_at"],
  distributedBy: "id",
  indexes: { by_time: { sqlite: "(platform, kind, captured_at)", postgres: "(captured_at) WHERE kind = 'post'" } },
  postgres: { withoutStatistics: ["counters"] },
});
export type CounterPointRow = RowOf<typeof COUNTER_POINTS>;
