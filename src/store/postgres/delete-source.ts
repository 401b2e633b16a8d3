/** Deletes everything imported from one source. Nothing is marked as erased, so it may be imported again. */
import type { UnitOfWork } from "./write-batch.ts";
import { removeComments, type RemovedRecord, removeRecords, removeSubtitles } from "./record-removal.ts";

/** Returns the number of deleted records. */
export async function deleteSource(unit: UnitOfWork, source: string): Promise<number> {
  const { sql } = unit;
  let count = await removeComments(unit, "source = $1", source);
  count += await removeSubtitles(unit, "source = $1", source);
  for (const table of ["follows", "chart_entries"]) {
    count += await sql.run(`DELETE FROM ${table} WHERE source = $1`, source);
  }
  const records = await sql.all<RemovedRecord>(
    "SELECT platform, kind, id, header FROM records WHERE source = $1",
    source,
  );
  await removeRecords(unit, records);
  return count + records.length;
}
