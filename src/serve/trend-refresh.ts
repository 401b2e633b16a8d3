/** Keeps trends current while serving. They are computed in a thread, so that requests do not wait. */
import { once } from "node:events";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import type { Config } from "#config";
import type { Store } from "#store/store.ts";
import { resourceLimitsFor } from "./import/parser-thread.ts";
import { openStore } from "./open-store.ts";

/** Marks a worker as one of ours: other threads may load this file too. */
const ROLE = "triptych trends";

const CHECK_EVERY_MS = 30_000;
const RETRY_AFTER_MS = 60_000;
/** Under constant writes, refreshing takes at most a fifth of a core. */
const PAUSE_PER_REFRESH = 4;

interface Work {
  config: Config;
  /** Unix milliseconds. */
  now: number;
}

/** Refreshes trends after writes and at midnight. Returns a stop function. */
export function scheduleTrendRefresh(
  config: Config,
  store: Pick<Store, "hasStaleTrends">,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let thread: Worker | null = null;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function refresh(): Promise<void> {
    thread = new Worker(new URL(import.meta.url), {
      workerData: { role: ROLE, config, now: Date.now() },
      resourceLimits: resourceLimitsFor(config),
    });
    await once(thread, "exit");
    thread = null;
  }

  async function check(): Promise<void> {
    const startedAt = Date.now();
    let failed = false;
    try {
      const isStale = await store.hasStaleTrends();
      if (isStale && !stopped) await refresh();
    } catch (error) {
      failed = true;
      if (!stopped) onError(error);
    }
    if (stopped) return;
    const pause = failed ? RETRY_AFTER_MS : Math.max(CHECK_EVERY_MS, PAUSE_PER_REFRESH * (Date.now() - startedAt));
    timer = setTimeout(() => (checking = check()), pause);
    timer.unref();
  }

  let checking = check();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    // What it has not committed is computed again after the next start.
    await thread?.terminate();
    await checking;
  };
}

/** For the day of the thread that found them stale. */
async function refreshHere({ config, now }: Work): Promise<void> {
  const store = await openStore(config, "small", () => now);
  try {
    await store.writer.refreshTrends();
  } finally {
    await store.close();
  }
}

const work = workerData as (Work & { role?: string }) | null;
if (!isMainThread && work?.role === ROLE) await refreshHere(work);
