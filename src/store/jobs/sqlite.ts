import type { Jobs } from "./port.ts";
import { createJobs } from "./statements.ts";
import type { Database } from "#store/sqlite/database.ts";
import { withRelaxedSync } from "#store/sqlite/relaxed-sync.ts";
import { DIALECT, shareSql } from "#store/sqlite/shared-sql.ts";

export function createSqliteJobs(db: Database): Jobs {
  const shared = shareSql(db);
  return createJobs(shared, DIALECT, withRelaxedSync(db).sql);
}
