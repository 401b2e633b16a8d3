import { withExactCounts } from "#domain/approximate.ts";
import type { CounterPoint, Counters, PlatformName, RecordKind } from "#domain/record.ts";
import { type Image, omittedPoint } from "../job-touches.ts";
import type { SqlSteps, Steps } from "./sql.ts";
import { bigint, defineTable, json, oneOf, type RowOf, text } from "./table.ts";

export const COUNTER_POINTS = defineTable("counter_points", ["id", "platform", "kind", "captured_at"], {
  id: text,
  platform: text,
  kind: oneOf<RecordKind>(),
  captured_at: bigint,
  counters: json,
});
export type CounterPointRow = RowOf<typeof COUNTER_POINTS>;

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

export interface PointChange {
  /** What was stored at the time. */
  image: Image;
  /** JSON; null if the point is not written, since the counters before it are the same. */
  counters: string | null;
}

/**
 * What a captured point changes in the history, given the latest one until then. Points are stored as they were captured:
 * `exactHistory` chooses among rounded counts when they are read. Of two captures of the same instant each may show
 * counters that the other lacks or rounds.
 */
export function addPoint(
  platform: PlatformName,
  latest: Pick<CounterPointRow, "captured_at" | "counters"> | undefined,
  { capturedAt, counters }: CounterPoint,
): PointChange {
  if (latest === undefined) return { image: null, counters: JSON.stringify(counters) };
  const isSameTime = latest.captured_at === capturedAt;
  const stored = isSameTime ? (JSON.parse(latest.counters) as Counters) : {};
  const merged = JSON.stringify({ ...stored, ...withExactCounts(platform, counters, stored) });
  if (latest.counters === merged) return { image: omittedPoint(latest.captured_at, merged), counters: null };
  return { image: isSameTime ? latest.counters : null, counters: merged };
}
