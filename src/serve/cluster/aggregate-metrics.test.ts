import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type MetricFamily, Metrics, renderMetrics } from "#http/metrics.ts";
import { until } from "#testing/until.ts";
import { AggregateMetrics, countersOf, sumMetrics } from "./aggregate-metrics.ts";
import type { WorkerHandle } from "./worker-pool.ts";

function family(name: string, type: MetricFamily["type"], samples: Record<string, number>): MetricFamily {
  return { name, help: "Help.", type, samples };
}

test("samples of the same name and labels are added up; the start time is that of the first report", () => {
  const total = sumMetrics([
    [
      family("requests_total", "counter", { 'requests_total{by="a b"}': 2 }),
      family("memory_bytes", "gauge", { memory_bytes: 10 }),
      family("process_start_time_seconds", "gauge", { process_start_time_seconds: 7.5 }),
    ],
    [
      family("requests_total", "counter", { 'requests_total{by="a b"}': 3, 'requests_total{by="c"}': 1 }),
      family("memory_bytes", "gauge", { memory_bytes: 5 }),
      family("process_start_time_seconds", "gauge", { process_start_time_seconds: 9 }),
    ],
  ]);
  assert.equal(
    renderMetrics(total),
    `# HELP requests_total Help.
# TYPE requests_total counter
requests_total{by="a b"} 5
requests_total{by="c"} 1
# HELP memory_bytes Help.
# TYPE memory_bytes gauge
memory_bytes 15
# HELP process_start_time_seconds Help.
# TYPE process_start_time_seconds gauge
process_start_time_seconds 7.5
`,
  );
});

test("the event loop is that of the workers: the primary, which serves no requests, would make them seem idle", async () => {
  const busy = family("triptych_event_loop_seconds_total", "counter", {
    'triptych_event_loop_seconds_total{state="busy"}': 30,
    'triptych_event_loop_seconds_total{state="idle"}': 0,
  });
  const worker = (id: number) => ({ id, channel: { call: async () => [busy] } }) as unknown as WorkerHandle;
  // This process stands for the primary.
  await until(async () => performance.eventLoopUtilization().idle > 0);
  const text = await new AggregateMetrics().text([worker(1), worker(2)]);
  assert.match(text, /^triptych_event_loop_seconds_total\{state="busy"\} 60$/m);
  assert.match(text, /^triptych_event_loop_seconds_total\{state="idle"\} 0$/m);
  assert.match(text, /^process_resident_memory_bytes \d/m);
});

test("of a process that exited only counters and histograms remain", () => {
  const left = countersOf([
    family("requests_total", "counter", { requests_total: 4 }),
    family("memory_bytes", "gauge", { memory_bytes: 10 }),
    family("seconds", "histogram", { seconds_count: 4 }),
  ]);
  assert.deepEqual(
    left.map(({ name }) => name),
    ["requests_total", "seconds"],
  );
});

/** All that this test creates are in one process. */
const OF_THE_PROCESS = /^process_|event_loop/;

test("several processes together count what one would have counted", () => {
  const request = fc.record({
    operation: fc.constantFrom("a/b", "c/d", "other"),
    status: fc.constantFrom(200, 404, 429),
    // Whole milliseconds: their rendered sum is the same in any order.
    seconds: fc.integer({ min: 0, max: 3_000 }).map((ms) => ms / 1000),
    process: fc.nat(2),
  });
  fc.assert(
    fc.property(fc.array(request), (requests) => {
      const one = new Metrics();
      const several = [new Metrics(), new Metrics(), new Metrics()];
      for (const { operation, status, seconds, process } of requests) {
        one.record(operation, status, seconds);
        several[process]?.record(operation, status, seconds);
      }
      const total = sumMetrics(several.map((metrics) => countersOf(metrics.families())));
      const sorted = (families: MetricFamily[]) =>
        renderMetrics(families.filter(({ name }) => !OF_THE_PROCESS.test(name)))
          .split("\n")
          .toSorted();
      assert.deepEqual(sorted(total), sorted(countersOf(one.families())));
    }),
  );
});
