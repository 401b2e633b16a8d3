/**
 * The server plans by what it last counted, which much that was written may have made a tenth of what is there: it is
 * made to count anew.
 */
import type { Database } from "./database.ts";

/** Whether a word is looked up or the best documents are walked is decided by how common it is: this is counted well. */
const BY_WORDS = "search_docs";

/** Found by their keys whatever they hold: how large they are is most of what a plan needs. */
const BY_KEYS = [
  "records",
  "account_names",
  "post_lists",
  "comments",
  "follows",
  "subtitles",
  "chart_entries",
  "counter_points",
  "search_words",
  "trend_sums",
  "trend_days",
];

/** A fifth of the rows that the server would look at. */
const ROUGHLY = 20;

export function analyzeTables(db: Database): Promise<void> {
  return db.transaction(async (sql) => {
    await sql.run(`ANALYZE ${BY_WORDS}`);
    await sql.run(`SET LOCAL default_statistics_target = ${ROUGHLY}`);
    await sql.run(`ANALYZE ${BY_KEYS.join(", ")}`);
  });
}
