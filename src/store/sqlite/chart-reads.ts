import type { ChartDay } from "#domain/chart.ts";
import type { PlatformName } from "#domain/record.ts";
import { CAPTURE_MS, type ChartRow, isFirstOfChart, type RankRow, toChart, toChartRank } from "../chart-rows.ts";
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
          `SELECT country, section, day, ${DENSE_RANK} AS rank, captured_at, source
           FROM (SELECT *, ${OLDEST_OF_CAPTURE} AS oldest FROM chart_entries e WHERE platform = ? AND post_id = ?) e
           WHERE captured_at > oldest ORDER BY day, country, section, e.rank`,
          platform,
          postId,
        )
        .map(toChartRank)
        .filter(isFirstOfChart);
    },
  };
}

const SAME_CHART = "o.platform = e.platform AND o.country = e.country AND o.section = e.section AND o.day = e.day";

/** As for the chart itself: ranks that only an earlier capture of the day has do not count. */
const OLDEST_OF_CAPTURE = `(SELECT max(o.captured_at) - ${CAPTURE_MS} FROM chart_entries o WHERE ${SAME_CHART})`;

/** Stored ranks may have gaps: counts the posts above. */
const DENSE_RANK = `1 + (SELECT count(DISTINCT o.post_id) FROM chart_entries o
  WHERE ${SAME_CHART} AND o.rank < e.rank AND o.captured_at > e.oldest)`;
