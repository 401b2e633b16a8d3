/**
 * Runs watches when they are due: of each source one at a time in all processes, and one per tick, so that a start after a
 * long stop requests everything once, spread out. What was missed meanwhile is not made up for.
 */
import type { PlatformName } from "#domain/record.ts";
import type { Watch } from "#domain/watch.ts";
import type { Watches } from "#store/watches/port.ts";
import type { Watchable } from "#api/watchable.ts";
import type { WatchAnswer, WatchSource } from "./watch-source.ts";

/** Longer than any request takes: then another process may go on. */
const LEASE_MS = 120_000;
/** A source that could not answer is asked again no sooner. */
const MIN_RETRY_MS = 60_000;

export interface SchedulerOptions {
  watches: Watches;
  source: WatchSource;
  watchable: Readonly<Record<PlatformName, Watchable>>;
  owner: string;
  clock: () => number;
}

export class WatchScheduler {
  readonly #options: SchedulerOptions;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** At most one watch of each source. Returns those that were requested. */
  async tick(): Promise<Watch[]> {
    const { watches, source, watchable, clock } = this.#options;
    const now = clock();
    const due = new Map<string, Watch>();
    for (const watch of await watches.listWatches()) {
      if (watch.state !== "active" || watch.nextAt > now) continue;
      const kind = watchable[watch.platform]?.[watch.kind];
      const name = kind === undefined ? null : source.sourceOf(kind.operation, watch.platform);
      if (name !== null && !due.has(name)) due.set(name, watch);
    }
    const ran = await Promise.all(Array.from(due, ([name, watch]) => this.#runLeased(name, watch)));
    return ran.filter((watch) => watch !== null);
  }

  async #runLeased(source: string, watch: Watch): Promise<Watch | null> {
    const { watches, owner } = this.#options;
    if (!(await watches.leaseSource(source, owner, LEASE_MS))) return null;
    try {
      return (await this.#run(watch)) ? watch : null;
    } finally {
      await watches.releaseSource(source, owner);
    }
  }

  async #run(watch: Watch): Promise<boolean> {
    const { watches, source, watchable, clock } = this.#options;
    const { id, platform, kind, target, everyMs } = watch;
    const now = clock();
    const nextAt = nextTime(watch, now);
    // Before the request: one that is interrupted is not repeated, so that no quota is spent twice.
    if (!(await watches.startWatch(watch, nextAt, now))) return false;
    const request = watchable[platform]?.[kind];
    if (request === undefined) return false;
    // Half of the interval: somebody who asked for the same a moment ago has refreshed it.
    const answer = await source
      .ask({ operation: request.operation, input: request.toInput(target), minAgeMs: everyMs / 2 })
      .catch((error: unknown): WatchAnswer => {
        const reason = error instanceof Error ? error.message : String(error);
        return { state: "unavailable", reason, retryAfterS: null };
      });
    await watches.endWatch(id, describe(answer), retryTime(answer, now, nextAt));
    return true;
  }
}

/** The rhythm is kept, unless the watch is so late that the next time has passed as well. */
export function nextTime({ nextAt: dueAt, everyMs }: Pick<Watch, "nextAt" | "everyMs">, now: number): number {
  return dueAt + everyMs > now ? dueAt + everyMs : now + everyMs;
}

/** Null unless the source says when to come again, and that is sooner than the next regular time. */
function retryTime(answer: WatchAnswer, now: number, nextAt: number): number | null {
  if (answer.state !== "unavailable" || answer.retryAfterS === null) return null;
  const retryAt = now + Math.max(MIN_RETRY_MS, answer.retryAfterS * 1_000);
  return retryAt < nextAt ? retryAt : null;
}

function describe(answer: WatchAnswer): string {
  if (answer.state === "filled") return "updated";
  if (answer.state === "empty") return "nothing found";
  return answer.state === "none" ? "no source can fill it" : `the source ${answer.reason}`;
}
