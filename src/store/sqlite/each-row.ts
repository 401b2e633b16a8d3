/** Walks through a table in the order its rows were inserted, a batch at a time. */
import type { Database } from "./database.ts";

const BATCH_ROWS = 2_000;

export function eachRow<Row>(
  db: Database,
  table: string,
  columns: string,
  visit: (row: Row) => void,
  afterBatch: () => void = () => undefined,
): void {
  const sql = `SELECT rowid AS cursor, ${columns} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${BATCH_ROWS}`;
  for (let cursor = 0; ;) {
    const rows = db.all<Row & { cursor: number }>(sql, cursor);
    rows.forEach(visit);
    afterBatch();
    if (rows.length < BATCH_ROWS) return;
    cursor = rows.at(-1)?.cursor ?? cursor;
  }
}
