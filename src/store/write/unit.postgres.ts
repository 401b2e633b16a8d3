import { batchesOf, type RecordSteps } from "./unit.ts";
import { chartName, parseChartName } from "#store/charts/name.postgres.ts";
import { postListRows, removeFromLists } from "#store/lists/postgres.ts";
import { stepsOn } from "#store/postgres/shared-sql.ts";
import { markTrendsStale } from "#store/trends/postgres.ts";
import { type UnitOfWork, WriteBatch } from "./batch.postgres.ts";

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
