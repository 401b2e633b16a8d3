/** Writes records with everything derived from them. Imports write side by side, in any number of processes. */
import { dayOf } from "#domain/time.ts";
import type { StoreEvent } from "./events.ts";
import type { Checkpoint, UndoPage, WriteCounts, Writer, WriteUnit } from "./port.ts";
import type { JobTouches } from "#store/undo/port.ts";
import type { LearntId } from "#store/erasure/learn.ts";
import { eraseTarget, markTarget, planErasure, previewErasure, removeLearnt, toTarget } from "#store/erasure/erase.ts";
import { listLiveSources, writeTouchesOf } from "#store/undo/statements.ts";
import { writeCheckpoint } from "#store/jobs/statements.ts";
import { mergePlaceholder } from "./merge-placeholder.ts";
import { markPurged, readPurgeState } from "#store/erasure/purge-state.ts";
import { countExpired, deleteRows } from "./removal.ts";
import type { RecordSteps } from "./unit.ts";
import { isStale, refreshTrends } from "#store/trends/refresh.ts";
import { runAsync, type Steps } from "#store/sql/sql.ts";
import { restorePage, undoPage } from "#store/undo/undo.ts";
import { withLock } from "#store/postgres/advisory-locks.ts";
import { WriteBatch, type UnitOfWork } from "./batch.postgres.ts";
import type { Database } from "#store/postgres/database.ts";
import { notify } from "#store/postgres/events.ts";
import { recordSteps } from "./unit.postgres.ts";
import { DIALECT, stepsOn } from "#store/postgres/shared-sql.ts";
import { SearchIndexWriter } from "#store/search/postgres.ts";
import type { Sql } from "#store/postgres/sql.ts";
import { PartitionCreator } from "#store/search/partitions.postgres.ts";
import { VacuumQueue } from "#store/postgres/vacuum.ts";
import { createTrendTables, getTrendState } from "#store/trends/postgres.ts";
import { countPendingWords } from "#store/search/word-counts.postgres.ts";
import { type Guard, MustRunAlone, WriteTransactions } from "#store/postgres/write-transactions.ts";

