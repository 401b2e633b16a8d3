import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { Metrics } from "#http/metrics.ts";
import { addSamples, countersOf, parseSamples, renderSamples } from "./prometheus-text.ts";

const REQUESTS = "# HELP asked_total Asked.\n# TYPE asked_total counter\n";
const MEMORY = "# HELP memory_bytes Memory.\n# TYPE memory_bytes gauge\n";
const BEGIN = "# HELP process_start_time_seconds Begin.\n# TYPE process_start_time_seconds gauge\n";

test("samples of the same name and labels are added up, others stand beside them, and the begin is the first's", () => {
  const sum = parseSamples(
    `${REQUESTS}asked_total{by="a b"} 2\n${MEMORY}memory_bytes 10\n${BEGIN}process_start_time_seconds 7.5\n`,
  );
  addSamples(
    sum,
    parseSamples(
      `${REQUESTS}asked_total{by="a b"} 3\nasked_total{by="c"} 1\n${MEMORY}memory_bytes 5\n${BEGIN}process_start_time_seconds 9\n`,
    ),
  );
  assert.equal(
    renderSamples(sum),
    `${REQUESTS}asked_total{by="a b"} 5\nasked_total{by="c"} 1\n${MEMORY}memory_bytes 15\n${BEGIN}process_start_time_seconds 7.5\n`,
  );
});

test("of a process that is gone only what counts up is left", () => {
  const gone = countersOf(parseSamples(`${REQUESTS}asked_total 4\n${MEMORY}memory_bytes 10\n`));
  assert.equal(renderSamples(gone), `${REQUESTS}asked_total 4\n`);
});

test("what several processes counted is what one would have counted", () => {
  const request = fc.record({
    operation: fc.constantFrom("a/b", "c/d", "other"),
    status: fc.constantFrom(200, 404, 429),
    // Whole milliseconds: their sum is the same in any order, as far as it is written.
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
      const sum = parseSamples("");
      for (const metrics of several) addSamples(sum, countersOf(parseSamples(metrics.text())));
      const sorted = (text: string) => text.split("\n").toSorted();
      assert.deepEqual(sorted(renderSamples(sum)), sorted(renderSamples(countersOf(parseSamples(one.text())))));
    }),
  );
});
