/** Keeps what is handed over, a transaction at a time, with all that is derived from it. */
import { dayOf } from "#domain/time.ts";
import type { Outcome, Writer } from "../store.ts";
import { replace, replacing } from "../batch-changes.ts";
import { adoptAccount } from "./adoption.ts";
import { Applying, type Turn } from "./applying.ts";
import type { Database } from "./database.ts";
import { eraseRecord } from "./erasure.ts";
import { notify } from "./events.ts";
import { forgetSource } from "./forgetting.ts";
import { putCheckpoint } from "./jobs.ts";
import { SearchUpkeep } from "./search-upkeep.ts";
import { Sweeping } from "./sweeping.ts";
import { heldDay, TrendUpkeep } from "./trend-upkeep.ts";
import { Turns } from "./turns.ts";

/** The clock says which day trends are of. */
export function createWriter(db: Database, clock: () => number): Writer {
  const sweeping = new Sweeping(db);
  const turns = new Turns(db);

  function inTurn<Result>(
    work: (turn: Turn) => Promise<Result>,
    countingMayWait: () => boolean = () => false,
  ): Promise<Result> {
    return turns.take(async (sql) => {
      const index = new SearchUpkeep();
      const trends = await TrendUpkeep.begin(sql, dayOf(clock()));
      const result = await work({ sql, index, trends });
      const mayWait = countingMayWait();
      await Promise.all([index.finish(sql, mayWait), trends.finish(mayWait)]);
      return result;
    });
  }

  return {
    put(platform, batch) {
      return inTurn(async (turn) => {
        const changes = replacing(platform, batch);
        const applying = await Applying.begin(turn, [changes], batch.history);
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
          const applying = await Applying.begin(turn, changes);
          const outcome: Outcome = {};
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
    rehearse(changes, merge) {
      return db.connected(async (sql) => {
        const applying = await Applying.begin({ sql, index: new SearchUpkeep() }, changes);
        const outcome: Outcome = {};
        for (const part of changes) applying.apply(part, merge, outcome);
        return outcome;
      });
    },
    adopt(platform, from, to, merge) {
      return inTurn(
        async (turn) => {
          await adoptAccount(turn, { platform, from, to }, merge);
          await notify(turn.sql, { about: "records", platform });
        },
        () => true,
      );
    },
    forget(source) {
      return inTurn(async (turn) => {
        const forgotten = await forgetSource(turn, source);
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
    async rollTrends() {
      // Takes no turn if they are of today: it may be asked at any time.
      if (((await heldDay(db)) ?? -1) < dayOf(clock())) await inTurn(async () => undefined);
    },
  };
}
