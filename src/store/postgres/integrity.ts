/** An integrity check of the whole store. */
import type { Database } from "./database.ts";

/** Reports invalid indexes, and reads every row once, since a damaged page only shows when it is read. */
export async function verify(db: Database): Promise<string[]> {
  const invalid = await db.all<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND NOT (i.indisvalid AND i.indisready) ORDER BY 1`,
  );
  const problems = invalid.map(({ name }) => `the index ${name} is invalid; run REINDEX`);
  const tables = await db.all<{ name: string; columns: string }>(
    `SELECT c.relname::text AS name, string_agg(quote_ident(a.attname), ', ') AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') GROUP BY 1 ORDER BY 1`,
  );
  for (const { name, columns } of tables) problems.push(...(await checkTable(db, name, columns)));
  return problems;
}

async function checkTable(db: Database, table: string, columns: string): Promise<string[]> {
  try {
    // Concatenating as text detoasts every column.
    await db.withoutTimeout((sql) => sql.run(`SELECT sum(length(concat(${columns}))) FROM "${table}"`));
    return [];
  } catch (error) {
    return [`cannot read the table ${table}: ${(error as Error).message.split("\n")[0]}`];
  }
}
