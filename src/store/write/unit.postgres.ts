import type { RecordSteps } from "./unit.ts";
import { CHART_COLUMNS } from "#store/charts/postgres.ts";
import { createListTable } from "#store/lists/postgres.ts";
import { createDocumentTable } from "#store/search/postgres.ts";
import { stepsOn } from "#store/postgres/shared-sql.ts";
import { markTrendsStale } from "#store/trends/postgres.ts";
import { moveTouches } from "#store/undo/statements.ts";
import { type UnitOfWork, WriteBatch } from "./batch.postgres.ts";

export function recordSteps(unit: UnitOfWork): RecordSteps {
  const sql = stepsOn(unit.sql);
  return {
    sql,
    contains: (column, parameter) => `${column} COLLATE "C" ILIKE ${parameter}`,
    charts: CHART_COLUMNS,
    documents: createDocumentTable(unit.sql, unit.index),
    lists: createListTable(unit.sql),
    // Records are rendered when they are read.
    rendered: { writeRecord: () => undefined, writeComment: () => undefined },
    markTrendsStale: () => markTrendsStale(unit.sql),
    moveTouches: (...move) => moveTouches(sql, ...move),
    async apply(changes, merge) {
      const batch = await WriteBatch.merge(unit.sql, [changes], merge);
      await batch.flush(unit);
    },
  };
}
