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

/**
 * Tables that have grown by a tenth since the last time, and those whose rows are elsewhere: Citus keeps them on its
 * workers. The rest is left to autovacuum.
 */
const GROWN = `
  SELECT relname AS name FROM pg_class
  WHERE oid = ANY ($1::regclass[])
    AND (pg_relation_size(oid) = 0 OR pg_relation_size(oid) > 1.1 * relpages * current_setting('block_size')::int)`;

export function analyzeTables(db: Database): Promise<void> {
  return db.transaction(async (sql) => {
    const grown = await sql.all<{ name: string }>(GROWN, [FULL, ...SAMPLED]);
    const names = grown.map(({ name }) => name);
    if (names.includes(FULL)) await sql.run(`ANALYZE ${FULL}`);
    const sampled = names.filter((name) => name !== FULL);
    if (sampled.length === 0) return;
    await sql.run(`SET LOCAL default_statistics_target = ${STATISTICS_TARGET}`);
    await sql.run(`ANALYZE ${sampled.join(", ")}`);
  });
}
