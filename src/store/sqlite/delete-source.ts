/** Takes out everything that came from one source, as if it had never been kept. Nothing is remembered as erased. */
import type { Database } from "./database.ts";
import { removeComments, removeRecord, removeSubtitles, type RemovedRecord } from "./record-removal.ts";
import type { SearchIndex } from "./search-index.ts";
import type { TrendUpkeep } from "./trend-upkeep.ts";

/** The number of records that went. */
export function deleteSource(db: Database, index: SearchIndex, trends: TrendUpkeep, source: string): number {
  let count = removeComments(db, index, "source = ?", source) + removeSubtitles(db, index, "source = ?", source);
  for (const table of ["follows", "chart_entries"]) {
    count += db.run(`DELETE FROM ${table} WHERE source = ?`, source).changes;
  }
  const records = db.all<RemovedRecord>("SELECT platform, kind, id, header FROM records WHERE source = ?", source);
  for (const record of records) removeRecord(db, index, trends, record);
  return count + records.length;
}
