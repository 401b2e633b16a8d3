/** Writes records with everything derived from them, one transaction at a time across all processes. */
import { dayOf } from "#domain/time.ts";
import type { WriteCounts, Writer } from "../writer.ts";
import { replace, toChanges } from "../batch-changes.ts";
import { eraseRecord } from "../sql/erase.ts";
import { writeCheckpoint } from "../sql/jobs.ts";
import { mergePlaceholder } from "../sql/merge-placeholder.ts";
import { deleteSource } from "../sql/record-removal.ts";
import { isStale, refreshTrends } from "../sql/refresh-trends.ts";
import { runAsync } from "../sql/sql.ts";
import { withLock } from "./advisory-locks.ts";
import { WriteBatch, type UnitOfWork } from "./write-batch.ts";
import type { Database } from "./database.ts";
import { notify } from "./events.ts";
import { recordSteps } from "./record-steps.ts";
import { DIALECT, stepsOn } from "./shared-sql.ts";
import { SearchIndexWriter } from "./search-index-writer.ts";
import { VacuumQueue } from "./vacuum.ts";
import { createTrendTables, getTrendState } from "./trend-tables.ts";
import { WriteLock } from "./write-lock.ts";

/** The clock decides the day of the trends. */
export function createWriter(db: Database, clock: () => number): Writer {
  const vacuum = new VacuumQueue(db);
  const lock = new WriteLock(db);

  /** `deferWords` is called after the work: whether word counts may be left to a later transaction. */
  function inTransaction<Result>(
    work: (unit: UnitOfWork) => Promise<Result>,
    deferWords: () => boolean = () => false,
  ): Promise<Result> {
    return lock.transaction(async (sql) => {
      const index = new SearchIndexWriter();
      const result = await work({ sql, index });
      await index.finish(sql, deferWords());
      return result;
    });
  }

  return {
    write(platform, batch) {
      return inTransaction(async (unit) => {
        const changes = toChanges(platform, batch);
        const pending = await WriteBatch.load(unit, [changes], batch.history);
        pending.apply(changes, replace);
        pending.addHistory(platform, batch.history ?? []);
        await pending.flush(unit);
        await notify(unit.sql, { about: "records", platform });
      });
    },
    apply(changes, merge, checkpoint) {
      let hasMore = false;
      return inTransaction(
        async (unit) => {
          const pending = await WriteBatch.load(unit, changes);
          const counts: WriteCounts = {};
          for (const part of changes) pending.apply(part, merge, counts);
          await pending.flush(unit);
          for (const platform of new Set(changes.map((part) => part.platform))) {
            await notify(unit.sql, { about: "records", platform });
          }
          if (checkpoint !== undefined) {
            const progress = checkpoint(counts);
            await runAsync(writeCheckpoint(stepsOn(unit.sql), DIALECT, progress));
            hasMore = progress.file.state === "running";
          }
          return counts;
        },
        () => hasMore,
      );
    },
    preview(changes, merge) {
      return db.withConnection(async (sql) => {
        const pending = await WriteBatch.load({ sql, index: new SearchIndexWriter() }, changes);
        const counts: WriteCounts = {};
        for (const part of changes) pending.apply(part, merge, counts);
        return counts;
      });
    },
    mergePlaceholder(platform, from, to, merge) {
      return inTransaction(
        async (unit) => {
          await runAsync(mergePlaceholder(recordSteps(unit), { platform, from, to }, merge));
          await notify(unit.sql, { about: "records", platform });
        },
        () => true,
      );
    },
    deleteSource(source) {
      return inTransaction(async (unit) => {
        const deleted = await runAsync(deleteSource(recordSteps(unit), source));
        await notify(unit.sql, { about: "anything" });
        return deleted;
      });
    },
    async erase(platform, kind, id) {
      await inTransaction(async (unit) => {
        await runAsync(eraseRecord(recordSteps(unit), platform, kind, id));
        await notify(unit.sql, { about: "erasure", platform, kind, id });
      });
      await vacuum.after(kind);
    },
    async refreshTrends() {
      const today = dayOf(clock());
      if (!isStale(await getTrendState(db), today)) return;
      await db.withoutTimeout((sql) =>
        // Checks again: another process may have refreshed them while this one waited.
        withLock(sql, "trendRefresh", () => refreshTrends(createTrendTables(sql), today)),
      );
    },
  };
}
