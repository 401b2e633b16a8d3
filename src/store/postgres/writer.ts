/** Writes records with everything derived from them. Imports write side by side, in any number of processes. */
import { dayOf } from "#domain/time.ts";
import type { Changes, Checkpoint, ErasureCounts, Merge, WriteCounts, Writer, WriteUnit } from "../writer.ts";
import { replace, toChanges } from "../batch-changes.ts";
import type { JobTouches } from "../job-touches.ts";
import { eraseTarget, markTarget, planErasure, removeLearnt, type Target, toTarget } from "../sql/erase.ts";
import { writeTouches } from "../sql/job-records.ts";
import { writeCheckpoint } from "../sql/jobs.ts";
import { mergePlaceholder } from "../sql/merge-placeholder.ts";
import { deleteSource } from "../sql/record-removal.ts";
import { countExpired, deleteExpired } from "../sql/retention.ts";
import { isStale, refreshTrends } from "../sql/refresh-trends.ts";
import { runAsync } from "../sql/sql.ts";
import { undoPage } from "../sql/undo.ts";
import { withLock } from "./advisory-locks.ts";
import { WriteBatch, type UnitOfWork } from "./write-batch.ts";
import type { Database } from "./database.ts";
import { notify } from "./events.ts";
import { recordSteps } from "./record-steps.ts";
import { DIALECT, stepsOn } from "./shared-sql.ts";
import { SearchIndexWriter } from "./search-index-writer.ts";
import type { Sql } from "./sql.ts";
import { PartitionCreator } from "./search-partitions.ts";
import { VacuumQueue } from "./vacuum.ts";
import { createTrendTables, getTrendState } from "./trend-tables.ts";
import { countPendingWords } from "./word-counts.ts";
import { type Guard, WriteTransactions } from "./write-transactions.ts";

