import { isRounded } from "#domain/approximate.ts";
import type { CounterName, CounterPoint, Counters, PlatformName, RecordKind } from "#domain/record.ts";
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

/**
 * The counters of a point, given the latest one until then. A count that is the one before rounded is no change. Of two
 * captures of the same instant each may show counters that the other lacks. Returns JSON.
 */
export function countersAfter(
  platform: PlatformName,
  before: Pick<CounterPointRow, "captured_at" | "counters"> | undefined,
  { capturedAt, counters }: CounterPoint,
): string {
  if (before === undefined) return JSON.stringify(counters);
  const stored = JSON.parse(before.counters) as Counters;
  const merged = before.captured_at === capturedAt ? { ...stored, ...counters } : { ...counters };
  for (const name of Object.keys(counters) as CounterName[]) {
    const exact = stored[name];
    if (exact !== undefined && isRounded(platform, counters[name], exact)) merged[name] = exact;
  }
  return JSON.stringify(merged);
}
