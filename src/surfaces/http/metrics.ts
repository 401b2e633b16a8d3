/** Counts for Prometheus, kept as plain numbers and written out as text only when asked. */

/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

interface Series {
  byStatus: Map<number, number>;
  buckets: number[];
  sum: number;
  count: number;
}

export class Metrics {
  readonly #series = new Map<string, Series>();
  readonly #startedAt = Date.now() / 1000;

  record(operation: string, status: number, seconds: number): void {
    let series = this.#series.get(operation);
    if (series === undefined) {
      series = { byStatus: new Map(), buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
      this.#series.set(operation, series);
    }
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
    series.sum += seconds;
    series.count++;
  }

  text(): string {
    const lines = [
      "# HELP triptych_requests_total Requests answered, by operation and status.",
      "# TYPE triptych_requests_total counter",
    ];
    for (const [operation, { byStatus }] of this.#series) {
      for (const [status, count] of byStatus)
        lines.push(`triptych_requests_total{operation="${operation}",status="${status}"} ${count}`);
    }
    lines.push(
      "# HELP triptych_request_seconds Time from the request's arrival to its answer.",
      "# TYPE triptych_request_seconds histogram",
    );
    for (const [operation, { buckets, sum, count }] of this.#series) {
      let below = 0;
      BUCKETS.forEach((bound, index) => {
        below += buckets[index] ?? 0;
        lines.push(`triptych_request_seconds_bucket{operation="${operation}",le="${bound}"} ${below}`);
      });
      lines.push(
        `triptych_request_seconds_bucket{operation="${operation}",le="+Inf"} ${count}`,
        `triptych_request_seconds_sum{operation="${operation}"} ${sum.toFixed(6)}`,
        `triptych_request_seconds_count{operation="${operation}"} ${count}`,
      );
    }
    lines.push(
      "# HELP process_start_time_seconds Start of the process, Unix seconds.",
      "# TYPE process_start_time_seconds gauge",
      `process_start_time_seconds ${this.#startedAt.toFixed(3)}`,
      "# HELP process_resident_memory_bytes Memory in use.",
      "# TYPE process_resident_memory_bytes gauge",
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      "",
    );
    return lines.join("\n");
  }
}
