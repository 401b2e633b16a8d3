import assert from "node:assert/strict";
import { test } from "node:test";
import { Metrics } from "./metrics.ts";

/** Values by name and labels. */
function valuesOf(metrics: Metrics): Map<string, string> {
  const lines = metrics.render().split("\n");
  return new Map(
    lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split(" ") as [string, string]),
  );
}

test("responses are counted by status, and by time up to and including each bound", () => {
  const metrics = new Metrics();
  for (const [status, seconds] of [
    [200, 0.0004],
    [200, 0.001],
    [304, 0.0011],
    [200, 2.5],
    [503, 2.6],
  ] as const)
    metrics.record("longvideo/search", status, seconds);
  const values = valuesOf(metrics);
  const requests = (status: number) =>
    values.get(`triptych_requests_total{operation="longvideo/search",status="${status}"}`);
  assert.deepEqual([200, 304, 503, 404].map(requests), ["3", "1", "1", undefined]);
  const upTo = (bound: string) =>
    values.get(`triptych_request_seconds_bucket{operation="longvideo/search",le="${bound}"}`);
  assert.deepEqual(["0.001", "0.0025", "1", "2.5", "+Inf"].map(upTo), ["2", "3", "3", "4", "5"]);
  assert.equal(values.get('triptych_request_seconds_sum{operation="longvideo/search"}'), "5.1025");
  assert.equal(values.get('triptych_request_seconds_count{operation="longvideo/search"}'), "5");
});

test("an operation has one series, which is not rendered before its first response", () => {
  const metrics = new Metrics();
  assert.doesNotMatch(metrics.render(), /other/);
  metrics.record("other", 200, 0.1);
  metrics.record("other", 200, 0.1);
  assert.equal(valuesOf(metrics).get('triptych_requests_total{operation="other",status="200"}'), "2");
});

test("responses are counted by cache hit and miss, from zero on", () => {
  const metrics = new Metrics();
  const counts = () =>
    ["hit", "miss"].map((outcome) => valuesOf(metrics).get(`triptych_responses_total{cache="${outcome}"}`));
  assert.deepEqual(counts(), ["0", "0"]);
  for (const outcome of ["miss", "hit", "hit"] as const) metrics.countResponse(outcome);
  assert.deepEqual(counts(), ["2", "1"]);
});

test("every metric says what it is and of which type, once, before its values", () => {
  const metrics = new Metrics();
  for (const operation of ["a", "b"]) metrics.record(operation, 200, 0.01);
  const declared: string[] = [];
  for (const line of metrics.render().trimEnd().split("\n")) {
    const [, kind, name = ""] = /^# (HELP|TYPE) (\w+) /.exec(line) ?? [];
    if (kind === undefined) {
      const family = (/^\w+/.exec(line)?.[0] ?? "").replace(/_(?:bucket|sum|count)$/, "");
      assert.equal(declared.at(-1), `TYPE ${family}`, line);
    } else {
      assert.ok(!declared.includes(`${kind} ${name}`), line);
      declared.push(`${kind} ${name}`);
    }
  }
  assert.equal(declared.length, 2 * metrics.families().length);
});
