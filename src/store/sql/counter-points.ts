import type { Counters, PlatformName, RecordKind } from "#domain/record.ts";
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

/** Of two captures of the same instant each may show counters that the other lacks. Returns JSON. */
export function mergeCounters(stored: string | null, incoming: Counters): string {
  return JSON.stringify(stored === null ? incoming : { ...(JSON.parse(stored) as Counters), ...incoming });
}
