/** One record's counters over time. */
import { type Static, Type } from "#api/schema.ts";
import type { Nullable } from "#api/nullable.ts";
import { Integer, nullable, NullableInteger, Timestamp, wireObject } from "#api/wire.ts";
import { fromNames } from "#domain/from-names.ts";
import type { CounterPoint } from "#domain/record.ts";
import { CaptureTime, toCaptureTime } from "./capture-time.ts";
import { KnownCounters, SHOWN_COUNTERS, toKnownCounters } from "./counters.ts";

export const HistoryPoint = wireObject({ at: nullable(Timestamp), captured_at: CaptureTime, counters: KnownCounters });

type HistoryPoint = Static<typeof HistoryPoint>;

const Change = Type.Optional(wireObject({ first: Integer, last: Integer, change: Integer }));

export const CounterGrowth = wireObject({
  from: NullableInteger,
  to: NullableInteger,
  counters: wireObject(
    fromNames(SHOWN_COUNTERS, () => Change),
    { description: "For each known counter, its first and last known value and the difference." },
  ),
});

type CounterGrowth = Static<typeof CounterGrowth>;

export function toHistoryPoint({ capturedAt, counters }: CounterPoint): Nullable<HistoryPoint> {
  return {
    at: toSeconds(capturedAt),
    captured_at: toCaptureTime(capturedAt),
    counters: toKnownCounters(counters),
  };
}

/** Points must be in chronological order. */
export function toCounterGrowth(points: readonly CounterPoint[]): Nullable<CounterGrowth> {
  const counters: CounterGrowth["counters"] = {};
  for (const name of SHOWN_COUNTERS) {
    const values = points.flatMap((point) => point.counters[name] ?? []);
    const [first, last] = [values.at(0), values.at(-1)];
    if (first !== undefined && last !== undefined) counters[name] = { first, last, change: last - first };
  }
  const [oldest, latest] = [points.at(0), points.at(-1)];
  return {
    from: oldest === undefined ? null : toSeconds(oldest.capturedAt),
    to: latest === undefined ? null : toSeconds(latest.capturedAt),
    counters,
  };
}

/** Null if the time is unknown. */
function toSeconds(capturedAt: number): number | null {
  return capturedAt > 0 ? Math.floor(capturedAt / 1000) : null;
}
