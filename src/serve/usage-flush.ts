/** Writes the usage of tokens to the store every few seconds, behind requests. What cannot be written is kept for the next time. */
import { DAY_MS, toIsoDate } from "#domain/time.ts";
import type { UsageCounter } from "#http/usage-counter.ts";
import type { Usage } from "#store/tokens/usage-port.ts";
import { repeat } from "./repeat.ts";

const FLUSH_EVERY_MS = 5_000;
const DELETE_EVERY_MS = DAY_MS;
const KEPT_DAYS = 400;
/** A store that cannot be written is reported no more often. */
const REPORT_EVERY_MS = 60_000;

export interface UsageFlush {
  /** Writes what was counted so far. */
  flush(): Promise<void>;
  /** Writes the rest. */
  stop(): Promise<void>;
}

export function scheduleUsageFlush(counter: UsageCounter, usage: Usage, onError: (error: unknown) => void): UsageFlush {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let deletedAt = Number.NEGATIVE_INFINITY;

  async function write(): Promise<void> {
    const rows = counter.take();
    if (rows.length === 0) return;
    const now = Date.now();
    let isWritten = false;
    try {
      await usage.addUsage(rows);
      isWritten = true;
      if (now - deletedAt < DELETE_EVERY_MS) return;
      deletedAt = now;
      await usage.deleteUsageBefore(toIsoDate(now - KEPT_DAYS * DAY_MS));
    } catch (error) {
      if (!isWritten) counter.add(rows);
      if (now - reportedAt < REPORT_EVERY_MS) return;
      reportedAt = now;
      onError(error);
    }
  }

  const writes = repeat({ run: write, everyMs: FLUSH_EVERY_MS, firstAfterMs: FLUSH_EVERY_MS, onError });
  return {
    flush: async () => void (await writes.runNow()),
    async stop() {
      await writes.stop();
      await write();
    },
  };
}
