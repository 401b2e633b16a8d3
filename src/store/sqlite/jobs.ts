import type { Jobs } from "../jobs.ts";
import { createJobs } from "../sql/jobs.ts";
import type { Database } from "./database.ts";
import { withRelaxedSync } from "./relaxed-sync.ts";
import { DIALECT, shareSql } from "./shared-sql.ts";

export function createSqliteJobs(db: Database): Jobs {
  const shared = shareSql(db);
  return createJobs(shared, DIALECT, withRelaxedSync(db).sql);
}
