/** Deletes what is due by the retention rules, at the start of a service and every hour. */
import type { Config } from "#config";
import { labelledCounter, type MetricFamily, plainMetric } from "#http/metrics.ts";
import { readExpiries, type SweepCounts } from "#privacy/retention.ts";
import { runPrivacyTask } from "./privacy-task.ts";
import { retentionSettings } from "./retention-settings.ts";
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
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    let pauseMs = SWEEP_EVERY_MS;
    try {
      const now = Date.now();
      const expiries = await readExpiries(retention, retentionSettings(config), now);
      if (expiries.length > 0 && !stopping.signal.aborted) {
        const counts = await runPrivacyTask(config, { name: "sweep", now }, stopping.signal);
        for (const [kind, count] of Object.entries(counts) as [keyof SweepCounts, number][]) {
          deleted[kind] = (deleted[kind] ?? 0) + count;
        }
      }
      sweptAt = Date.now() / 1000;
    } catch (error) {
      pauseMs = RETRY_AFTER_MS;
      if (!stopping.signal.aborted) onError(error);
    }
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => (running = run()), pauseMs);
    timer.unref();
  }

  let running = run();
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
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
