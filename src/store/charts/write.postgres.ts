/** Chart entries as this engine has them: country and section are one column, by which tables are distributed. */
import type { ChartEntry } from "#domain/chart.ts";
import type { ChartEntryRow } from "./tables.ts";
import type { Relation } from "#store/write/relation.ts";
import { chartName, parseChartName } from "./name.postgres.ts";
import { CHART_ROWS, type RankedPost } from "./relation.ts";

export const NAMED_CHART_ROWS: Relation<ChartEntry, RankedPost, Omit<ChartEntryRow, "version">> = {
  ...CHART_ROWS,
  toRow(platform, entry) {
    const { country, section, ...row } = CHART_ROWS.toRow(platform, entry);
    return { ...row, chart: chartName(platform, country, section) };
  },
  keyOf({ platform, chart, day, rank }) {
    const { country, section } = parseChartName(platform, chart);
    return [country, section, day, rank];
  },
};
