import { exactHistory } from "#domain/approximate.ts";
import type { PlatformName } from "#domain/record.ts";
import type { TableRow } from "#store/copy/port.ts";

type PointRow = [platform: PlatformName, kind: string, id: string, capturedAt: number, counters: string];

/** The rows of `counter_points` as the history shows them. Those of a record follow each other, oldest first. */
export async function* exactPoints(batches: AsyncIterable<TableRow[]>): AsyncGenerator<TableRow[]> {
  let last: TableRow[] = [];
  for await (const batch of batches) {
    const rows = [...last, ...batch];
    const key = keyOf(rows.at(-1));
    // There may be more points of the last record in the next batch.
    last = rows.splice(rows.findLastIndex((row) => keyOf(row) !== key) + 1);
    yield toExact(rows);
  }
  yield toExact(last);
}

function keyOf(row: TableRow = []): string {
  return JSON.stringify(row.slice(0, 3));
}

function toExact(rows: readonly TableRow[]): TableRow[] {
  return [...Map.groupBy(rows as PointRow[], keyOf).values()].flatMap((points) => {
    const [platform, kind, id] = points[0] as PointRow;
    const captured = points.map(([, , , capturedAt, counters]) => ({ capturedAt, counters }));
    return exactHistory(platform, captured).map(({ capturedAt, counters }): TableRow => [
      platform,
      kind,
      id,
      capturedAt,
      JSON.stringify(counters),
    ]);
  });
}
