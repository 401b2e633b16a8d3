/** Keeps trends current while serving. They are computed in a thread, so that requests do not wait. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Config } from "#config";
import type { Store } from "#store/store.ts";
import { resourceLimitsFor } from "./import/parser-thread.ts";
import type { ToTrendThread } from "./import/thread-messages.ts";

const CHECK_EVERY_MS = 30_000;
const RETRY_AFTER_MS = 60_000;
/** Under constant writes, refreshing takes at most a fifth of a core. */
const PAUSE_PER_REFRESH = 4;

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
    const workerData: ToTrendThread = { kind: "refresh", config, now: Date.now() };
    thread = new Worker(new URL("./trend-refresh-main.ts", import.meta.url), {
      workerData,
      resourceLimits: resourceLimitsFor(config),
    });
    await once(thread, "exit");
    thread = null;
  }

  async function check(): Promise<void> {
    const startedAt = performance.now();
    let failed = false;
    try {
      const isStale = await store.hasStaleTrends();
      if (isStale && !stopped) await refresh();
    } catch (error) {
      failed = true;
      if (!stopped) onError(error);
    }
    if (stopped) return;
    const pause = failed
      ? RETRY_AFTER_MS
      : Math.max(CHECK_EVERY_MS, PAUSE_PER_REFRESH * (performance.now() - startedAt));
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
