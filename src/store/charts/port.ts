import type { Chart, ChartDays, ChartFilter, ChartRank } from "#domain/chart.ts";

export interface ChartReader {
  /** A chart's latest day, or the day given. */
  getChart(country: string, section: string, day?: string): Promise<Chart | null>;
  /** The stored charts by country and section. */
  listCharts(filter: ChartFilter): Promise<ChartDays[]>;
  /** A post's ranks in the newest charts that have it, at most `limit`, by day, country and section. */
  listChartRanks(postId: string, filter: ChartFilter, limit: number): Promise<ChartRank[]>;
}
