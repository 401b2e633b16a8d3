import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { WalLagTracker } from "./replication-lag.ts";

test("a replica that has replayed all that is known of is not behind, however long ago that was", () => {
  const positions = new WalLagTracker();
  positions.notePrimary(100, 1_000);
  assert.equal(positions.lag(100, 60_000), 0);
  assert.equal(positions.lag(99, 60_000), Number.POSITIVE_INFINITY);
});

test("before the primary has said anything nothing is fresh", () => {
  assert.equal(new WalLagTracker().lag(100, 0), Number.POSITIVE_INFINITY);
});

test("a replica is as old as the last moment of which it has everything", () => {
  const positions = new WalLagTracker();
  positions.notePrimary(100, 1_000);
  positions.notePrimary(100, 2_000);
  positions.notePrimary(200, 3_000);
  positions.notePrimary(300, 4_000);
  assert.equal(positions.lag(150, 5_000), 3_000);
  assert.equal(positions.lag(200, 5_000), 2_000);
  assert.equal(positions.lag(300, 5_000), 0);
});

test("with the primary away a replica that is ahead shows that the other is behind", () => {
  const positions = new WalLagTracker();
  positions.notePrimary(100, 1_000);
  positions.noteReplica(150);
  assert.equal(positions.lag(150, 9_000), 0);
  assert.equal(positions.lag(100, 9_000), 8_000);
});

test("a primary that begins again further back begins a history of its own", () => {
  const positions = new WalLagTracker();
  positions.notePrimary(500, 1_000);
  positions.notePrimary(100, 2_000);
  assert.equal(positions.lag(100, 3_000), 0);
});

test("whatever was seen when, a replica is never taken for fresher than it is", () => {
  const step = fc.record({
    written: fc.integer({ min: 0, max: 3 }),
    passed: fc.integer({ min: 1, max: 5 }),
    seen: fc.constantFrom("nothing", "primary", "replica"),
    behind: fc.integer({ min: 0, max: 6 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 1_500, size: "max" }), (steps) => {
      const positions = new WalLagTracker();
      const writtenAt: number[] = [];
      let now = 0;
      for (const { written, passed, seen, behind } of steps) {
        now += passed;
        for (let count = 0; count < written; count++) writtenAt.push(now);
        // A question that is sent now is answered by what is written a moment later at the earliest.
        if (seen === "primary") positions.notePrimary(writtenAt.length, now + 0.5);
        if (seen === "replica") positions.noteReplica(Math.max(0, writtenAt.length - behind));
      }
      for (let position = 0; position <= writtenAt.length; position++) {
        const covered = positions.coveredUntil(position);
        const missing = writtenAt[position];
        assert.ok(missing === undefined || missing >= covered, `${position} lacks what was written at ${missing}`);
      }
    }),
    { numRuns: 200 },
  );
});
