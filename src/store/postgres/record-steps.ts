import { batchesOf, type RecordSteps } from "../sql/record-steps.ts";
import { chartName, parseChartName } from "./chart-name.ts";
import { postListRows, removeFromLists } from "./post-list-rows.ts";
import { stepsOn } from "./shared-sql.ts";
import { markTrendsStale } from "./trend-tables.ts";
import { type UnitOfWork, WriteBatch } from "./write-batch.ts";

export function recordSteps(unit: UnitOfWork): RecordSteps {
  const { sql, index } = unit;
  return {
    sql: stepsOn(sql),
    listColumns: { key: "platform, list, sort_key, post_id", rest: [] },
    contains: (column, parameter) => `${column} COLLATE "C" ILIKE ${parameter}`,
    removeFromLists: (platform, posts) =>
      removeFromLists(
        sql,
        posts.flatMap(({ id, post }) => postListRows(platform, id, post)),
      ),
    putDocument: (platform, kind, id, document) => index.put(platform, kind, id, document, "stored"),
    async removeDocuments(platform, kind, ids) {
      for (const batch of batchesOf(ids)) await index.remove(sql, platform, kind, batch);
    },
    renderRecord: () => undefined,
    renderComment: () => undefined,
    async apply(changes, merge) {
      const batch = await WriteBatch.merge(sql, [changes], merge);
      await batch.flush(unit);
    },
    charts: {
      names: "chart, day, rank",
      toKey: ({ platform, country, section, ...entry }) => ({
        chart: chartName(String(platform), String(country), String(section)),
        ...entry,
      }),
      fromKey: (platform, { chart }) => parseChartName(platform, String(chart)),
    },
    markTrendsStale: () => markTrendsStale(sql),
  };
}
