import type { RecordSteps } from "./unit.ts";
import { CHART_COLUMNS } from "#store/charts/sqlite.ts";
import { createListTable } from "#store/lists/sqlite.ts";
import { createRenderedTable } from "#store/rendered/sqlite.ts";
import { createDocumentTable } from "#store/search/sqlite.ts";
import { stepsOn } from "#store/sqlite/shared-sql.ts";
import { markTrendsStale } from "#store/trends/sqlite.ts";
import { moveTouches } from "#store/undo/statements.ts";
import type { RowWriter } from "./batch.sqlite.ts";

export function recordSteps(rows: RowWriter): RecordSteps {
  const { index, rendered, lists } = rows;
  const { db } = rows.state;
  const sql = stepsOn(db);
  return {
    sql,
    contains: (column, parameter) => String.raw`${column} LIKE ${parameter} ESCAPE '\'`,
    charts: CHART_COLUMNS,
    documents: createDocumentTable(index),
    lists: createListTable(lists),
    rendered: createRenderedTable(db, rendered),
    markTrendsStale: () => markTrendsStale(db),
    moveTouches: (...move) => moveTouches(sql, ...move),
    apply: (changes, merge) => void rows.write([changes], merge),
  };
}
