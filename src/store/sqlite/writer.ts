/** Writes records, one transaction per call. */
import { replace, toChanges } from "../batch-changes.ts";
import { JobTouches } from "../job-touches.ts";
import { eraseTarget, markTarget, planErasure, removeLearnt, toTarget } from "../sql/erase.ts";
import { listLiveSources, writeTouchesOf } from "../sql/job-records.ts";
import { writeCheckpoint } from "../sql/jobs.ts";
import { mergePlaceholder } from "../sql/merge-placeholder.ts";
import { deleteSource } from "../sql/record-removal.ts";
import { countExpired, deleteExpired } from "../sql/retention.ts";
import { previewErasure } from "../sql/preview-erasure.ts";
import { refreshTrends } from "../sql/refresh-trends.ts";
import { runSync } from "../sql/sql.ts";
import { restorePage, undoPage } from "../sql/undo.ts";
import type { Changes, Merge, WriteCounts, Writer, WriteUnit } from "../writer.ts";
import { applyChanges } from "./apply-changes.ts";
import { compact } from "./compact.ts";
import type { Database } from "./database.ts";
import { RecordRows, type WriteTables } from "./record-rows.ts";
import { recordSteps } from "./record-steps.ts";
import { SearchIndex } from "./search-index.ts";
import type { RenderedRows } from "./rendered-rows.ts";
import { DIALECT } from "./shared-sql.ts";
import { createTrendTables, markTrendsStale } from "./trend-tables.ts";

/** `file` is that of the connection. The clock decides the day of the trends. */
export function createWriter(db: Database, file: string, rendered: RenderedRows, clock: () => number): Writer {
  const index = new SearchIndex(db);
  const rows = new RecordRows(db, index, rendered);
  const tables: WriteTables = { db, index, rows, rendered };
  const unit = recordSteps(tables);
  let refreshing = Promise.resolve();

  function transaction<Result>(work: () => Result): Result {
    return db.transaction(() => {
      rows.begin();
      const result = work();
      index.finish();
      if (rows.hasChangedPosts) markTrendsStale(db);
      return result;
    });
  }

  /** In one transaction. Units with a checkpoint are of one job. */
  function applyUnits(units: readonly WriteUnit[], merge: Merge): WriteCounts[] {
    return transaction(() =>
      units.map(({ changes, checkpoint, fetchedFrom }) => {
        const touches = (rows.touches = new JobTouches(fetchedFrom !== undefined));
        const counts: WriteCounts = {};
        const learnt = applyChanges(tables, changes, merge, counts);
        const progress = checkpoint?.(counts);
        if (progress !== undefined) runSync(writeCheckpoint(unit.sql, DIALECT, progress));
        // Before anything removes what this unit touched: then its touches go too.
        runSync(writeTouchesOf(unit.sql, { progress, fetchedFrom }, touches));
        runSync(removeLearnt(unit, learnt));
        return counts;
      }),
    );
  }

  function apply(changes: readonly Changes[], merge: Merge, checkpoint?: WriteUnit["checkpoint"]): WriteCounts {
    return applyUnits([{ changes, checkpoint }], merge)[0] as WriteCounts;
  }

  return {
    async write(platform, batch) {
      return apply([{ ...toChanges(platform, batch), history: batch.history ?? [] }], replace);
    },
    async apply(changes, merge, checkpoint) {
      return apply(changes, merge, checkpoint);
    },
    async applyFetched(changes, merge, source) {
      applyUnits([{ changes, fetchedFrom: source }], merge);
    },
    async applyAll(units, merge) {
      applyUnits(units, merge);
    },
    async preview(changes, merge) {
      const counts: WriteCounts = {};
      db.dryRun(() => {
        rows.begin();
        applyChanges(tables, changes, merge, counts);
      });
      return counts;
    },
    async mergePlaceholder(platform, provisionalId, id, merge) {
      transaction(() => runSync(mergePlaceholder(unit, { platform, from: provisionalId, to: id }, merge)));
    },
    async deleteSource(source) {
      return transaction(() => runSync(deleteSource(unit, source)));
    },
    async deleteExpired(expiry, limit) {
      return transaction(() => runSync(deleteExpired(unit, expiry, limit)));
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
