/** Writes records, one transaction per call. */
import { JobTouches } from "#store/undo/port.ts";
import { eraseTarget, markTarget, planErasure, previewErasure, removeLearnt, toTarget } from "#store/erasure/erase.ts";
import { listLiveSources, writeTouchesOf } from "#store/undo/statements.ts";
import { writeCheckpoint } from "#store/jobs/statements.ts";
import { mergePlaceholder } from "./merge-placeholder.ts";
import { countExpired, deleteRows } from "./removal.ts";
import { refreshTrends } from "#store/trends/refresh.ts";
import { runSync } from "#store/sql/sql.ts";
import { restorePage, undoPage } from "#store/undo/undo.ts";
import type { WriteCounts, Writer, WriteUnit } from "./port.ts";
import { RowWriter } from "./batch.sqlite.ts";
import { compact } from "#store/sqlite/compact.ts";
import type { Database } from "#store/sqlite/database.ts";
import { recordSteps } from "./unit.sqlite.ts";
import { SearchIndex } from "#store/search/sqlite.ts";
import type { RenderedRows } from "#store/rendered/sqlite.ts";
import { DIALECT } from "#store/sqlite/shared-sql.ts";
import { createTrendTables, markTrendsStale } from "#store/trends/sqlite.ts";

/** `file` is that of the connection. The clock decides the day of the trends. */
export function createWriter(db: Database, file: string, rendered: RenderedRows, clock: () => number): Writer {
  const index = new SearchIndex(db);
  const rows = new RowWriter(db, index, rendered);
  const unit = recordSteps(rows);
  let refreshing = Promise.resolve();

  function transaction<Result>(work: () => Result): Result {
    return db.transaction(() => {
      rows.begin();
      const result = work();
      index.finish();
      if (rows.state.hasChangedPosts) markTrendsStale(db);
      return result;
    });
  }

  function writeUnit({ changes, merge, checkpoint, fetchedFrom }: WriteUnit): WriteCounts {
    const touches = (rows.state.touches = new JobTouches(fetchedFrom !== undefined));
    const counts: WriteCounts = {};
    const learnt = rows.write(changes, merge, counts);
    const progress = checkpoint?.(counts);
    if (progress !== undefined) runSync(writeCheckpoint(unit.sql, DIALECT, progress));
    // Before anything removes what this unit touched: then its touches go too.
    runSync(writeTouchesOf(unit.sql, { progress, fetchedFrom }, touches));
    runSync(removeLearnt(unit, learnt));
    return counts;
  }

  function countUnit({ changes, merge }: WriteUnit): WriteCounts {
    const counts: WriteCounts = {};
    db.dryRun(() => {
      rows.begin();
      rows.write(changes, merge, counts);
    });
    return counts;
  }

  return {
    async write(units, { dryRun = false } = {}) {
      return dryRun ? units.map(countUnit) : transaction(() => units.map(writeUnit));
    },
    async mergePlaceholder(platform, provisionalId, id, merge) {
      transaction(() => runSync(mergePlaceholder(unit, { platform, from: provisionalId, to: id, merge })));
    },
    async deleteSource(source) {
      return transaction(() => runSync(deleteRows(unit, { source })));
    },
    async deleteExpired(expiry, limit) {
      return transaction(() => runSync(deleteRows(unit, { expiry, limit })));
    },
    async countExpired(expiry) {
      return runSync(countExpired(unit, expiry));
    },
    async erase(platform, kind, id) {
      const target = toTarget(platform, kind, id);
      transaction(() => runSync(markTarget(unit, target)));
      const plan = runSync(planErasure(unit, target));
      return transaction(() => runSync(eraseTarget(unit, target, plan)));
    },
    async purgeErased() {
      return compact(db, file, { always: false });
    },
    async previewErasure(platform, kind, id) {
      return runSync(previewErasure(unit, toTarget(platform, kind, id)));
    },
    async undo(jobId, after, dryRun) {
      const work = () => runSync(undoPage(unit, { jobId, after, dryRun }));
      return dryRun ? work() : transaction(work);
    },
    async listLiveSources() {
      return runSync(listLiveSources(unit.sql));
    },
    async restoreImported(source, expiries, after, dryRun) {
      const work = () => runSync(restorePage(unit, { source, expiries, after, dryRun }));
      return dryRun ? work() : transaction(work);
    },
    refreshTrends(asOf) {
      // One at a time on this connection: they share a temporary table.
      const refreshed = refreshing.then(() => refreshTrends(createTrendTables(db), clock(), asOf));
      refreshing = refreshed.catch(() => undefined);
      return refreshed;
    },
  };
}
