import { bigint, defineTable, type RowOf, rowVersion, text } from "#store/sql/table.ts";

/**
 * Rankings published by the platform, one row per entry; ranks order a day's chart and may have gaps. In PostgreSQL
 * platform, country and section are one text, so that Citus keeps a chart on one machine: see name.postgres.ts.
 */
export const CHART_ENTRIES = defineTable("chart_entries", {
  columns: { platform: text, day: text, rank: bigint, post_id: text, captured_at: bigint, source: text },
  indexes: { by_post: { sqlite: "(platform, post_id)", postgres: "(post_id, platform)" } },
  sqlite: {
    columns: { country: text, section: text },
    key: ["platform", "country", "section", "day", "rank"],
    // See follows/tables.ts.
    sizes: {
      chart_entries: "1000000 333333 30000 10000 50 1",
      chart_entries_by_post: "1000000 333333 20 20 20 20 1",
    },
  },
  postgres: { columns: { chart: text, version: rowVersion }, key: ["chart", "day", "rank"] },
});
export type ChartEntryRow = RowOf<typeof CHART_ENTRIES.postgres>;
