import type { Chart, ChartRank } from "#domain/chart.ts";

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

/** A chart from the rows of one day, in the order of their ranks; null without rows. */
export function toChart(country: string, section: string, rows: readonly ChartRow[]): Chart | null {
  const [first] = rows;
  if (first === undefined) return null;
  const { day, captured_at: capturedAt, source } = first;
  return { country, section, day, postIds: [...new Set(rows.map((row) => row.post_id))], capturedAt, source };
}

export function toChartRank({ country, section, day, rank, captured_at: capturedAt, source }: RankRow): ChartRank {
  return { country, section, day, rank, capturedAt, source };
}

/** For a filter of ranks in order: a chart may list a post twice, and the better rank counts. */
export function isFirstOfChart(one: ChartRank, index: number, ranks: readonly ChartRank[]): boolean {
  const before = ranks[index - 1];
  return before?.day !== one.day || before.country !== one.country || before.section !== one.section;
}
