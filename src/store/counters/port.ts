import type { CounterPoint, RecordKind } from "#domain/record.ts";

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
