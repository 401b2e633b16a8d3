import type { ChartDay } from "#domain/chart.ts";
import type { PlatformName } from "#domain/record.ts";
import { type ChartRow, isFirstOfChart, type RankRow, toChart, toChartRank } from "../chart-rows.ts";
import type { ChartReads } from "../sql/reader.ts";
import type { Database } from "./database.ts";

export function createChartReads(db: Database, platform: PlatformName): ChartReads {
  return {
    async getChart(country, section, day) {
      const rows = db.all<ChartRow>(
        `SELECT day, post_id, captured_at, source FROM chart_entries
         WHERE platform = ? AND country = ? AND section = ? AND day = coalesce(?,
           (SELECT max(day) FROM chart_entries WHERE platform = ? AND country = ? AND section = ?))
         ORDER BY rank`,
        platform,
        country,
        section,
        day ?? null,
        platform,
        country,
        section,
      );
      return toChart(country, section, rows);
    },
    async listChartDays() {
      // One step of the index per chart: reading every entry would block other requests.
      const days: ChartDay[] = [];
      for (let last: ChartDay | undefined = { country: "", section: "", day: "" }; last !== undefined;) {
        last = db.get<ChartDay>(
          `SELECT country, section, day FROM chart_entries
           WHERE platform = ? AND (country, section, day) > (?, ?, ?) ORDER BY country, section, day LIMIT 1`,
          platform,
          last.country,
          last.section,
          last.day,
        );
        if (last !== undefined) days.push({ ...last });
      }
      return days;
    },
    async listChartRanks(postId) {
      return db
        .all<RankRow>(
          `SELECT e.country, e.section, e.day, ${DENSE_RANK} AS rank, e.captured_at, e.source FROM chart_entries e
           WHERE e.platform = ? AND e.post_id = ? ORDER BY e.day, e.country, e.section, e.rank`,
          platform,
          postId,
        )
        .map(toChartRank)
        .filter(isFirstOfChart);
    },
  };
}

/** Stored ranks may have gaps: counts the posts above. */
const DENSE_RANK = `1 + (SELECT count(DISTINCT o.post_id) FROM chart_entries o
  WHERE o.platform = e.platform AND o.country = e.country AND o.section = e.section AND o.day = e.day AND o.rank < e.rank)`;
