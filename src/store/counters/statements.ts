import { exactHistory, type StoredPoint, withExactCounts } from "#domain/approximate.ts";
import { type JsonText, parseJsonText } from "#domain/json-text.ts";
import type { CounterPoint, Counters, PlatformName } from "#domain/record.ts";
import { type Image, UNCHANGED } from "#store/undo/port.ts";
import type { Sql } from "#store/sql/sql.ts";
import type { CounterPeriod, CounterReader } from "./port.ts";

const WHOLE_HISTORY: CounterPeriod = {
  since: Number.MIN_SAFE_INTEGER,
  until: Number.MAX_SAFE_INTEGER,
  limit: Number.MAX_SAFE_INTEGER,
};

export function createCounterReads(sql: Sql, platform: PlatformName): CounterReader {
  return {
    async listCounters(kind, id, period) {
      const { since, until, limit } = { ...WHOLE_HISTORY, ...period };
      // Whether a point repeats the one before it, or rounds another, is told by points of any age.
      const captured = await sql.all<StoredPoint>(
        `SELECT captured_at AS "capturedAt", counters FROM counter_points
         WHERE id = $1 AND platform = $2 AND kind = $3 ORDER BY captured_at`,
        id,
        platform,
        kind,
      );
      return exactHistory(platform, captured)
        .filter(({ capturedAt }) => capturedAt >= since && capturedAt < until)
        .slice(-limit);
    },
  };
}

export interface PointChange {
  /** What was stored at the time. */
  image: Image;
  /** JSON; null if it is already stored. */
  counters: string | null;
}

/**
 * What a capture changes in the history, given the stored counters of its instant: of two captures of the same instant each
 * may show counters that the other lacks or rounds. All captures are stored as they were, in whatever order they come;
 * `exactHistory` chooses among rounded counts and leaves repeated ones out when they are read.
 */
export function addPoint(
  platform: PlatformName,
  storedCounters: JsonText<Counters> | undefined,
  { counters }: CounterPoint,
): PointChange {
  if (storedCounters === undefined) return { image: null, counters: JSON.stringify(counters) };
  const stored = parseJsonText(storedCounters);
  const merged = JSON.stringify({ ...stored, ...withExactCounts(platform, counters, stored) });
  if (merged === storedCounters) return { image: UNCHANGED, counters: null };
  return { image: storedCounters, counters: merged };
}
