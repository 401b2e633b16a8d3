/**
 * The metrics of all processes as one text. Counters never decrease: those of a worker that exited or does not respond
 * in time are counted as last reported.
 */
import { withTimeout } from "#domain/with-timeout.ts";
import { type MetricFamily, Metrics, plainMetric, renderMetrics } from "#http/metrics.ts";
import type { WorkerHandle } from "./worker-pool.ts";

const TIMEOUT_MS = 1_000;

export class AggregateMetrics {
  /** The primary serves no requests itself: this is its memory and start time. */
  readonly #primary: Metrics;
  readonly #lastReported = new Map<number, MetricFamily[]>();
  #exited: MetricFamily[] = [];
  #replaced = 0;

  /** `listMore` gives the metrics of the primary's own tasks. */
  constructor(listMore?: () => MetricFamily[]) {
    this.#primary = new Metrics(listMore);
  }

  async text(workers: readonly WorkerHandle[]): Promise<string> {
    const responded = await Promise.all(workers.map((worker) => this.#poll(worker)));
    const responsive = responded.filter(Boolean).length;
    const reports = workers.map(({ id }) => this.#lastReported.get(id) ?? []);
    return renderMetrics([
      ...sumMetrics([this.#primaryFamilies(), this.#exited, ...reports]),
      plainMetric("gauge", "triptych_workers", "Workers that reported their metrics.", responsive),
      plainMetric(
        "gauge",
        "triptych_workers_unresponsive",
        "Workers that did not report within a second; their counters are as last reported.",
        workers.length - responsive,
      ),
      plainMetric(
        "counter",
        "triptych_workers_replaced_total",
        "Workers that exited by themselves, or hung and were killed, and were replaced.",
        this.#replaced,
      ),
    ]);
  }

  workerExited(id: number): void {
    this.#replaced += 1;
    this.#exited = sumMetrics([this.#exited, countersOf(this.#lastReported.get(id) ?? [])]);
    this.#lastReported.delete(id);
  }

  /** Without its event loop, which is idle: no request waits for it, and workers would seem less busy than they are. */
  #primaryFamilies(): MetricFamily[] {
    return this.#primary.families().filter(({ name }) => name !== "triptych_event_loop_seconds_total");
  }

  /** False if the worker did not respond. */
  async #poll({ id, channel }: WorkerHandle): Promise<boolean> {
    const report = withTimeout(TIMEOUT_MS, channel.call("metrics", null), () => new Error("no response"));
    const families = await report.catch(() => null);
    this.#lastReported.set(id, families ?? countersOf(this.#lastReported.get(id) ?? []));
    return families !== null;
  }
}

/** Adds up samples of the same name and labels. The start time is that of the first report. */
export function sumMetrics(reports: readonly (readonly MetricFamily[])[]): MetricFamily[] {
  const total = new Map<string, MetricFamily>();
  for (const family of reports.flat()) {
    const sum = total.get(family.name);
    if (sum === undefined) total.set(family.name, { ...family, samples: { ...family.samples } });
    else if (family.name !== "process_start_time_seconds") {
      for (const [sample, value] of Object.entries(family.samples))
        sum.samples[sample] = (sum.samples[sample] ?? 0) + value;
    }
  }
  return [...total.values()];
}

/** Gauges such as memory end with their process. */
export function countersOf(families: readonly MetricFamily[]): MetricFamily[] {
  return families.filter(({ type }) => type !== "gauge");
}
