/** Conformance of watches, and of the leases that let one process at a time run those of a source. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Watch } from "#domain/watch.ts";
import { account } from "#testing/sample-records.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";

export const WATCH: Watch = {
  id: "w1",
  platform: "longvideo",
  kind: "channel",
  target: "bakery",
  everyMs: 3_600_000,
  state: "active",
  createdAt: 1_000,
  nextAt: 1_000,
  lastAt: null,
  lastOutcome: null,
  runs: 0,
};

export function watchesSuite(current: () => Store): void {
  const watches = () => current().watches;

  test("a watch of the same thing changes the one there is", async () => {
    assert.deepEqual(await watches().addWatch(WATCH), WATCH);
    const changed = await watches().addWatch({ ...WATCH, id: "w2", everyMs: 60_000, nextAt: 5_000 });
    assert.deepEqual(changed, { ...WATCH, everyMs: 60_000, nextAt: 5_000 });
    assert.deepEqual(await watches().listWatches(), [changed]);
    assert.deepEqual([await watches().deleteWatch("w1"), await watches().deleteWatch("w1")], [true, false]);
  });

  test("watches of somebody erased end, also by a name that a later import shows", async () => {
    const { writer } = current();
    const listIds = async () => (await watches().listWatches()).map(({ id }) => id);
    await writer.write([toUnit("longvideo", { accounts: [account("UC700001", { name: "bakery" })] })]);
    const targets = ["bakery", "UC700001", "@Bakery.Two", "other"];
    for (const target of targets) await watches().addWatch({ ...WATCH, id: target, target });
    await watches().addWatch({ ...WATCH, id: "words", kind: "search", target: "bakery" });
    await writer.previewErasure("longvideo", "account", "UC700001");
    assert.equal((await listIds()).length, 5, "a preview ends none");
    await writer.erase("longvideo", "account", "UC700001");
    assert.deepEqual(await listIds(), ["@Bakery.Two", "other", "words"]);
    await writer.write([toUnit("longvideo", { accounts: [account("UC700001", { name: "bakery.two" })] })]);
    assert.deepEqual(await listIds(), ["other", "words"]);
  });

  test("of processes that start a due watch, one does", async () => {
    await watches().addWatch(WATCH);
    const started = await Promise.all([1, 2, 3].map(() => watches().startWatch(WATCH, 9_000, 1_500)));
    assert.equal(started.filter(Boolean).length, 1);
    await watches().endWatch("w1", "updated", null);
    const [ran] = await watches().listWatches();
    assert.deepEqual(ran, { ...WATCH, nextAt: 9_000, lastAt: 1_500, lastOutcome: "updated", runs: 1 });
    await watches().endWatch("w1", "the source is busy", 2_000);
    assert.equal((await watches().listWatches())[0]?.nextAt, 2_000);
  });

  test("a paused watch is not started, and resumed it is due at once if it is late", async () => {
    await watches().addWatch(WATCH);
    assert.equal((await watches().setWatchState("w1", "paused", 500))?.state, "paused");
    assert.equal(await watches().startWatch(WATCH, 9_000, 1_500), false);
    assert.equal((await watches().setWatchState("w1", "active", 7_000))?.nextAt, 7_000);
    assert.equal(await watches().setWatchState("unknown", "active", 1), null);
  });

  test("one process at a time has the lease of a source, until it gives it up or it expires", async () => {
    const lease = (owner: string, ms = 600_000) => watches().leaseSource("api", owner, ms);
    assert.deepEqual([await lease("a"), await lease("b"), await lease("a")], [true, false, true]);
    await watches().releaseSource("api", "b");
    assert.equal(await lease("b"), false);
    await watches().releaseSource("api", "a");
    assert.equal(await lease("b", 0), true);
    assert.equal(await lease("a"), true, "the lease of b has expired");
  });
}
