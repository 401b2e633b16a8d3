/** Counts for Prometheus, kept as plain numbers and written out as text only when asked. */
import type { CloseReason } from "./connection-guard.ts";

export type CacheOutcome = "hit" | "miss";

/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The counts of one operation, to be held by whoever answers for it. */
export class Series {
  readonly operation: string;
  /** Few, in the order they came up: the usual one is found first. */
  readonly #statuses: { status: number; count: number }[] = [];
  /** The last one is for whatever took longer than all bounds. */
  readonly #buckets = Array.from({ length: BUCKETS.length + 1 }, () => 0);
  #sum = 0;
  #count = 0;

  constructor(operation: string) {
    this.operation = operation;
  }

  record(status: number, seconds: number): void {
    this.#countStatus(status);
    let bucket = 0;
    while (seconds > (BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#sum += seconds;
    this.#count++;
  }

  #countStatus(status: number): void {
    for (const known of this.#statuses) {
      if (known.status === status) {
        known.count++;
        return;
      }
    }
    this.#statuses.push({ status, count: 1 });
  }

  requestLines(): string[] {
    return this.#statuses.map(
      ({ status, count }) => `triptych_requests_total{operation="${this.operation}",status="${status}"} ${count}`,
    );
  }

  /** None before the first answer. */
  secondsLines(): string[] {
    if (this.#count === 0) return [];
    const label = `operation="${this.operation}"`;
    let below = 0;
    const bounded = BUCKETS.map((bound, index) => {
      below += this.#buckets[index] ?? 0;
      return `triptych_request_seconds_bucket{${label},le="${bound}"} ${below}`;
    });
    return [
      ...bounded,
      `triptych_request_seconds_bucket{${label},le="+Inf"} ${this.#count}`,
      `triptych_request_seconds_sum{${label}} ${this.#sum.toFixed(6)}`,
      `triptych_request_seconds_count{${label}} ${this.#count}`,
    ];
  }
}

export class Metrics {
  readonly #series = new Map<string, Series>();
  readonly #startedAt = Date.now() / 1000;
  readonly #responses: Record<CacheOutcome, number> = { hit: 0, miss: 0 };
  readonly #connectionsClosed: Record<CloseReason, number> = { full: 0, slow_reader: 0, slow_sender: 0, idle: 0 };

  /** The same one each time: looked up once, it is recorded to without looking. */
  series(operation: string): Series {
    let series = this.#series.get(operation);
    if (series === undefined) this.#series.set(operation, (series = new Series(operation)));
    return series;
  }

  record(operation: string, status: number, seconds: number): void {
    this.series(operation).record(status, seconds);
  }

  countResponse(outcome: CacheOutcome): void {
    this.#responses[outcome]++;
  }

  connectionClosed(reason: CloseReason): void {
    this.#connectionsClosed[reason]++;
  }

  text(): string {
    const series = [...this.#series.values()];
    return [
      "# HELP triptych_requests_total Requests answered, by operation and status.",
      "# TYPE triptych_requests_total counter",
      ...series.flatMap((each) => each.requestLines()),
      "# HELP triptych_request_seconds Time from the request's arrival to its answer.",
      "# TYPE triptych_request_seconds histogram",
      ...series.flatMap((each) => each.secondsLines()),
      "# HELP triptych_responses_total Successful responses of operations, by whether the response cache had them.",
      "# TYPE triptych_responses_total counter",
      ...Object.entries(this.#responses).map(
        ([outcome, count]) => `triptych_responses_total{cache="${outcome}"} ${count}`,
      ),
      "# HELP triptych_connections_closed_total Connections closed by the service, by reason.",
      "# TYPE triptych_connections_closed_total counter",
      ...Object.entries(this.#connectionsClosed).map(
        ([reason, count]) => `triptych_connections_closed_total{reason="${reason}"} ${count}`,
      ),
      "# HELP process_start_time_seconds Start of the process, Unix seconds.",
      "# TYPE process_start_time_seconds gauge",
      `process_start_time_seconds ${this.#startedAt.toFixed(3)}`,
      "# HELP process_resident_memory_bytes Memory in use.",
      "# TYPE process_resident_memory_bytes gauge",
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      "",
    ].join("\n");
  }
}
