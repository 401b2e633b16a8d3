/** Prometheus metrics, counted as plain numbers and rendered on request. */
import type { CloseReason } from "./connection-guard.ts";
import type { ShedReason } from "./fair-queue.ts";

export type CacheOutcome = "hit" | "miss";

/** A metric as data, so that several processes can add theirs up. */
export interface MetricFamily {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  /** By the name and labels that they are rendered with. */
  samples: Record<string, number>;
}

/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

class Histogram {
  /** The last one counts times above all bounds. */
  readonly #buckets = Array.from({ length: BUCKETS.length + 1 }, () => 0);
  #sum = 0;
  #count = 0;

  record(seconds: number): void {
    let bucket = 0;
    while (seconds > (BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#sum += seconds;
    this.#count++;
  }

  /** None before the first time is recorded. `label` is empty or such as `operation="search"`. */
  samples(name: string, label: string): [sample: string, value: number][] {
    if (this.#count === 0) return [];
    const labels = label === "" ? "" : `{${label}}`;
    const bucketOf = (bound: number | string) => `${name}_bucket{${label === "" ? "" : `${label},`}le="${bound}"}`;
    let below = 0;
    const bounded = BUCKETS.map((bound, index): [string, number] => {
      below += this.#buckets[index] ?? 0;
      return [bucketOf(bound), below];
    });
    return [
      ...bounded,
      [bucketOf("+Inf"), this.#count],
      [`${name}_sum${labels}`, this.#sum],
      [`${name}_count${labels}`, this.#count],
    ];
  }
}

/** The counters of one operation. */
class Series {
  readonly operation: string;
  readonly #statuses = new Map<number, number>();
  readonly #seconds = new Histogram();

  constructor(operation: string) {
    this.operation = operation;
  }

  record(status: number, seconds: number): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#seconds.record(seconds);
  }

  requestSamples(): [sample: string, value: number][] {
    return [...this.#statuses].map(([status, count]) => [
      `triptych_requests_total{operation="${this.operation}",status="${status}"}`,
      count,
    ]);
  }

  secondsSamples(): [sample: string, value: number][] {
    return this.#seconds.samples("triptych_request_seconds", `operation="${this.operation}"`);
  }
}

/** Read whenever metrics are rendered. */
export interface SearchGauges {
  waiting: () => number;
  threads: () => number;
}

export class Metrics {
  readonly #listMore: () => MetricFamily[];
  readonly #series = new Map<string, Series>();
  readonly #startedAt = Date.now() / 1000;
  readonly #responses: Record<CacheOutcome, number> = { hit: 0, miss: 0 };
  readonly #connectionsClosed: Record<CloseReason, number> = {
    full: 0,
    address_full: 0,
    slow_reader: 0,
    slow_sender: 0,
    idle: 0,
  };
  readonly #searchesShed: Record<ShedReason, number> = { full: 0, timeout: 0 };
  readonly #searchWaits = new Histogram();
  #searches: SearchGauges = { waiting: () => 0, threads: () => 0 };

  /** `listMore` gives the metrics that others of this process count. */
  constructor(listMore: () => MetricFamily[] = () => []) {
    this.#listMore = listMore;
  }

  record(operation: string, status: number, seconds: number): void {
    let series = this.#series.get(operation);
    if (series === undefined) this.#series.set(operation, (series = new Series(operation)));
    series.record(status, seconds);
  }

  countResponse(outcome: CacheOutcome): void {
    this.#responses[outcome]++;
  }

  countClosedConnection(reason: CloseReason): void {
    this.#connectionsClosed[reason]++;
  }

  recordSearchWait(seconds: number): void {
    this.#searchWaits.record(seconds);
  }

  countShedSearch(reason: ShedReason): void {
    this.#searchesShed[reason]++;
  }

  watchSearches(gauges: SearchGauges): void {
    this.#searches = gauges;
  }

  families(): MetricFamily[] {
    const series = [...this.#series.values()];
    return [
      {
        name: "triptych_requests_total",
        help: "Requests handled, by operation and status.",
        type: "counter",
        samples: Object.fromEntries(series.flatMap((each) => each.requestSamples())),
      },
      {
        name: "triptych_request_seconds",
        help: "Time from receiving a request to sending its response.",
        type: "histogram",
        samples: Object.fromEntries(series.flatMap((each) => each.secondsSamples())),
      },
      labelledCounter(
        "triptych_responses_total",
        "Successful responses of operations, by whether the response cache had them.",
        "cache",
        this.#responses,
      ),
      labelledCounter(
        "triptych_connections_closed_total",
        "Connections closed by the service, by reason.",
        "reason",
        this.#connectionsClosed,
      ),
      plainMetric("gauge", "triptych_searches_waiting", "Searches that wait for their turn.", this.#searches.waiting()),
      plainMetric(
        "gauge",
        "triptych_search_threads",
        "Threads that are ready to execute searches.",
        this.#searches.threads(),
      ),
      {
        name: "triptych_search_wait_seconds",
        help: "Time that searches waited before they started.",
        type: "histogram",
        samples: Object.fromEntries(this.#searchWaits.samples("triptych_search_wait_seconds", "")),
      },
      labelledCounter(
        "triptych_searches_shed_total",
        "Searches rejected with 503: on arrival because the queue was full, or after a timeout.",
        "reason",
        this.#searchesShed,
      ),
      plainMetric("gauge", "process_start_time_seconds", "Start of the process, Unix seconds.", this.#startedAt),
      plainMetric("gauge", "process_resident_memory_bytes", "Resident memory in bytes.", process.memoryUsage.rss()),
      plainMetric(
        "counter",
        "process_cpu_seconds_total",
        "Processor time of the process, its threads included.",
        cpuSeconds(),
      ),
      labelledCounter(
        "triptych_event_loop_seconds_total",
        "Time that the event loop was busy or waited: requests wait while it is busy.",
        "state",
        eventLoopSeconds(),
      ),
      ...this.#listMore(),
    ];
  }

  render(): string {
    return renderMetrics(this.families());
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

function eventLoopSeconds(): Record<"busy" | "idle", number> {
  const { active, idle } = performance.eventLoopUtilization();
  return { busy: active / 1_000, idle: idle / 1_000 };
}

/** A metric without labels. */
export function plainMetric(type: "counter" | "gauge", name: string, help: string, value: number): MetricFamily {
  return { name, help, type, samples: { [name]: value } };
}

/** A counter for each value of a label. */
export function labelledCounter(
  name: string,
  help: string,
  label: string,
  counts: Record<string, number>,
): MetricFamily {
  const samples = Object.entries(counts).map(([value, count]) => [`${name}{${label}="${value}"}`, count] as const);
  return { name, help, type: "counter", samples: Object.fromEntries(samples) };
}

/** In the text format of Prometheus. */
export function renderMetrics(families: readonly MetricFamily[]): string {
  const lines = families.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...Object.entries(samples).map(([sample, value]) => `${sample} ${Number(value.toFixed(6))}`),
  ]);
  return `${lines.join("\n")}\n`;
}
