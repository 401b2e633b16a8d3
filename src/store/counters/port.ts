import type { CounterPoint, RecordKind } from "#domain/record.ts";
import type { SqlSteps, Steps } from "#store/sql/sql.ts";
import type { CounterPointRow } from "./tables.ts";

/** Unix milliseconds. */
export interface CounterPeriod {
  since: number;
  /** Exclusive. */
  until: number;
  limit: number;
}

export interface CounterReader {
  /** Captured counters of a period, oldest first; if there are more than the limit, the newest. */
  listCounters(kind: RecordKind, id: string, period?: Partial<CounterPeriod>): Promise<CounterPoint[]>;
}

/** The stored counters by capture time, oldest first. */
export function* readPoints(
  sql: SqlSteps,
  { platform, kind, id }: Pick<CounterPointRow, "platform" | "kind" | "id">,
): Steps<Map<number, string>> {
  const rows = yield* sql.all<Pick<CounterPointRow, "captured_at" | "counters">>(
    `SELECT captured_at, counters FROM counter_points WHERE id = $1 AND platform = $2 AND kind = $3 ORDER BY captured_at`,
    id,
    platform,
    kind,
  );
  return new Map(rows.map(({ captured_at, counters }) => [captured_at, counters]));
}
