/** Does something again and again, one run after the other. */

export interface Repeated<Outcome> {
  /** Runs it again, after the run in progress; callers meanwhile share that run. Null if it failed. */
  runNow(): Promise<Outcome | null>;
  /** Aborts the run in progress and waits for it. */
  stop(): Promise<void>;
}

export interface RepeatOptions<Outcome> {
  run: (signal: AbortSignal) => Promise<Outcome>;
  /** The pause after a run. */
  everyMs: number | ((outcome: Outcome) => number);
  /** The pause after a run that failed; by default the same. */
  retryMs?: number;
  /** By default it runs immediately. */
  firstAfterMs?: number;
  onError: (error: unknown) => void;
}

export function repeat<Outcome>(options: RepeatOptions<Outcome>): Repeated<Outcome> {
  const { run, everyMs, firstAfterMs = 0, onError } = options;
  const { retryMs = typeof everyMs === "number" ? everyMs : 0 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<Outcome | null> = Promise.resolve(null);
  let next: Promise<Outcome | null> | null = null;

  async function runOnce(): Promise<Outcome | null> {
    if (signal.aborted) return null;
    clearTimeout(timer);
    try {
      const outcome = await run(signal);
      wait(typeof everyMs === "number" ? everyMs : everyMs(outcome));
      return outcome;
    } catch (error) {
      if (!signal.aborted) onError(error);
      wait(retryMs);
      return null;
    }
  }

  async function runNext(): Promise<Outcome | null> {
    await running;
    next = null;
    return (running = runOnce());
  }

  const runNow = () => (next ??= runNext());

  function wait(ms: number): void {
    if (signal.aborted) return;
    timer = setTimeout(() => void runNow(), ms);
    timer.unref();
  }

  if (firstAfterMs > 0) wait(firstAfterMs);
  else void runNow();
  return {
    runNow,
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await next;
      await running;
    },
  };
}
