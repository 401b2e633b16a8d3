import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { WalLagTracker } from "./replication-lag.ts";

test("a replica that has replayed everything known does not lag, however long ago that was", () => {
  const tracker = new WalLagTracker();
  tracker.notePrimary(100, 1_000);
  assert.equal(tracker.lag(100, 60_000), 0);
  assert.equal(tracker.lag(99, 60_000), Number.POSITIVE_INFINITY);
});

test("before the first position of the primary, every replica lags", () => {
  assert.equal(new WalLagTracker().lag(100, 0), Number.POSITIVE_INFINITY);
});

test("a replica lags since the last time up to which it has everything", () => {
  const tracker = new WalLagTracker();
  tracker.notePrimary(100, 1_000);
  tracker.notePrimary(100, 2_000);
  tracker.notePrimary(200, 3_000);
  tracker.notePrimary(300, 4_000);
  assert.equal(tracker.lag(150, 5_000), 3_000);
  assert.equal(tracker.lag(200, 5_000), 2_000);
  assert.equal(tracker.lag(300, 5_000), 0);
});

test("while the primary is down, a replica that is ahead shows that the other lags", () => {
  const tracker = new WalLagTracker();
  tracker.notePrimary(100, 1_000);
  tracker.noteReplica(150);
  assert.equal(tracker.lag(150, 9_000), 0);
  assert.equal(tracker.lag(100, 9_000), 8_000);
});

test("a primary that restarts at an earlier position starts a new history", () => {
  const tracker = new WalLagTracker();
  tracker.notePrimary(500, 1_000);
  tracker.notePrimary(100, 2_000);
  assert.equal(tracker.lag(100, 3_000), 0);
});

test("a replica never appears fresher than it is, whatever was reported when", () => {
  const step = fc.record({
    written: fc.integer({ min: 0, max: 3 }),
    passed: fc.integer({ min: 1, max: 5 }),
    seen: fc.constantFrom("nothing", "primary", "replica"),
    behind: fc.integer({ min: 0, max: 6 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 1_500, size: "max" }), (steps) => {
      const tracker = new WalLagTracker();
      const writtenAt: number[] = [];
      let now = 0;
      for (const { written, passed, seen, behind } of steps) {
        now += passed;
        for (let count = 0; count < written; count++) writtenAt.push(now);
        // A query sent now sees at least what was written before.
        if (seen === "primary") tracker.notePrimary(writtenAt.length, now + 0.5);
        if (seen === "replica") tracker.noteReplica(Math.max(0, writtenAt.length - behind));
      }
      for (let position = 0; position <= writtenAt.length; position++) {
        const covered = tracker.coveredUntil(position);
        const missing = writtenAt[position];
        assert.ok(missing === undefined || missing >= covered, `${position} lacks what was written at ${missing}`);
      }
    }),
    { numRuns: 200 },
  );
});
