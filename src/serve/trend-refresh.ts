/** Keeps trends current while serving. They are computed in a thread, so that requests do not wait. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Config } from "#config";
import { rankingPending } from "#errors";
import type { Store } from "#store/store.ts";
import type { ToTrendThread } from "./import/thread-messages.ts";
import { resourceLimitsFor } from "./thread-limits.ts";

const CHECK_EVERY_MS = 5_000;
const MIN_PAUSE_MS = 30_000;
const RETRY_AFTER_MS = 60_000;
/** Under constant writes, refreshing takes at most a fifth of a core. */
const PAUSE_PER_REFRESH = 4;

export interface TrendRefresh {
  ended: Promise<unknown>;
  /** What it has not committed is computed again by the next one. */
  cancel(): Promise<unknown>;
}

export function startTrendThread(config: Config, asOf: number | null): TrendRefresh {
  const workerData: ToTrendThread = { kind: "refresh", config, now: Date.now(), asOf };
  const thread = new Worker(new URL("./trend-refresh-main.ts", import.meta.url), {
    workerData,
    resourceLimits: resourceLimitsFor(config),
  });
  return { ended: once(thread, "exit"), cancel: () => thread.terminate() };
}

/** More days than this are not queued: their requests are told to come back. */
const MAX_WAITING = 8;

/** Computes rankings as of earlier days, one after another. Requests for the same day share a computation. */
export class PastRankings {
  readonly #start: (day: number) => TrendRefresh;
  readonly #waiting = new Map<number, Promise<void>>();
  #last: Promise<unknown> = Promise.resolve();
  #running: TrendRefresh | null = null;
  #isClosed = false;

  constructor(start: (day: number) => TrendRefresh) {
    this.#start = start;
  }

  async compute(day: number): Promise<void> {
    const shared = this.#waiting.get(day);
    if (shared !== undefined) return shared;
    if (this.#waiting.size >= MAX_WAITING) throw rankingPending(day);
    const computed = this.#last.then(() => this.#run(day)).finally(() => this.#waiting.delete(day));
    this.#waiting.set(day, computed);
    this.#last = computed.catch(() => undefined);
    return computed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running?.cancel();
    await this.#last;
  }

  async #run(day: number): Promise<void> {
    if (this.#isClosed) throw rankingPending(day);
    this.#running = this.#start(day);
    try {
      await this.#running.ended;
    } finally {
      this.#running = null;
    }
  }
}

/**
 * Refreshes trends after writes and at midnight. When writes have ended, one refresh need not wait for the pause, and the one
 * in progress starts again, once: rankings follow an import after a single computation. Returns a stop function.
 */
export function scheduleTrendRefresh(
  store: Pick<Store, "hasStaleTrends" | "getPostsVersion">,
  startRefresh: () => TrendRefresh,
  onError: (error: unknown) => void,
  now = () => performance.now(),
): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let lastVersion: number | null = null;
  let running: { of: number; thread: TrendRefresh; isRestarted: boolean } | null = null;
  let refreshing = Promise.resolve();
  let pause = 0;
  let dueAt = 0;

  async function refresh(version: number): Promise<void> {
    const startedAt = now();
    running = { of: version, thread: startRefresh(), isRestarted: false };
    try {
      await running.thread.ended;
      if (running.isRestarted && !stopped) await (running.thread = startRefresh()).ended;
      const duration = now() - startedAt;
      pause = Math.max(MIN_PAUSE_MS, PAUSE_PER_REFRESH * duration);
      // A pause that was left out is made up for by the next one.
      dueAt = Math.max(dueAt, startedAt) + duration + pause;
    } catch (error) {
      pause = 0;
      dueAt = now() + RETRY_AFTER_MS;
      if (!stopped) onError(error);
    }
    running = null;
  }

  async function check(): Promise<void> {
    const version = await store.getPostsVersion();
    const isQuiet = version === lastVersion;
    lastVersion = version;
    if (running !== null) {
      if (!isQuiet || version === running.of || running.isRestarted) return;
      running.isRestarted = true;
      await running.thread.cancel();
    } else if (now() >= (isQuiet ? dueAt - pause : dueAt) && (await store.hasStaleTrends()) && !stopped) {
      refreshing = refresh(version);
    }
  }

  async function checkAndWait(): Promise<void> {
    let wait = CHECK_EVERY_MS;
    try {
      await check();
    } catch (error) {
      wait = RETRY_AFTER_MS;
      if (!stopped) onError(error);
    }
    if (stopped) return;
    timer = setTimeout(() => (checking = checkAndWait()), wait);
    timer.unref();
  }

  let checking = checkAndWait();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running?.thread.cancel();
    await checking;
    await refreshing;
  };
}
