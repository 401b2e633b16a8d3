/** Removes the bytes of what was deleted, in the background: one run serves all deletions before it (docs/erasing.md). */
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "#store/store.ts";
import { repeat } from "./repeat.ts";

const CHECK_EVERY_MS = 60_000;
/** A large store takes longer: then the answer to an erasure says that its bytes are pending. */
const MAX_WAIT_MS = 10_000;
/** Runs that make nobody wait for long need no pause. */
const SHORT_RUN_MS = 3_000;
/** Per millisecond of a run, for which writers wait: for erased people a twentieth of the time, for anything else less. */
const PAUSE = { soon: 20, later: 1_000 };

export interface PurgeSchedule {
  /** For people who asked to be erased, and imports that were undone. True if nothing is left, false if it takes longer. */
  purgeSoon(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Checks at the start, since a process may have been killed before its deletions were purged, and every minute. */
export function schedulePurges(
  store: Pick<Store, "getPurgePending">,
  purge: (signal: AbortSignal) => Promise<boolean>,
  onError: (error: unknown) => void,
  now = () => performance.now(),
): PurgeSchedule {
  let isSoon = true;
  let hasFailed = false;
  let last = { endedAt: Number.NEGATIVE_INFINITY, ms: 0 };

  async function runIfDue(signal: AbortSignal): Promise<boolean> {
    try {
      if ((await store.getPurgePending()) === null) return true;
      const pause = PAUSE[isSoon ? "soon" : "later"] * Math.max(0, last.ms - SHORT_RUN_MS);
      if (now() < last.endedAt + pause) return false;
      const startedAt = now();
      const wasSoon = isSoon;
      // Before the run: an erasure meanwhile is for the next one.
      isSoon = false;
      let isPurged = false;
      try {
        isPurged = await purge(signal);
      } finally {
        last = { endedAt: now(), ms: now() - startedAt };
        if (!isPurged) isSoon ||= wasSoon;
      }
      hasFailed = false;
      return isPurged;
    } catch (error) {
      // A full disk fails every run.
      if (!signal.aborted && !hasFailed) onError(error);
      hasFailed = true;
      return false;
    }
  }

  const runs = repeat({ run: runIfDue, everyMs: CHECK_EVERY_MS, onError });
  return {
    async purgeSoon() {
      isSoon = true;
      // The run in progress may have begun before the deletion of the caller: the next one counts.
      return (await Promise.race([runs.runNow(), sleep(MAX_WAIT_MS, false, { ref: false })])) === true;
    },
    stop: () => runs.stop(),
  };
}
