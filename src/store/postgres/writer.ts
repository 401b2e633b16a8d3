/** Keeps what is handed over, a transaction at a time, with all that is derived from it. */
import { dayOf } from "#domain/time.ts";
import type { WriteCounts, Writer } from "../store.ts";
import { replace, changesOf } from "../batch-changes.ts";
import { mergePlaceholder } from "./merge-placeholder.ts";
import { WriteBatch, type UnitOfWork } from "./write-batch.ts";
import type { Database } from "./database.ts";
import { eraseRecord } from "./erase.ts";
import { notify } from "./events.ts";
import { deleteSource } from "./delete-source.ts";
import { putCheckpoint } from "./jobs.ts";
import { SearchIndexWriter } from "./search-index-writer.ts";
import { VacuumQueue } from "./vacuum.ts";
import { heldDay, TrendWriter } from "./trend-writer.ts";
import { WriteLock } from "./write-lock.ts";

/** The clock says which day trends are of. */
export function createWriter(db: Database, clock: () => number): Writer {
  const sweeping = new VacuumQueue(db);
  const turns = new WriteLock(db);

  function inTurn<Result>(
    work: (turn: UnitOfWork) => Promise<Result>,
    countingMayWait: () => boolean = () => false,
  ): Promise<Result> {
    return turns.take(async (sql) => {
      const index = new SearchIndexWriter();
      const trends = await TrendWriter.begin(sql, dayOf(clock()));
      const result = await work({ sql, index, trends });
      const mayWait = countingMayWait();
      await Promise.all([index.finish(sql, mayWait), trends.finish(mayWait)]);
      return result;
    });
  }

  return {
    write(platform, batch) {
      return inTurn(async (turn) => {
        const changes = changesOf(platform, batch);
        const applying = await WriteBatch.begin(turn, [changes], batch.history);
        applying.apply(changes, replace);
        applying.addHistory(platform, batch.history ?? []);
        await applying.flush(turn);
        await notify(turn.sql, { about: "records", platform });
      });
    },
    apply(changes, merge, checkpoint) {
      let fileGoesOn = false;
      return inTurn(
        async (turn) => {
          const applying = await WriteBatch.begin(turn, changes);
          const outcome: WriteCounts = {};
          for (const part of changes) applying.apply(part, merge, outcome);
          await applying.flush(turn);
          for (const platform of new Set(changes.map((part) => part.platform))) {
            await notify(turn.sql, { about: "records", platform });
          }
          if (checkpoint !== undefined) {
            const reached = checkpoint(outcome);
            await putCheckpoint(turn.sql, reached);
            fileGoesOn = reached.file.state === "running";
          }
          return outcome;
        },
        () => fileGoesOn,
      );
    },
    preview(changes, merge) {
      return db.withConnection(async (sql) => {
        const applying = await WriteBatch.begin({ sql, index: new SearchIndexWriter() }, changes);
        const outcome: WriteCounts = {};
        for (const part of changes) applying.apply(part, merge, outcome);
        return outcome;
      });
    },
    mergePlaceholder(platform, from, to, merge) {
      return inTurn(
        async (turn) => {
          await mergePlaceholder(turn, { platform, from, to }, merge);
          await notify(turn.sql, { about: "records", platform });
        },
        () => true,
      );
    },
    deleteSource(source) {
      return inTurn(async (turn) => {
        const forgotten = await deleteSource(turn, source);
        await notify(turn.sql, { about: "anything" });
        return forgotten;
      });
    },
    async erase(platform, kind, id) {
      await inTurn(async (turn) => {
        await eraseRecord(turn, platform, kind, id);
        await notify(turn.sql, { about: "erasure", platform, kind, id });
      });
      await sweeping.after(kind);
    },
    async rollOverTrends() {
      // Takes no turn if they are of today: it may be asked at any time.
      if (((await heldDay(db)) ?? -1) < dayOf(clock())) await inTurn(async () => undefined);
    },
  };
}
