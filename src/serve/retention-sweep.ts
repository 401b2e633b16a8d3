/** Deletes what is due by the retention rules, at the start of a service and every hour. */
import type { Config } from "#config";
import { RETENTION_KINDS } from "#domain/retention.ts";
import { labelledCounter, type MetricFamily, plainMetric } from "#http/metrics.ts";
import { readExpiries, type SweepCounts } from "#privacy/retention.ts";
import { repeat } from "./repeat.ts";
import { retentionSettings } from "./retention-settings.ts";
import { runTask } from "./tasks/run-task.ts";
import type { Store } from "#store/store.ts";

const SWEEP_EVERY_MS = 3_600_000;
const RETRY_AFTER_MS = 60_000;

export interface RetentionSweeper {
  families(): MetricFamily[];
  stop(): Promise<void>;
}

export function scheduleRetentionSweep(
  config: Config,
  { retention }: Pick<Store, "retention">,
  onError: (error: unknown) => void,
): RetentionSweeper {
  const deleted: SweepCounts = {};
  // From the start, so that a sweep that never works shows as overdue.
  let sweptAt = Date.now() / 1000;

  async function sweep(signal: AbortSignal): Promise<void> {
    const now = Date.now();
    const expiries = await readExpiries(retention, retentionSettings(config), now);
    if (expiries.length > 0 && !signal.aborted) {
      // The next sweep deletes the records that a stopped one has left.
      const counts = await runTask("sweep", { config, now }, signal);
      for (const kind of RETENTION_KINDS) {
        if (counts[kind] !== undefined) deleted[kind] = (deleted[kind] ?? 0) + counts[kind];
      }
    }
    sweptAt = Date.now() / 1000;
  }

  const sweeps = repeat({ run: sweep, everyMs: SWEEP_EVERY_MS, retryMs: RETRY_AFTER_MS, onError });
  return {
    families: () => [
      labelledCounter("triptych_retention_deleted_total", "Rows deleted by retention rules, by kind.", "kind", deleted),
      plainMetric(
        "gauge",
        "triptych_retention_last_sweep_timestamp_seconds",
        "When retention rules were last applied, if only to find nothing due, Unix seconds; at first the start of the service.",
        sweptAt,
      ),
    ],
    stop: () => sweeps.stop(),
  };
}
