/** The store as an HTTP worker opens it: one read-only connection, on a file that the primary process has migrated. */
import { join } from "node:path";
import type { ProjectionRegistry } from "#domain/projection.ts";
import { cacheReaders } from "#store/sql/reader-cache.ts";
import { createRecordLoader } from "#store/search/record-loader.ts";
import { createRetentionTable } from "#store/retention/statements.ts";
import { createTokens } from "#store/tokens/statements.ts";
import { createSearch } from "#store/search/queries.ts";
import type { Store } from "../store.ts";
import { openForReading, openForSnapshot } from "./database.ts";
import { createSqliteJobs } from "#store/jobs/sqlite.ts";
import { createReader } from "./reader.ts";
import { shareSql } from "./shared-sql.ts";
import { createSearchEngine } from "#store/search/engine.sqlite.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { endSnapshots } from "./tick-snapshot.ts";
import { createSnapshots } from "#store/copy/sqlite.ts";

export type SqliteReadOnlyStore = Pick<
  Store,
  "reader" | "search" | "noteWrite" | "dataVersion" | "tokens" | "jobs" | "retention" | "ping" | "close"
> & { tables: Pick<Store["tables"], "snapshot"> };

export function openSqliteReadOnly(dataDir: string, projections: ProjectionRegistry): SqliteReadOnlyStore {
  const file = join(dataDir, STORE_FILE);
  const db = openForReading(file, "full");
  return {
    reader: cacheReaders((platform, mode) => createReader(db, platform, mode === "object" ? null : projections)),
    search: createSearch(createSearchEngine(db), createRecordLoader(shareSql(db).sql)),
    noteWrite: endSnapshots,
    dataVersion: () => db.dataVersion(),
    tokens: createTokens(shareSql(db).sql),
    jobs: createSqliteJobs(db),
    retention: createRetentionTable(shareSql(db).sql),
    tables: { snapshot: createSnapshots(() => openForSnapshot(file)) },
    async ping() {
      db.get("SELECT 1 FROM sqlite_schema LIMIT 1");
    },
    async close() {
      db.close();
    },
  };
}
