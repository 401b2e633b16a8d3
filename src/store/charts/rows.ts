import type { Chart, ChartDays, ChartRank } from "#domain/chart.ts";
import { HOUR_MS } from "#domain/time.ts";

export interface ChartRow {
  day: string;
  post_id: string;
  captured_at: number;
  source: string;
}

export interface RankRow extends Omit<ChartRow, "post_id"> {
  country: string;
  section: string;
  rank: number;
}

/** `days` in order, separated by commas. */
export interface DaysRow {
  country: string;
  section: string;
  days: string;
}

/** Rows of one capture may be some minutes apart, one page of a chart after the other. */
export const CAPTURE_MS = HOUR_MS;

/**
 * A chart from the rows of one day, in the order of their ranks; null without rows. If it was captured several times that
 * day, ranks that only an earlier capture has are left out.
 */
export function toChart(country: string, section: string, rows: readonly ChartRow[]): Chart | null {
  const newest = rows.reduce((latest, row) => Math.max(latest, row.captured_at), 0);
  const captured = rows.filter((row) => row.captured_at > newest - CAPTURE_MS);
  const [first] = captured;
  if (first === undefined) return null;
  const { day, captured_at: capturedAt, source } = first;
  return { country, section, day, postIds: [...new Set(captured.map((row) => row.post_id))], capturedAt, source };
}

export function toChartDays({ country, section, days }: DaysRow): ChartDays {
  return { country, section, days: days.split(",") };
}

export function toChartRank({ country, section, day, rank, captured_at: capturedAt, source }: RankRow): ChartRank {
  return { country, section, day, rank, capturedAt, source };
}
