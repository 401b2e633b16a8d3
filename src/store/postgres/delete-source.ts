/** Takes out everything that came from one source, as if it had never been kept. Nothing is remembered as erased. */
import type { UnitOfWork } from "./write-batch.ts";
import { removeComments, type RemovedRecord, removeRecords, removeSubtitles } from "./record-removal.ts";

/** The number of records that went. */
export async function deleteSource(turn: UnitOfWork, source: string): Promise<number> {
  const { sql } = turn;
  let count = await removeComments(turn, "source = $1", source);
  count += await removeSubtitles(turn, "source = $1", source);
  for (const table of ["follows", "chart_entries"]) {
    count += await sql.run(`DELETE FROM ${table} WHERE source = $1`, source);
  }
  const records = await sql.all<RemovedRecord>(
    "SELECT platform, kind, id, header FROM records WHERE source = $1",
    source,
  );
  await removeRecords(turn, records);
  return count + records.length;
}
