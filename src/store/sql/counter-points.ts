import { mayBeRounded, withExactCounts } from "#domain/approximate.ts";
import type { CounterPoint, Counters, PlatformName, RecordKind } from "#domain/record.ts";
import { type Image, omittedPoint } from "../job-touches.ts";
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

type StoredPoint = Pick<CounterPointRow, "captured_at" | "counters">;

/** The stored points of one record. */
export interface StoredPoints {
  /** The latest until a time, inclusive. */
  until(time: number): StoredPoint | undefined;
  /** The first after a time. */
  after(time: number): StoredPoint | undefined;
}

export interface PointChange {
  capturedAt: number;
  /** What was stored at the time. */
  image: Image;
  /** JSON; null if the point is not written, since the counters before it are the same. */
  counters: string | null;
}

/**
 * What a captured point changes in the history. Of two captures of the same instant each may show counters that the other
 * lacks. A count that is the one beside it rounded is no change: the rounded one becomes exact, whichever came first.
 */
export function addPoint(platform: PlatformName, points: StoredPoints, captured: CounterPoint): PointChange[] {
  const { capturedAt } = captured;
  const latest = points.until(capturedAt);
  const isSameTime = latest?.captured_at === capturedAt;
  let counters = isSameTime ? { ...parseCounters(latest), ...captured.counters } : captured.counters;
  const isBesideRounded = mayBeRounded(platform, counters);
  if (isBesideRounded) {
    for (const beside of [latest, points.until(capturedAt - 1), points.after(capturedAt)]) {
      counters = withExactCounts(platform, counters, parseCounters(beside));
    }
  }
  const text = JSON.stringify(counters);
  if (latest?.counters === text) {
    return [{ capturedAt, image: omittedPoint(latest.captured_at, text), counters: null }];
  }
  const added = { capturedAt, image: isSameTime ? latest.counters : null, counters: text };
  if (!isBesideRounded) return [added];
  return [
    added,
    ...listRounded(platform, added, (time) => points.until(time - 1)),
    ...listRounded(platform, added, (time) => points.after(time)),
  ];
}

/** The points beside one, in one direction, that have its counts rounded. */
function listRounded(
  platform: PlatformName,
  { capturedAt, counters }: { capturedAt: number; counters: string },
  pointBeside: (time: number) => StoredPoint | undefined,
): PointChange[] {
  const changes: PointChange[] = [];
  let exact = JSON.parse(counters) as Counters;
  for (let beside = pointBeside(capturedAt); beside !== undefined; beside = pointBeside(beside.captured_at)) {
    const text = exactCountersOf(platform, beside, exact);
    if (text === beside.counters) break;
    exact = JSON.parse(text) as Counters;
    changes.push({ capturedAt: beside.captured_at, image: beside.counters, counters: text });
  }
  return changes;
}

/** The point's counters, with those exact that are the given ones rounded. Returns JSON. */
export function exactCountersOf(platform: PlatformName, point: StoredPoint, exact: Counters): string {
  return JSON.stringify(withExactCounts(platform, parseCounters(point), exact));
}

function parseCounters(point: StoredPoint | undefined): Counters {
  return point === undefined ? {} : (JSON.parse(point.counters) as Counters);
}
