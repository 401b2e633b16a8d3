import type { RecordKind } from "#domain/record.ts";
import { bigint, defineTable, json, oneOf, type RowOf, text } from "#store/sql/table.ts";

export const COUNTER_POINTS = defineTable("counter_points", ["id", "platform", "kind", "captured_at"], {
  id: text,
  platform: text,
  kind: oneOf<RecordKind>(),
  captured_at: bigint,
  counters: json,
});
export type CounterPointRow = RowOf<typeof COUNTER_POINTS>;