/** The clock decides the day of the trends. */
export function createWriter(db: Database, clock: () => number, guard: Guard): Writer {
  const vacuum = new VacuumQueue(db);
  const transactions = new WriteTransactions(db, guard);
  const partitions = new PartitionCreator(db);

  /** For imports. Words are counted after the commit: see `countPendingWords`. */
  async function writeTogether<Result>(
    changes: readonly Changes[],
    work: (sql: Sql) => Promise<Result>,
    whenWords: () => "now" | "many",
  ): Promise<Result> {
    await guard(() => partitions.createFor(changes));
    const result = await transactions.together(work);
    await guard(() => countPendingWords(db, whenWords()));
    return result;
  }

  function writeAlone<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    return transactions.alone((sql) => withIndex(sql, "now", work));
  }

  /** On a connection of its own, without a time limit: it reads every record of the platform. */
  function findErasure(target: Target) {
    return guard(() =>
      db.withoutTimeout((sql) => runAsync(planErasure(recordSteps({ sql, index: new SearchIndexWriter() }), target))),
    );
  }

  return {
    write(platform, batch) {
      const changes = [toChanges(platform, batch)];
      return writeTogether(
        changes,
        (sql) =>
          withIndex(sql, "later", async (unit) => {
            const pending = await WriteBatch.merge(sql, changes, replace, batch.history);
            await flush(pending, unit);
            await notify(sql, { about: "records", platform });
            return pending.counts();
          }),
        () => "now",
      );
    },
    apply(changes, merge, checkpoint) {
      let hasMore = false;
      return writeTogether(
        changes,
        async (sql) => {
          const { counts, progress } = await applyUnit(sql, changes, merge, checkpoint);
          hasMore = progress?.file.state === "running";
          return counts;
        },
        () => (hasMore ? "many" : "now"),
      );
    },
    applyAll(units, merge) {
      let hasMore = false;
      return writeTogether(
        units.flatMap(({ changes }) => changes),
        async (sql) => {
          // Each reads what those before it wrote.
          for (const { changes, checkpoint } of units) {
            const { progress } = await applyUnit(sql, changes, merge, checkpoint);
            hasMore = progress?.file.state === "running";
          }
        },
        () => (hasMore ? "many" : "now"),
      );
    },
    preview(changes, merge) {
      return guard(() => db.withConnection(async (sql) => (await WriteBatch.merge(sql, changes, merge)).counts()));
    },
    mergePlaceholder(platform, from, to, merge) {
      return writeAlone(async (unit) => {
        await runAsync(mergePlaceholder(recordSteps(unit), { platform, from, to }, merge));
        await notify(unit.sql, { about: "records", platform });
      });
    },
    deleteSource(source) {
      return writeAlone(async (unit) => {
        const deleted = await runAsync(deleteSource(recordSteps(unit), source));
        await notify(unit.sql, { about: "anything" });
        return deleted;
      });
    },
    deleteExpired(expiry, limit) {
      return writeAlone(async (unit) => {
        const deleted = await runAsync(deleteExpired(recordSteps(unit), expiry, limit));
        if (deleted > 0) await notify(unit.sql, { about: "anything" });
        return deleted;
      });
    },
    countExpired(expiry) {
      return guard(() =>
        db.withConnection((sql) =>
          runAsync(countExpired(recordSteps({ sql, index: new SearchIndexWriter() }), expiry)),
        ),
      );
    },
    async erase(platform, kind, id) {
      const target = toTarget(platform, kind, id);
      await writeAlone((unit) => runAsync(markTarget(recordSteps(unit), target)));
      const plan = await findErasure(target);
      const result = await writeAlone(async (unit) => {
        const erased = await runAsync(eraseTarget(recordSteps(unit), target, plan));
        await notify(unit.sql, { about: "erasure", platform });
        return erased;
      });
      await guard(() => vacuum.after(kind));
      return { ...result, isPurged: true };
    },
    async previewErasure(platform, kind, id) {
      const target = toTarget(platform, kind, id);
      const plan = await findErasure(target);
      const outcome: { counts?: ErasureCounts } = {};
      const rolledBack = new Error("only counted");
      await writeAlone(async (unit) => {
        outcome.counts = (await runAsync(eraseTarget(recordSteps(unit), target, plan))).counts;
        throw rolledBack;
      }).catch((error: unknown) => {
        if (error !== rolledBack) throw error;
      });
      return outcome.counts as ErasureCounts;
    },
    undo(jobId, after, dryRun) {
      const undo = (unit: UnitOfWork) => runAsync(undoPage(recordSteps(unit), { jobId, after, dryRun }));
      if (dryRun) return guard(() => db.withConnection((sql) => undo({ sql, index: new SearchIndexWriter() })));
      return writeAlone(async (unit) => {
        const page = await undo(unit);
        await notify(unit.sql, { about: "anything" });
        return page;
      });
    },
    refreshTrends: () =>
      guard(async () => {
        const today = dayOf(clock());
        if (!isStale(await getTrendState(db), today)) return;
        await db.withoutTimeout((sql) =>
          // Checks again: another process may have refreshed them while this one waited.
          withLock(sql, "trendRefresh", () => refreshTrends(createTrendTables(sql), today)),
        );
      }),
  };
}

/** Runs a part of a transaction and finishes its search index. */
async function withIndex<Result>(
  sql: Sql,
  words: "now" | "later",
  work: (unit: UnitOfWork) => Promise<Result>,
): Promise<Result> {
  const index = new SearchIndexWriter();
  const result = await work({ sql, index });
  await index.finish(sql, words);
  return result;
}

async function flush(batch: WriteBatch, unit: UnitOfWork): Promise<void> {
  await batch.flush(unit);
  await runAsync(removeLearnt(recordSteps(unit), batch.learnt()));
}

async function applyUnit(
  sql: Sql,
  changes: readonly Changes[],
  merge: Merge,
  checkpoint: WriteUnit["checkpoint"] | undefined,
): Promise<{ counts: WriteCounts; progress: Checkpoint | undefined }> {
  let counts: WriteCounts = {};
  let touches: JobTouches | null = null;
  if (changes.length > 0) {
    await withIndex(sql, "later", async (unit) => {
      const pending = await WriteBatch.merge(sql, changes, merge);
      await flush(pending, unit);
      counts = pending.counts();
      if (checkpoint !== undefined) touches = pending.touches();
      for (const platform of new Set(changes.map((part) => part.platform))) {
        await notify(sql, { about: "records", platform });
      }
    });
  }
  const progress = checkpoint?.(counts);
  if (progress !== undefined) {
    const steps = stepsOn(sql);
    await runAsync(writeCheckpoint(steps, DIALECT, progress));
    if (touches !== null) await runAsync(writeTouches(steps, progress.file.jobId, (touches as JobTouches).values()));
  }
  return { counts, progress };
}
