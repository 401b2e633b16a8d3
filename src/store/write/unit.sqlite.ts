import type { RecordSteps } from "./unit.ts";
import { applyChanges } from "./apply.sqlite.ts";
import { CHART_COLUMNS } from "#store/charts/sqlite.ts";
import { createListTable } from "#store/lists/sqlite.ts";
import type { WriteTables } from "#store/records/sqlite.ts";
import { createRenderedTable } from "#store/rendered/sqlite.ts";
import { createDocumentTable } from "#store/search/sqlite.ts";
import { stepsOn } from "#store/sqlite/shared-sql.ts";
import { markTrendsStale } from "#store/trends/sqlite.ts";
import { moveTouches } from "#store/undo/statements.ts";

export function recordSteps(tables: WriteTables): RecordSteps {
  const { db, index, rows, rendered } = tables;
  const sql = stepsOn(db);
  return {
    sql,
    contains: (column, parameter) => String.raw`${column} LIKE ${parameter} ESCAPE '\'`,
    charts: CHART_COLUMNS,
    documents: createDocumentTable(index),
    lists: createListTable(rows),
    rendered: createRenderedTable(db, rendered),
    markTrendsStale: () => markTrendsStale(db),
    moveTouches: (...move) => moveTouches(sql, ...move),
    apply: (changes, merge) => void applyChanges(tables, [changes], merge),
  };
}
