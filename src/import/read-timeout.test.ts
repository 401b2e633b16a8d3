import assert from "node:assert/strict";
import { test } from "node:test";
import { MIN_BYTES_PER_S, TICK_MS, ReadTimeout } from "./read-timeout.ts";

const TICKS_PER_S = 1000 / TICK_MS;

/** The second in which a file times out, given what its parser does per second; null if not within an hour. */
function expiresAfter(
  maxBehindS: number,
  {
    cpu = 1,
    bytes = 0,
    isBusy = true,
    isPipe = false,
  }: Partial<Record<"cpu" | "bytes", number>> & {
    isBusy?: boolean;
    isPipe?: boolean;
  },
): number | null {
  let cpuS = 0;
  const activity = { bytes: 0, isBusy };
  const timeout = new ReadTimeout(activity, maxBehindS, () => cpuS);
  for (let tick = 1; tick <= 3600 * TICKS_PER_S; tick++) {
    cpuS += cpu / TICKS_PER_S;
    activity.bytes += bytes / TICKS_PER_S;
    if (timeout.hasExpired(isPipe)) return Math.round(tick / TICKS_PER_S);
  }
  return null;
}

test("a file without progress times out, however much was read before", () => {
  assert.equal(expiresAfter(60, {}), 60);
  assert.equal(expiresAfter(60, { cpu: 2 }), 60);
});

test("bytes earn time", () => {
  assert.equal(expiresAfter(60, { bytes: MIN_BYTES_PER_S }), null);
  assert.equal(expiresAfter(60, { bytes: MIN_BYTES_PER_S / 2 }), 120);
});

test("time in which the parser waits for the store does not count", () => {
  assert.equal(expiresAfter(60, { isBusy: false }), null);
});

test("only CPU time of the process counts, and a tenth of idle time", () => {
  assert.equal(expiresAfter(60, { cpu: 0.5 }), 120);
  assert.equal(expiresAfter(60, { cpu: 0 }), 600);
});

test("a pipe may be as slow as its source", () => {
  assert.equal(expiresAfter(60, { cpu: 0, isPipe: true }), null);
  assert.equal(expiresAfter(60, { cpu: 1, isPipe: true }), 60);
});

test("each file has its own time limit", () => {
  let cpuS = 0;
  const timeout = new ReadTimeout({ bytes: 0, isBusy: true }, 1, () => (cpuS += 1));
  for (let file = 0; file < 9; file++) {
    timeout.restart();
    for (let tick = 0; tick < TICKS_PER_S; tick++) assert.equal(timeout.hasExpired(false), false);
  }
});
