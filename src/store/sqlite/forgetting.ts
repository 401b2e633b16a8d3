/** Takes out everything that came from one source, as if it had never been kept. Nothing is remembered as erased. */
import type { Database } from "./database.ts";
import { removeRecord, type RemovedRecord } from "./record-removal.ts";
import type { SearchIndex } from "./search-index.ts";

/** The number of records that went. */
export function forgetSource(db: Database, index: SearchIndex, source: string): number {
  let count = 0;
  for (const table of ["comments", "follows", "subtitles", "chart_entries"]) {
    count += db.run(`DELETE FROM ${table} WHERE source = ?`, source).changes;
  }
  const records = db.all<RemovedRecord>("SELECT platform, kind, id, header FROM records WHERE source = ?", source);
  for (const record of records) removeRecord(db, index, record);
  return count + records.length;
}
