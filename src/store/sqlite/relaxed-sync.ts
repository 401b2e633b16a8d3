/**
 * Writes that a power cut may undo, since it also ends the processes that they are about. Without waiting for the disk, many
 * small ones are much faster.
 */
import type { Sql, SqlDatabase } from "../sql/sql.ts";
import type { Database } from "./database.ts";
import { shareSql } from "./shared-sql.ts";

export function withRelaxedSync(db: Database): SqlDatabase {
  const { sql, transaction } = shareSql(db);
  const relaxed = <Result>(work: () => Result): Result => {
    db.exec("PRAGMA synchronous = NORMAL");
    try {
      return work();
    } finally {
      db.exec("PRAGMA synchronous = FULL");
    }
  };
  const relaxedSql: Sql = {
    all: (text, ...values) => sql.all(text, ...values),
    get: (text, ...values) => sql.get(text, ...values),
    run: (text, ...values) => relaxed(() => sql.run(text, ...values)),
  };
  return { sql: relaxedSql, transaction: (work) => relaxed(() => transaction(work)) };
}
