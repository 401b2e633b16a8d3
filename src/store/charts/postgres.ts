import { compareText } from "#domain/compare-text.ts";
import type { PlatformName } from "#domain/record.ts";
import { CAPTURE_MS, toChart, toChartDays, toChartRank } from "./rows.ts";
import type { ChartReader } from "./port.ts";
import { chartName, parseChartName } from "./name.postgres.ts";
import type { Sql } from "#store/postgres/sql.ts";
import type { ChartEntryRow } from "./tables.ts";
import type { KeyColumns } from "#store/write/unit.ts";

/** Platform, country and section of a chart are one column. */
export const CHART_COLUMNS: KeyColumns = {
  names: "chart, day, rank",
  toKey: ({ platform, country, section, ...key }) => ({
    chart: chartName(String(platform), String(country), String(section)),
    ...key,
  }),
  fromKey: (platform, { chart, ...key }) => ({ ...parseChartName(platform, String(chart)), ...key }),
};

export function createChartReads(sql: Sql, platform: PlatformName): ChartReader {
  /** How the names of its charts begin. */
  const prefixOf = (country: string | undefined) => (country === undefined ? "" : chartName(platform, country, ""));
  return {
    async getChart(country, section, day) {
      const rows = await sql.all<ChartEntryRow>(
        `SELECT * FROM chart_entries
         WHERE chart = $1 AND day = coalesce($2, (SELECT max(day) FROM chart_entries WHERE chart = $1)) ORDER BY rank`,
        chartName(platform, country, section),
        day ?? null,
      );
      return toChart(country, section, rows);
    },
    async listCharts({ country, section, until }) {
      const rows = await sql.all<{ chart: string; days: string }>(
        `SELECT chart, string_agg(day, ',' ORDER BY day) AS days
         FROM (SELECT DISTINCT chart, day FROM chart_entries WHERE platform = $1 AND starts_with(chart, $2) AND day <= coalesce($3, day)) d GROUP BY chart`,
        platform,
        prefixOf(country),
        until ?? null,
      );
      return rows
        .map(({ chart, days }) => toChartDays({ ...parseChartName(platform, chart), days }))
        .filter((chart) => section === undefined || chart.section === section)
        .toSorted((a, b) => compareText(a.country, b.country) || compareText(a.section, b.section));
    },
    async listChartRanks(postId, { country, section, until }, limit) {
      const rows = await sql.all<ChartEntryRow>(
        LIST_RANKS,
        platform,
        postId,
        prefixOf(country),
        section ?? null,
        limit,
        until ?? null,
      );
      return rows
        .map(({ chart, ...row }) => toChartRank({ ...row, ...parseChartName(platform, chart) }))
        .toSorted(
          (a, b) => compareText(a.day, b.day) || compareText(a.country, b.country) || compareText(a.section, b.section),
        );
    },
  };
}

const ABOVE = `FROM chart_entries o
  WHERE o.chart = e.chart AND o.day = e.day AND o.rank < e.rank AND o.captured_at > c.oldest`;

/**
 * Stored ranks may have gaps: counts the posts above. A chart may list a post twice, and the better rank counts. As for the
 * chart itself, ranks that only an earlier capture of the day has do not count. Charts are looked up from the newest on, up
 * to the limit.
 */
const LIST_RANKS = `SELECT e.chart, e.day, e.captured_at, e.source, 1 + (SELECT count(DISTINCT o.post_id) ${ABOVE}) AS rank
  FROM (SELECT * FROM chart_entries
        WHERE platform = $1 AND post_id = $2 AND starts_with(chart, $3)
          AND day <= coalesce($6, day) AND ($4::text IS NULL OR substring(chart FROM '^[^/]*/[^/]*/(.*)$') = $4)
        ORDER BY day DESC, chart DESC) e
  CROSS JOIN LATERAL (SELECT max(o.captured_at) - ${CAPTURE_MS} AS oldest FROM chart_entries o
                      WHERE o.chart = e.chart AND o.day = e.day) c
  WHERE e.captured_at > c.oldest AND NOT EXISTS (SELECT 1 ${ABOVE} AND o.post_id = e.post_id)
  ORDER BY e.day DESC, e.chart DESC LIMIT $5`;
