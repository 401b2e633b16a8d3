import type { Jobs } from "../jobs.ts";
import { createJobs } from "../sql/jobs.ts";
import type { Sql } from "../sql/sql.ts";
import type { Database } from "./database.ts";
import { DIALECT, shareSql } from "./shared-sql.ts";

export function createSqliteJobs(db: Database): Jobs {
  const shared = shareSql(db);
  return createJobs(shared, DIALECT, withRelaxedSync(db, shared.sql));
}

/** Without the sync, claiming many small files is much faster. */
function withRelaxedSync(db: Database, sql: Sql): Sql {
  return {
    all: (text, ...values) => sql.all(text, ...values),
    get: (text, ...values) => sql.get(text, ...values),
    run(text, ...values) {
      db.exec("PRAGMA synchronous = NORMAL");
      try {
        return sql.run(text, ...values);
      } finally {
        db.exec("PRAGMA synchronous = FULL");
      }
    },
  };
}
