import type { PlatformName } from "#domain/record.ts";
import { CAPTURE_MS, type ChartRow, type DaysRow, type RankRow, toChart, toChartDays, toChartRank } from "./rows.ts";
import type { ChartReader } from "./port.ts";
import type { Database } from "#store/sqlite/database.ts";
import type { KeyColumns } from "#store/write/unit.ts";

/** The columns of a chart entry are those of its key. */
export const CHART_COLUMNS: KeyColumns = {
  names: "country, section, day, rank",
  toKey: (key) => key,
  fromKey: (_platform, row) => row,
};

export function createChartReads(db: Database, platform: PlatformName): ChartReader {
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
    async listCharts({ country, section, until }) {
      const ofCountry = country === undefined ? [] : [country];
      const upTo = until === undefined ? [] : [until];
      const rows = db.all<DaysRow>(
        // DISTINCT skips from day to day in the index. With a section and no country it would read every entry.
        `SELECT country, section, group_concat(day) AS days
         FROM (SELECT DISTINCT country, section, day FROM chart_entries
               WHERE platform = ? ${ofCountry.map(() => "AND country = ?").join("")} ${upTo.map(() => "AND day <= ?").join("")} ORDER BY country, section, day)
         GROUP BY country, section`,
        platform,
        ...ofCountry,
        ...upTo,
      );
      return rows.map(toChartDays).filter((chart) => section === undefined || chart.section === section);
    },
    async listChartRanks(postId, { country, section, until }, limit) {
      const filters = Object.entries({ "country =": country, "section =": section, "day <=": until }).flatMap(
        ([compared, value]) => (value === undefined ? [] : { condition: `AND ${compared} ?`, value }),
      );
      const rows = db.all<RankRow>(
        // Charts are looked up from the newest on, up to the limit: a video may be in those of all countries for years.
        `WITH listed AS MATERIALIZED (
           SELECT platform, country, section, day, rank FROM chart_entries
           WHERE platform = ? AND post_id = ? ${filters.map(({ condition }) => condition).join(" ")}
           ORDER BY day DESC, country DESC, section DESC)
         SELECT country, section, day, ${DENSE_RANK} AS rank, captured_at, source
         FROM (SELECT e.*, ${OLDEST_OF_CAPTURE} AS oldest
               FROM listed CROSS JOIN chart_entries e USING (platform, country, section, day, rank)) e
         WHERE captured_at > oldest AND NOT ${HAS_BETTER_RANK} LIMIT ?`,
        platform,
        postId,
        ...filters.map(({ value }) => value),
        limit,
      );
      return rows.map(toChartRank).toReversed();
    },
  };
}

const SAME_CHART = "o.platform = e.platform AND o.country = e.country AND o.section = e.section AND o.day = e.day";

/** As for the chart itself: ranks that only an earlier capture of the day has do not count. */
const OLDEST_OF_CAPTURE = `(SELECT max(o.captured_at) - ${CAPTURE_MS} FROM chart_entries o WHERE ${SAME_CHART})`;

const ABOVE = `FROM chart_entries o WHERE ${SAME_CHART} AND o.rank < e.rank AND o.captured_at > e.oldest`;

/** Stored ranks may have gaps: counts the posts above. */
const DENSE_RANK = `1 + (SELECT count(DISTINCT o.post_id) ${ABOVE})`;

/** A chart may list a post twice, and the better rank counts. */
const HAS_BETTER_RANK = `EXISTS (SELECT 1 ${ABOVE} AND o.post_id = e.post_id)`;
