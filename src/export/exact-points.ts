import { exactHistory } from "#domain/approximate.ts";
import { groupsBy } from "#domain/groups.ts";
import type { Rows } from "#store/copy/port.ts";

type PointRow = Rows["counter_points"];

/** The rows of `counter_points` as the history shows them. Those of a record follow each other, oldest first. */
export async function* exactPoints(batches: AsyncIterable<PointRow[]>): AsyncGenerator<PointRow[]> {
  let last: PointRow[] = [];
  for await (const batch of batches) {
    const rows = [...last, ...batch];
    const key = keyOf(rows.at(-1));
    // There may be more points of the last record in the next batch.
    last = rows.splice(rows.findLastIndex((row) => keyOf(row) !== key) + 1);
    yield toExact(rows);
  }
  yield toExact(last);
}

function keyOf(row?: PointRow): string {
  return JSON.stringify(row?.slice(0, 3) ?? []);
}

function toExact(rows: readonly PointRow[]): PointRow[] {
  return groupsBy(rows, keyOf).flatMap((points) => {
    const [[platform, kind, id]] = points;
    const captured = points.map(([, , , capturedAt, counters]) => ({ capturedAt, counters }));
    return exactHistory(platform, captured).map(({ capturedAt, counters }): PointRow => [
      platform,
      kind,
      id,
      capturedAt,
      JSON.stringify(counters),
    ]);
  });
}
