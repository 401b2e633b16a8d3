/** The store on SQLite: one file, one connection for writes and one for reads. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { ProjectionRegistry } from "#domain/projection.ts";
import { dayOf } from "#domain/time.ts";
import { EventHub } from "#store/write/event-hub.ts";
import { rowEncoder } from "#store/write/row-encoder.ts";
import { cacheReaders } from "#store/sql/reader-cache.ts";
import { createSearch } from "#store/search/queries.ts";
import type { Store } from "../store.ts";
import { createAuditTable } from "#store/audit/statements.ts";
import { createRecordLoader } from "#store/search/record-loader.ts";
import { readPurgeState } from "#store/erasure/purge-state.ts";
import { createRetentionTable } from "#store/retention/statements.ts";
import { createSourceLedger } from "#store/sources/statements.ts";
import { createTokens } from "#store/tokens/statements.ts";
import { createWatches } from "#store/watches/statements.ts";
import { isStale } from "#store/trends/refresh.ts";
import { compact } from "./compact.ts";
import { type CacheSize, openForReading, openForSnapshot, openForWriting } from "./database.ts";
import { withTokenEvents, withWriterEvents } from "./events.ts";
import { createSqliteJobs } from "#store/jobs/sqlite.ts";
import { createReader } from "./reader.ts";
import { createSearchEngine } from "#store/search/engine.sqlite.ts";
import { rebuildSearchIndex } from "#store/search/rebuild.sqlite.ts";
import { rebuildRendered } from "#store/rendered/rebuild.sqlite.ts";
import { RenderedRows } from "#store/rendered/sqlite.ts";
import { withRelaxedSync } from "./relaxed-sync.ts";
import { DIALECT, shareSql } from "./shared-sql.ts";
import { endSnapshots } from "./tick-snapshot.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { summarize } from "./summary.ts";
import { getTrendState } from "#store/trends/sqlite.ts";
import { createTables } from "#store/copy/sqlite.ts";
import { UsageFile } from "#store/tokens/usage.sqlite.ts";
import { createWriter } from "#store/write/sqlite.ts";

/** The clock decides the day of the trends; `projections` are those whose JSON is stored. */
export function openSqliteStore(
  dataDir: string,
  cacheSize: CacheSize = "full",
  clock: () => number = Date.now,
  projections: ProjectionRegistry = {},
): Store {
  const file = join(dataDir, STORE_FILE);
  const writing = openForWriting(file, cacheSize);
  try {
    rebuildSearchIndex(writing, file);
    rebuildRendered(writing, projections);
  } catch (error) {
    writing.close();
    throw error;
  }
  const rendered = new RenderedRows(writing, projections);
  const reading = openForReading(file, cacheSize);
  const events = new EventHub();
  const usage = new UsageFile(dataDir);

  return {
    reader: cacheReaders((platform, mode) => createReader(reading, platform, mode === "object" ? null : projections)),
    search: createSearch(createSearchEngine(reading), createRecordLoader(shareSql(reading).sql)),
    writer: withWriterEvents(createWriter(writing, file, rendered, clock), events),
    // Through the writing connection: the next request must see a revocation.
    tokens: withTokenEvents(createTokens(shareSql(writing).sql), events),
    usage,
    jobs: createSqliteJobs(writing),
    watches: createWatches(shareSql(writing).sql, DIALECT),
    audit: createAuditTable(shareSql(writing), DIALECT),
    retention: createRetentionTable(shareSql(writing).sql),
    sources: createSourceLedger(shareSql(writing), DIALECT, withRelaxedSync(writing)),
    rateLimits: null,
    events,
    encoder: rowEncoder,
    tables: createTables(() => openForSnapshot(file), writing, rendered),
    noteWrite: endSnapshots,
    dataVersion: () => reading.dataVersion(),
    async isEmpty() {
      return reading.get("SELECT 1 FROM records LIMIT 1") === undefined;
    },
    async hasErased() {
      return reading.get("SELECT 1 FROM erased LIMIT 1") !== undefined;
    },
    async getPostsVersion() {
      return getTrendState(reading).version;
    },
    async hasStaleTrends() {
      return isStale(getTrendState(reading), dayOf(clock()));
    },
    async getOrSet(_name, value) {
      return value;
    },
    async ping() {
      reading.get("SELECT 1 FROM sqlite_schema LIMIT 1");
    },
    async summary(now = clock()) {
      return { ...summarize(reading, now), bytes: sizeOf(file) + sizeOf(`${file}-wal`) };
    },
    async verify() {
      const problems = reading
        .all<{ integrity_check: string }>("PRAGMA integrity_check(10)")
        .map((row) => row.integrity_check);
      return problems.length === 1 && problems[0] === "ok" ? [] : problems;
    },
    compact: () => compact(writing, file, { always: true }),
    getPurgePending: async () => (await readPurgeState(shareSql(reading).sql)).pendingSince,
    async close() {
      usage.close();
      reading.close();
      writing.close();
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