/** The clock decides the day of the trends. */
export function createWriter(db: Database, clock: () => number, guard: Guard): Writer {
  const vacuum = new VacuumQueue(db);
  const transactions = new WriteTransactions(db, guard);
  const partitions = new PartitionCreator(db);

  /** In one transaction, beside others. Words are counted after the commit: see `countPendingWords`. */
  async function writeUnits(units: readonly WriteUnit[]): Promise<WriteCounts[]> {
    await guard(() => partitions.createFor(units.flatMap(({ changes }) => changes)));
    const written = await transactions.together(async (sql, isAlone) => {
      const results: WrittenUnit[] = [];
      // Each reads what those before it wrote.
      for (const unit of units) results.push(await writeUnit(sql, unit, isAlone));
      return results;
    });
    const hasMore = written.at(-1)?.progress?.file.state === "running";
    await guard(() => countPendingWords(db, hasMore ? "many" : "now"));
    return written.map(({ counts }) => counts);
  }

  const countUnit = ({ changes, merge }: WriteUnit): Promise<WriteCounts> =>
    guard(() => db.withConnection(async (sql) => (await WriteBatch.merge(sql, changes, merge)).counts()));

  function writeAlone<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result> {
    return transactions.alone((sql) => withIndex(sql, "now", work));
  }

  function writeAndNotify<Result>(work: (unit: RecordSteps) => Steps<Result>, event: StoreEvent): Promise<Result> {
    return writeAlone(async (unit) => {
      const result = await runAsync(work(recordSteps(unit)));
      await notify(unit.sql, event);
      return result;
    });
  }

  /** Erasures read every record of the platform, `withoutTimeout`. */
  function read<Result>(
    work: (unit: RecordSteps) => Steps<Result>,
    connection: "withConnection" | "withoutTimeout" = "withConnection",
  ): Promise<Result> {
    return guard(() => db[connection]((sql) => runAsync(work(recordSteps({ sql, index: new SearchIndexWriter() })))));
  }

  const restore = (work: (unit: RecordSteps) => Steps<UndoPage>, dryRun: boolean) =>
    dryRun ? read(work) : writeAndNotify(work, { about: "anything" });

  return {
    write: (units, { dryRun = false } = {}) => (dryRun ? Promise.all(units.map(countUnit)) : writeUnits(units)),
    mergePlaceholder: (platform, from, to, merge) =>
      writeAndNotify((unit) => mergePlaceholder(unit, { platform, from, to, merge }), { about: "records", platform }),
    deleteSource: (source) => writeAndNotify((unit) => deleteRows(unit, { source }), { about: "anything" }),
    deleteExpired(expiry, limit) {
      return writeAlone(async (unit) => {
        const deleted = await runAsync(deleteRows(recordSteps(unit), { expiry, limit }));
        if (deleted > 0) await notify(unit.sql, { about: "anything" });
        return deleted;
      });
    },
    countExpired: (expiry) => read((unit) => countExpired(unit, expiry)),
    async erase(platform, kind, id) {
      const target = toTarget(platform, kind, id);
      await writeAlone((unit) => runAsync(markTarget(recordSteps(unit), target)));
      const plan = await read((unit) => planErasure(unit, target), "withoutTimeout");
      return writeAndNotify((unit) => eraseTarget(unit, target, plan), { about: "erasure", platform });
    },
    purgeErased: () =>
      guard(async () => {
        const { deletions } = await readPurgeState(db);
        const isPurged = await vacuum.afterErasure();
        if (isPurged) await markPurged(db, deletions);
        return isPurged;
      }),
    previewErasure: (platform, kind, id) =>
      read((unit) => previewErasure(unit, toTarget(platform, kind, id)), "withoutTimeout"),
    undo: (jobId, after, dryRun) => restore((steps) => undoPage(steps, { jobId, after, dryRun }), dryRun),
    listLiveSources: () => read(({ sql }) => listLiveSources(sql)),
    restoreImported: (source, expiries, after, dryRun) =>
      restore((steps) => restorePage(steps, { source, expiries, after, dryRun }), dryRun),
    refreshTrends: (asOf) =>
      guard(async () => {
        const now = clock();
        if (asOf == null && !isStale(await getTrendState(db), dayOf(now))) return;
        await db.withoutTimeout((sql) =>
          // Checks again: another process may have refreshed them while this one waited.
          withLock(sql, "trendRefresh", () => refreshTrends(createTrendTables(sql), now, asOf)),
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

interface WrittenUnit {
  counts: WriteCounts;
  progress: Checkpoint | undefined;
}

async function writeUnit(
  sql: Sql,
  { changes, merge, checkpoint, fetchedFrom }: WriteUnit,
  isAlone: boolean,
): Promise<WrittenUnit> {
  let counts: WriteCounts = {};
  let touches: JobTouches | null = null;
  let learnt: readonly LearntId[] = [];
  if (changes.length > 0) {
    await withIndex(sql, "later", async (unit) => {
      const pending = await WriteBatch.merge(sql, changes, merge);
      // Another writer may be writing records of an erased person whose id it cannot know yet.
      learnt = pending.learnt();
      if (learnt.length > 0 && !isAlone) throw new MustRunAlone();
      await pending.flush(unit);
      counts = pending.counts();
      touches = pending.touches(fetchedFrom !== undefined);
      for (const platform of new Set(changes.map((part) => part.platform))) {
        await notify(sql, { about: "records", platform });
      }
    });
  }
  const progress = checkpoint?.(counts);
  const steps = stepsOn(sql);
  if (progress !== undefined) await runAsync(writeCheckpoint(steps, DIALECT, progress));
  if (touches !== null) await runAsync(writeTouchesOf(steps, { progress, fetchedFrom }, touches));
  // After the touches, which may name somebody whom the batch showed to be erased.
  if (learnt.length > 0) await withIndex(sql, "later", (unit) => runAsync(removeLearnt(recordSteps(unit), learnt)));
  return { counts, progress };
}
