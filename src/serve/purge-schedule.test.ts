import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { schedulePurges } from "./purge-schedule.ts";

const MINUTE = 60_000;

/** A store that takes `takesMs` to purge, on a clock of its own. `left` is deleted during the next run. */
function fakeStore(takesMs: number) {
  const store = {
    clock: 0,
    runs: 0,
    pendingSince: null as number | null,
    left: null as number | null,
    failure: null as Error | null,
  };
  const errors: unknown[] = [];
  const purge = async () => {
    store.runs++;
    await nextTick();
    store.clock += takesMs;
    if (store.failure !== null) throw store.failure;
    store.pendingSince = store.left;
    store.left = null;
    return true;
  };
  const schedule = () =>
    schedulePurges(
      { getPurgePending: async () => store.pendingSince },
      purge,
      (error) => errors.push(error),
      () => store.clock,
    );
  return { store, errors, schedule };
}

test("what a killed process left is purged at the start, and nothing is done where nothing is left", async () => {
  const { store, schedule } = fakeStore(100);
  store.pendingSince = 1;
  const first = schedule();
  for (let tick = 0; store.pendingSince !== null; tick++) {
    assert.ok(tick < 1_000);
    await nextTick();
  }
  await first.stop();
  await schedule().stop();
  assert.equal(store.runs, 1);
});

test("erasures at the same time share a run", async () => {
  const { store, schedule } = fakeStore(100);
  const purges = schedule();
  await nextTick();
  store.pendingSince = 1;
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => purges.purgeSoon())), [true, true, true]);
  assert.equal(store.runs, 1);
  await purges.stop();
});

test("after a long run, writers have the store for twenty times as long before the next", async () => {
  const { store, schedule } = fakeStore(2 * MINUTE);
  const purges = schedule();
  await nextTick();
  const eraseAt = async (clock: number) => {
    store.clock = clock;
    store.pendingSince ??= 1;
    return purges.purgeSoon();
  };
  assert.equal(await eraseAt(0), true);
  assert.equal(await eraseAt(10 * MINUTE), false);
  assert.equal(store.runs, 1);
  assert.equal(await eraseAt(42 * MINUTE), true);
  await purges.stop();
});

test("an erasure during a run waits for the next no longer than one after it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { store, schedule } = fakeStore(10_000);
  const purges = schedule();
  await nextTick();
  store.pendingSince = 1;
  const first = purges.purgeSoon();
  while (store.runs === 0) await Promise.resolve();
  store.left = 2;
  const second = purges.purgeSoon();
  assert.deepEqual(await Promise.all([first, second]), [true, false]);
  // The run was seven seconds too long: twenty times that, not a thousand times.
  store.clock += 3 * MINUTE;
  t.mock.timers.tick(MINUTE);
  for (let tick = 0; store.runs < 2; tick++) {
    assert.ok(tick < 1_000, "no second run");
    await nextTick();
  }
  await purges.stop();
});

test("a run that fails is logged once, and an erasure meanwhile is told that its bytes are left", async () => {
  const { store, errors, schedule } = fakeStore(0);
  const purges = schedule();
  await nextTick();
  store.failure = new Error("no room");
  store.pendingSince = 1;
  assert.equal(await purges.purgeSoon(), false);
  assert.equal(await purges.purgeSoon(), false);
  assert.deepEqual([store.runs, errors], [2, [store.failure]]);
  store.failure = null;
  assert.equal(await purges.purgeSoon(), true);
  await purges.stop();
});
