import type { Chart } from "#domain/chart.ts";

interface ChartRow {
  day: string;
  post_id: string;
  captured_at: number;
  source: string;
}

/** A chart from the rows of its latest day, in the order of their ranks; null without rows. */
export function toChart(country: string, section: string, rows: readonly ChartRow[]): Chart | null {
  const [first] = rows;
  if (first === undefined) return null;
  const { day, captured_at: capturedAt, source } = first;
  return { country, section, day, postIds: [...new Set(rows.map((row) => row.post_id))], capturedAt, source };
}
