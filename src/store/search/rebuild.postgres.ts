/** Rebuilds the search documents of a store that was written with another version of them. */
import { DOCUMENTS_VERSION } from "#search/documents.ts";
import { searchDocumentOf } from "#store/copy/rows.ts";
import { type SearchedTable, TABLES } from "#store/copy/port.ts";
import { withLock } from "#store/postgres/advisory-locks.ts";
import type { Database } from "#store/postgres/database.ts";
import { assertNotNewer } from "#store/postgres/migrate.ts";
import { SearchIndexWriter } from "./postgres.ts";
import type { Sql } from "#store/postgres/sql.ts";
import { type DatabaseRow, toTableRow } from "#store/copy/postgres.ts";
import { lockOutWriters } from "#store/postgres/write-transactions.ts";

/** Key columns, and rows per transaction. */
const PAGES: Record<SearchedTable, { key: readonly string[]; rows: number }> = {
  records: { key: ["id", "platform", "kind"], rows: 1_000 },
  comments: { key: ["post_id", "platform", "id"], rows: 2_000 },
  subtitles: { key: ["post_id", "platform", "language", "automatic"], rows: 100 },
};

const SETTING = "search documents";

/**
 * One process rebuilds, in short transactions; the others wait for it. After an interruption it starts again. `name` is
 * what error messages call the database.
 */
export async function rebuildSearchIndex(db: Database, name: string): Promise<void> {
  if (await isCurrent(db, name)) return;
  await db.withoutTimeout((sql) =>
    withLock(sql, "searchRebuild", async () => {
      if (await isCurrent(sql, name)) return;
      for (const table of ["records", "comments", "subtitles"] as const) {
        let after: DatabaseRow | null = null;
        do {
          // On the connection that has the lock: it may be the only one.
          await sql.run("BEGIN");
          after = await rebuildPage(sql, table, after);
          await sql.run("COMMIT");
        } while (after !== null);
      }
      await sql.run(
        "INSERT INTO shared_settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        SETTING,
        String(DOCUMENTS_VERSION),
      );
    }),
  );
}

async function isCurrent(sql: Sql, name: string): Promise<boolean> {
  const row = await sql.get<{ value: string }>("SELECT value FROM shared_settings WHERE name = $1", SETTING);
  const version = Number(row?.value ?? 0);
  assertNotNewer(SETTING, version, DOCUMENTS_VERSION, name);
  return version === DOCUMENTS_VERSION;
}

/** Returns the last row of the page; null if there are no more. */
async function rebuildPage(sql: Sql, table: SearchedTable, after: DatabaseRow | null): Promise<DatabaseRow | null> {
  // Otherwise a change made meanwhile would be replaced by the state before it.
  await lockOutWriters(sql);
  const { key, rows: limit } = PAGES[table];
  const parameters = key.map((_, index) => `$${index + 2}`).join(", ");
  const rows = await sql.allWithCustomPlan<DatabaseRow>(
    `SELECT ${TABLES[table].join(", ")} FROM ${table}
     ${after === null ? "" : `WHERE (${key.join(", ")}) > (${parameters})`} ORDER BY ${key.join(", ")} LIMIT $1`,
    limit,
    ...(after === null ? [] : key.map((column) => after[column] ?? null)),
  );
  const last = rows.length < limit ? null : (rows.at(-1) ?? null);
  const index = new SearchIndexWriter();
  for (const row of rows) index.put(...searchDocumentOf(table, toTableRow(table, row)), "stored");
  await index.finish(sql, last === null ? "now" : "many");
  return last;
}
