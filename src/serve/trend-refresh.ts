/** Keeps trends current while serving. They are computed in a thread, so that requests do not wait. */
import { rankingPending } from "#errors";
import type { Store } from "#store/store.ts";
import { repeat } from "./repeat.ts";

const CHECK_EVERY_MS = 5_000;
const MIN_PAUSE_MS = 30_000;
const RETRY_AFTER_MS = 60_000;
/** Under constant writes, refreshing takes at most a fifth of a core. */
const PAUSE_PER_REFRESH = 4;

/** Work that is not committed at the signal is done again by the next refresh. */
type Refresh = (signal: AbortSignal) => Promise<unknown>;

/** More days than this are not queued: their requests are told to come back. */
const MAX_WAITING = 8;

/** Computes rankings as of earlier days, one after another. Requests for the same day share a computation. */
export class PastRankings {
  readonly #refresh: (day: number, signal: AbortSignal) => Promise<unknown>;
  readonly #stopping = new AbortController();
  readonly #waiting = new Map<number, Promise<void>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(refresh: (day: number, signal: AbortSignal) => Promise<unknown>) {
    this.#refresh = refresh;
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
    this.#stopping.abort();
    await this.#last;
  }

  async #run(day: number): Promise<void> {
    const { signal } = this.#stopping;
    try {
      signal.throwIfAborted();
      await this.#refresh(day, signal);
    } catch (error) {
      throw signal.aborted ? rankingPending(day) : error;
    }
  }
}

/**
 * Refreshes trends after writes and at midnight. When writes have ended, one refresh need not wait for the pause, and the one
 * in progress starts again, once: rankings follow an import after a single computation. Returns a stop function.
 */
export function scheduleTrendRefresh(
  store: Pick<Store, "hasStaleTrends" | "getPostsVersion">,
  startRefresh: Refresh,
  onError: (error: unknown) => void,
  now = () => performance.now(),
): () => Promise<void> {
  let lastVersion: number | null = null;
  let running: { of: number; restart: AbortController } | null = null;
  let refreshing = Promise.resolve();
  let pause = 0;
  let dueAt = 0;

  async function refresh(version: number, stopping: AbortSignal): Promise<void> {
    const startedAt = now();
    const current = (running = { of: version, restart: new AbortController() });
    const { signal: restart } = current.restart;
    try {
      await startRefresh(AbortSignal.any([stopping, restart])).catch((error: unknown) => {
        if (!restart.aborted || stopping.aborted) throw error;
        return startRefresh(stopping);
      });
      const duration = now() - startedAt;
      pause = Math.max(MIN_PAUSE_MS, PAUSE_PER_REFRESH * duration);
      // A pause that was left out is made up for by the next one.
      dueAt = Math.max(dueAt, startedAt) + duration + pause;
    } catch (error) {
      pause = 0;
      dueAt = now() + RETRY_AFTER_MS;
      if (!stopping.aborted) onError(error);
    }
    running = null;
  }

  async function check(stopping: AbortSignal): Promise<void> {
    const version = await store.getPostsVersion();
    const isQuiet = version === lastVersion;
    lastVersion = version;
    if (running !== null) {
      if (isQuiet && version !== running.of) running.restart.abort();
    } else if (now() >= (isQuiet ? dueAt - pause : dueAt) && (await store.hasStaleTrends()) && !stopping.aborted) {
      refreshing = refresh(version, stopping);
    }
  }

  const checks = repeat({ run: check, everyMs: CHECK_EVERY_MS, retryMs: RETRY_AFTER_MS, onError });
  return async () => {
    await checks.stop();
    await refreshing;
  };
}
