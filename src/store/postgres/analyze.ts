/** Runs ANALYZE after bulk writes; stale statistics can be off by 10×. */
import type { Database } from "./database.ts";

/** Needs full statistics: how common a word is decides the plan of a search. */
const FULL = "search_docs";

/** Read by key whatever they contain: their size is most of what the planner needs. */
const SAMPLED = [
  "records",
  "account_names",
  "post_lists",
  "comments",
  "follows",
  "subtitles",
  "chart_entries",
  "counter_points",
  "search_words",
  "trend_chunks",
];

/** A fifth of the default sample. */
const STATISTICS_TARGET = 20;

export function analyzeTables(db: Database): Promise<void> {
  return db.transaction(async (sql) => {
    await sql.run(`ANALYZE ${FULL}`);
    await sql.run(`SET LOCAL default_statistics_target = ${STATISTICS_TARGET}`);
    await sql.run(`ANALYZE ${SAMPLED.join(", ")}`);
  });
}
