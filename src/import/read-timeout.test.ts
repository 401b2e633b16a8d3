import assert from "node:assert/strict";
import { test } from "node:test";
import { MIN_BYTES_PER_S, TICK_MS, ReadTimeout } from "./read-timeout.ts";

const TICKS_PER_S = 1000 / TICK_MS;

/** A reader, by what it does in each second of work; the second in which its file is refused, or null within an hour. */
function refusedAfter(
  maxBehindS: number,
  {
    cpu = 1,
    bytes = 0,
    isBusy = true,
    mayWait = false,
  }: Partial<Record<"cpu" | "bytes", number>> & {
    isBusy?: boolean;
    mayWait?: boolean;
  },
): number | null {
  let cpuS = 0;
  const gauge = { bytes: 0, isBusy };
  const allowance = new ReadTimeout(gauge, maxBehindS, () => cpuS);
  for (let tick = 1; tick <= 3600 * TICKS_PER_S; tick++) {
    cpuS += cpu / TICKS_PER_S;
    gauge.bytes += bytes / TICKS_PER_S;
    if (allowance.hasExpired(mayWait)) return Math.round(tick / TICKS_PER_S);
  }
  return null;
}

test("a file that does not get on is refused after its time, however much was read before", () => {
  assert.equal(refusedAfter(60, {}), 60);
  assert.equal(refusedAfter(60, { cpu: 2 }), 60);
});

test("bytes pay for time", () => {
  assert.equal(refusedAfter(60, { bytes: MIN_BYTES_PER_S }), null);
  assert.equal(refusedAfter(60, { bytes: MIN_BYTES_PER_S / 2 }), 120);
});

test("time in which the reader waits for the store does not count", () => {
  assert.equal(refusedAfter(60, { isBusy: false }), null);
});

test("on a busy machine only what the process got of it counts, and a tenth of time at rest", () => {
  assert.equal(refusedAfter(60, { cpu: 0.5 }), 120);
  assert.equal(refusedAfter(60, { cpu: 0 }), 600);
});

test("what comes through a pipe may come as slowly as it likes", () => {
  assert.equal(refusedAfter(60, { cpu: 0, mayWait: true }), null);
  assert.equal(refusedAfter(60, { cpu: 1, mayWait: true }), 60);
});

test("each file has its own time", () => {
  let cpuS = 0;
  const allowance = new ReadTimeout({ bytes: 0, isBusy: true }, 1, () => (cpuS += 1));
  for (let file = 0; file < 9; file++) {
    allowance.restart();
    for (let tick = 0; tick < TICKS_PER_S; tick++) assert.equal(allowance.hasExpired(false), false);
  }
});
