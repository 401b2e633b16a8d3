/** Adds points to the history, one row per statement. */
import type { PlatformName } from "#domain/record.ts";
import type { RecordHistory } from "#store/write/port.ts";
import type { WriteState } from "#store/write/state.sqlite.ts";
import { addPoint } from "./statements.ts";
import type { CounterPointRow } from "./tables.ts";

const GET_POINT = "SELECT counters FROM counter_points WHERE platform = ? AND kind = ? AND id = ? AND captured_at = ?";
const WRITE_POINT =
  "INSERT OR REPLACE INTO counter_points (platform, kind, id, captured_at, counters) VALUES (?, ?, ?, ?, ?)";

export function createCounterRows(state: WriteState) {
  const { db } = state;
  return {
    write(platform: PlatformName, { kind, id, points }: RecordHistory): void {
      for (const point of points) {
        if (Object.keys(point.counters).length === 0) continue;
        const { capturedAt } = point;
        const stored = db.get<Pick<CounterPointRow, "counters">>(GET_POINT, platform, kind, id, capturedAt);
        const { image, counters } = addPoint(platform, stored?.counters, point);
        state.touches?.addPoint(platform, kind, id, capturedAt, image);
        if (counters === null) continue;
        if (kind === "post") state.hasChangedPosts = true;
        db.run(WRITE_POINT, platform, kind, id, capturedAt, counters);
      }
    },
  };
}
