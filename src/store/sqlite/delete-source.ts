/** Deletes everything that came from one source. Unlike erased records, it may be imported again. */
import type { Database } from "./database.ts";
import { deleteComments, deleteRecord, deleteSubtitles } from "./record-removal.ts";
import type { RecordsRow } from "./rows.ts";
import type { SearchIndex } from "./search-index.ts";
import { deleteFromTrends } from "./trend-tables.ts";

/** Returns the number of records deleted. */
export function deleteSource(db: Database, index: SearchIndex, source: string): number {
  let count = deleteComments(db, index, "source = ?", source) + deleteSubtitles(db, index, "source = ?", source);
  for (const table of ["follows", "chart_entries"]) {
    count += db.run(`DELETE FROM ${table} WHERE source = ?`, source).changes;
  }
  const records = db.all<Pick<RecordsRow, "platform" | "kind" | "id" | "header">>(
    "SELECT platform, kind, id, header FROM records WHERE source = ?",
    source,
  );
  for (const record of records) deleteRecord(db, index, record);
  const posts = records.filter(({ kind }) => kind === "post");
  for (const [platform, deleted] of Map.groupBy(posts, (post) => post.platform)) {
    deleteFromTrends(
      db,
      platform,
      deleted.map(({ id }) => id),
    );
  }
  return count + records.length;
}
