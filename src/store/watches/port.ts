/** Watches, and the leases that let one process at a time run those of a source. */
import type { Watch } from "#domain/watch.ts";

export interface Watches {
  /** By the time they are due. */
  listWatches(): Promise<Watch[]>;
  /** A watch of the same thing gets the new interval and is active. Returns the one that is stored. */
  addWatch(watch: Watch): Promise<Watch>;
  /** Null if there is no such watch. A resumed watch that is overdue is due at `now`. */
  setWatchState(id: string, state: Watch["state"], now: number): Promise<Watch | null>;
  /** Returns whether there was one. */
  deleteWatch(id: string): Promise<boolean>;
  /** Moves a due watch to its next time. False if another process was faster, or it is no longer active. */
  startWatch(watch: Watch, nextAt: number, now: number): Promise<boolean>;
  /** Notes how it ended, and perhaps an earlier next time. */
  endWatch(id: string, outcome: string, nextAt: number | null): Promise<void>;
  /** Leases a source by the store's clock. False if another process has it. */
  leaseSource(source: string, owner: string, leaseMs: number): Promise<boolean>;
  releaseSource(source: string, owner: string): Promise<void>;
}
