/** Runs the SQL that both stores share. */
import { runAsync, type SqlDatabase, SqlSteps } from "../sql/sql.ts";
import type { Dialect } from "../sql/dialect.ts";
import { lockStatement } from "./advisory-locks.ts";
import type { Database } from "./database.ts";
import type { Sql } from "./sql.ts";
import { insert, sortByKey, upsert } from "./upsert.ts";

export const DIALECT: Dialect = {
  now: "(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
  skipLocked: "FOR UPDATE SKIP LOCKED",
  locks: { jobStart: lockStatement("jobStart"), audit: lockStatement("audit"), sources: lockStatement("sources") },
  isMissingTable: (error) => error instanceof Error && "code" in error && error.code === "42P01",
};

export function shareSql(db: Database): SqlDatabase {
  return { sql: db, transaction: (work) => db.transaction((sql) => runAsync(work(stepsOn(sql)))) };
}

export function stepsOn(sql: Sql): SqlSteps {
  return new SqlSteps(
    sql,
    (table, rows) => upsert(sql, table, rows),
    (table, rows) => insert(sql, table, sortByKey(table, rows)),
  );
}
