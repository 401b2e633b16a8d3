import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { Table } from "./table.ts";

export interface CounterPointRow {
  id: string;
  platform: PlatformName;
  kind: RecordKind;
  captured_at: number;
  /** JSON */
  counters: string;
}

export const COUNTER_POINTS: Table<CounterPointRow> = {
  name: "counter_points",
  key: ["id", "platform", "kind", "captured_at"],
  columns: { id: "text", platform: "text", kind: "text", captured_at: "bigint", counters: "json" },
};
