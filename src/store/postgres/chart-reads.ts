import type { Chart, ChartDay, ChartRank } from "#domain/chart.ts";
import type { PlatformName } from "#domain/record.ts";
import { CAPTURE_MS, isFirstOfChart, toChart, toChartRank } from "../chart-rows.ts";
import type { ChartReads } from "../sql/reader.ts";
import { chartName, parseChartName } from "./chart-name.ts";
import type { Sql } from "./sql.ts";
import type { ChartEntryRow } from "./tables.ts";

export function createChartReads(sql: Sql, platform: PlatformName): ChartReads {
  return {
    getChart: (country, section, day) => getChart(sql, platform, country, section, day),
    listChartDays: () => listChartDays(sql, platform),
    listChartRanks: (postId) => listChartRanks(sql, platform, postId),
  };
}

async function getChart(
  sql: Sql,
  platform: PlatformName,
  country: string,
  section: string,
  day: string | undefined,
): Promise<Chart | null> {
  const rows = await sql.all<ChartEntryRow>(
    `SELECT * FROM chart_entries
     WHERE chart = $1 AND day = coalesce($2, (SELECT max(day) FROM chart_entries WHERE chart = $1)) ORDER BY rank`,
    chartName(platform, country, section),
    day ?? null,
  );
  return toChart(country, section, rows);
}

async function listChartDays(sql: Sql, platform: PlatformName): Promise<ChartDay[]> {
  const rows = await sql.all<Pick<ChartEntryRow, "chart" | "day">>(
    "SELECT chart, day FROM chart_entries WHERE platform = $1 GROUP BY chart, day",
    platform,
  );
  return rows
    .map(({ chart, day }) => ({ ...parseChartName(platform, chart), day }))
    .toSorted((a, b) => compare(a.country, b.country) || compare(a.section, b.section) || compare(a.day, b.day));
}

async function listChartRanks(sql: Sql, platform: PlatformName, postId: string): Promise<ChartRank[]> {
  const rows = await sql.all<ChartEntryRow>(
    // Stored ranks may have gaps: counts the posts above. As for the chart itself, ranks that only an earlier capture of
    // the day has do not count.
    `SELECT e.chart, e.day, e.captured_at, e.source,
       1 + (SELECT count(DISTINCT o.post_id) FROM chart_entries o
            WHERE o.chart = e.chart AND o.day = e.day AND o.rank < e.rank AND o.captured_at > e.oldest) AS rank
     FROM (SELECT *, (SELECT max(o.captured_at) - ${CAPTURE_MS} FROM chart_entries o
                      WHERE o.chart = e.chart AND o.day = e.day) AS oldest
           FROM chart_entries e WHERE platform = $1 AND post_id = $2) e
     WHERE captured_at > oldest`,
    platform,
    postId,
  );
  return rows
    .map(({ chart, ...row }) => toChartRank({ ...row, ...parseChartName(platform, chart) }))
    .toSorted(
      (a, b) =>
        compare(a.day, b.day) || compare(a.country, b.country) || compare(a.section, b.section) || a.rank - b.rank,
    )
    .filter(isFirstOfChart);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
