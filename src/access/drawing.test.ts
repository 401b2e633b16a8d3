import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type TestContext, test } from "node:test";
import * as fc from "fast-check";
import type { Cost } from "#contract/endpoint.ts";
import type { TokenLimits } from "#domain/token.ts";
import { COSTS, DEFAULT_LIMITS, type Entry, type LimitedKey, RateLimits } from "./limits.ts";
import { FakeLeases } from "#testing/fake-leases.ts";

const MIDNIGHT = Date.UTC(2026, 10, 15);
const NOON = MIDNIGHT + 43_200_000;
const DAY = 86_400_000;
const AWAY: Entry = { ok: false, code: "unavailable", retryAfterS: 1 };
const mara: LimitedKey = { keyId: "mara", limits: {} };

/** Nodes that draw on the same buckets. */
function nodes(count: number, limits: Partial<Required<TokenLimits>> = {}) {
  const store = new FakeLeases(NOON);
  const service = { ...DEFAULT_LIMITS, parallel: 1_000_000, ...limits };
  return { store, nodes: Array.from({ length: count }, () => new RateLimits(service, store)) };
}

function oneNode(limits: Partial<Required<TokenLimits>> = {}) {
  const { store, nodes: made } = nodes(1, limits);
  return { store, node: made[0] as RateLimits };
}

function atOnce(entry: Entry | Promise<Entry>): Entry {
  assert.ok(!(entry instanceof Promise), "the store was asked");
  return entry;
}

/** Spends look-ups until one is refused; the units that were let through. */
async function drain(node: RateLimits, now: number, cost: Cost = "lookup"): Promise<number> {
  for (let units = 0; ; units += COSTS[cost]) {
    const entry = await node.enter(mara, cost, now);
    if (!entry.ok) return units;
    entry.release();
  }
}

const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);

test("one round trip pays for many requests, and the share is filled up without anybody waiting", async () => {
  const { store, node } = oneNode();
  assert.ok((await node.enter(mara, "lookup", NOON)).ok);
  assert.equal(store.asked.length, 1);
  for (let count = 0; count < 200; count++) {
    assert.ok(atOnce(node.enter(mara, "lookup", NOON)).ok);
    await nextTurn();
  }
  assert.ok(store.asked.length < 80, `${store.asked.length} round trips`);
});

test("the headers of the only node are exact, and unknown before the store has answered", async () => {
  const { node } = oneNode();
  assert.deepEqual(Object.keys(node.headers(mara, NOON)), ["RateLimit-Policy"]);
  for (const cost of ["lookup", "list", "search"] as const) await node.enter(mara, cost, NOON);
  assert.equal(node.headers(mara, NOON)["RateLimit"], '"burst";r=1992;t=1, "daily";r=999992;t=43200');
  assert.match(node.headers(mara, NOON + 20)["RateLimit"] ?? "", /^"burst";r=1996;t=1,/);
  assert.match(node.headers(mara, NOON + 5_000)["RateLimit"] ?? "", /^"burst";r=2000;t=0,/);
});

test("those who wait share a round trip, and their places among the parallel requests are taken", async () => {
  const { store, node } = oneNode({ parallel: 30 });
  const waiting = Array.from({ length: 30 }, async () => node.enter(mara, "search", NOON));
  assert.deepEqual(atOnce(node.enter(mara, "lookup", NOON)), { ok: false, code: "too_many_parallel", retryAfterS: 1 });
  for (const entry of await Promise.all(waiting)) {
    assert.ok(entry.ok);
    entry.release();
  }
  assert.equal(store.asked.length, 2, "one for the first, one for all who came while it was under way");
  assert.ok((await node.enter(mara, "lookup", NOON)).ok);
});

test("the store refuses, and is not asked again before its answer can have changed", async () => {
  const { store, node } = oneNode({ burst: 10 });
  assert.equal(await drain(node, NOON), 10);
  const { length } = store.asked;
  assert.deepEqual(atOnce(node.enter(mara, "search", NOON)), { ok: false, code: "rate_limited", retryAfterS: 5 });
  assert.deepEqual(atOnce(node.enter(mara, "lookup", NOON + 999)), {
    ok: false,
    code: "rate_limited",
    retryAfterS: 1,
  });
  assert.equal(store.asked.length, length);
  store.now = NOON + 1_000;
  assert.ok((await node.enter(mara, "lookup", NOON + 1_000)).ok);
});

test("of those who wait, each is let in or refused by its own price", async () => {
  const { node } = oneNode({ burst: 7 });
  const entries = (["search", "search", "lookup", "lookup", "lookup"] as const).map(async (cost) =>
    node.enter(mara, cost, NOON),
  );
  assert.deepEqual(
    (await Promise.all(entries)).map(({ ok }) => ok),
    [true, false, true, true, false],
  );
});

test("a store that is away: what is held is spent, then nobody is let in, until it is back", async () => {
  const { store, node } = oneNode({ burst: 10_000 });
  assert.ok((await node.enter(mara, "lookup", NOON)).ok);
  store.goAway();
  const spent = await drain(node, NOON);
  assert.equal(spent, 30, "the share");
  assert.deepEqual(await node.enter(mara, "lookup", NOON), AWAY);
  store.comeBack();
  assert.ok((await node.enter(mara, "lookup", NOON)).ok);
});

test("a store that hangs: one waits for a second, the others no longer than it, and a late answer counts", async (t: TestContext) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { store, node } = oneNode({ burst: 10_000 });
  store.hang();
  const first = node.enter(mara, "lookup", NOON);
  t.mock.timers.tick(999);
  const second = node.enter(mara, "search", NOON + 999);
  t.mock.timers.tick(1);
  assert.deepEqual([await first, await second], [AWAY, AWAY]);
  assert.deepEqual(atOnce(node.enter(mara, "lookup", NOON + 1_000)), AWAY);
  assert.equal(store.asked.length, 1, "one call hangs, not one for each request");
  store.comeBack();
  await nextTurn();
  store.goAway();
  assert.equal(await drain(node, NOON + 1_000), 30, "the share, without what was meant for the one who left");
});

test("an idle share goes back after a second, once, and can be spent elsewhere to the last unit", async () => {
  const { store, nodes: made } = nodes(3, { burst: 1_000_000_000, daily: 3_000 });
  const [first, second, third] = made as [RateLimits, RateLimits, RateLimits];
  for (const node of made) assert.ok((await node.enter(mara, "lookup", NOON)).ok);
  first.settle(NOON + 999);
  await nextTurn();
  const leasedOnly = store.asked.length;
  first.settle(NOON + 1_000);
  first.settle(NOON + 1_000);
  await nextTurn();
  assert.equal(store.asked.length, leasedOnly + 1);
  assert.equal(store.asked.at(-1)?.back.daily, 9);
  const waits = second.enter(mara, "lookup", NOON + 1_000);
  assert.ok((await waits).ok);
  await third.close(NOON + 1_000);
  assert.equal(3 + 1 + (await drain(second, NOON + 1_000)), 3_000);
  assert.equal(await drain(first, NOON + 2_000), 0);
});

test("what was given back is not spent here as well", async () => {
  const { store, node } = oneNode({ burst: 10_000, daily: 10_000 });
  await node.enter(mara, "lookup", NOON);
  store.hang();
  node.settle(NOON + 1_000);
  const entry = node.enter(mara, "lookup", NOON + 1_000);
  assert.ok(entry instanceof Promise, "nothing is held while it goes back");
  store.comeBack();
  assert.ok((await entry).ok);
  await node.close(NOON + 1_000);
  assert.equal(store.buckets.get("mara")?.used, 2);
  assert.equal(store.buckets.get("mara")?.leased, 0);
});

test("shares that nodes hold leave no room to refill: a rested bucket gives no more for it", async () => {
  const { store, nodes: made } = nodes(3);
  for (const node of made) assert.ok((await node.enter(mara, "lookup", NOON)).ok);
  store.now += 900;
  const sums = [];
  for (const node of made) sums.push(await drain(node, store.now));
  assert.ok(total(sums) <= 2_000, `${total(sums)}`);
  assert.ok(total(sums) >= 1_980, `${total(sums)}`);
});

test("whoever is refused leaves its place among the parallel requests", async () => {
  const { store, node } = oneNode({ burst: 1, parallel: 1 });
  const first = await node.enter(mara, "lookup", NOON);
  assert.ok(first.ok);
  first.release();
  const spent: Entry = { ok: false, code: "rate_limited", retryAfterS: 9 };
  store.now += 1_000;
  assert.deepEqual(await node.enter(mara, "lookup", NOON + 1_000), spent);
  assert.deepEqual(await node.enter(mara, "lookup", NOON + 1_000), spent);
  store.goAway();
  assert.deepEqual(await node.enter(mara, "lookup", NOON + 2_000), AWAY);
  assert.deepEqual(await node.enter(mara, "lookup", NOON + 2_000), AWAY);
});

test("a refund of the day is spent here or goes back", async () => {
  const { store, node } = oneNode();
  const entry = await node.enter(mara, "search", NOON);
  assert.ok(entry.ok);
  entry.refundDaily();
  entry.refundDaily();
  assert.match(node.headers(mara, NOON)["RateLimit"] ?? "", /"daily";r=1000000;/);
  node.settle(NOON + 1_000);
  await nextTurn();
  assert.equal(store.buckets.get("mara")?.used, 0);
});

test("a node that stood still does not spend what the bucket has refilled meanwhile", async () => {
  const { store, node } = oneNode();
  await node.enter(mara, "lookup", NOON);
  store.now += 10_000;
  assert.ok(node.enter(mara, "lookup", NOON + 10_000) instanceof Promise);
});

test("a clock that was set back does not keep a share from going back", async () => {
  const { store, node } = oneNode();
  await node.enter(mara, "lookup", NOON);
  node.settle(NOON - 3_600_000);
  await nextTurn();
  assert.equal(store.buckets.get("mara")?.used, 1);
});

test("what was taken of a day ends with the store's day, whatever the node's clock says", async () => {
  const { store, node } = oneNode({ daily: 10_000 });
  const behind = NOON - 5_000;
  store.now = MIDNIGHT + DAY - 1_000;
  await node.enter(mara, "lookup", behind);
  assert.match(node.headers(mara, behind)["RateLimit"] ?? "", /"daily";r=9999;t=1$/);
  assert.ok(atOnce(node.enter(mara, "lookup", behind + 999)).ok);
  await nextTurn();
  store.now += 1_000;
  assert.ok((await node.enter(mara, "lookup", behind + 1_000)).ok);
  assert.match(node.headers(mara, behind + 1_000)["RateLimit"] ?? "", /"daily";r=9999;t=86400$/);
});

test("tokens that hold nothing and ask nothing are forgotten", async () => {
  const { store, node } = oneNode();
  for (let count = 0; count < 100; count++) {
    const entry = await node.enter({ keyId: `token ${count}`, limits: {} }, "lookup", NOON);
    assert.ok(entry.ok);
    entry.release();
  }
  node.settle(NOON + 1_000);
  await nextTurn();
  store.now += 60_000;
  await node.enter(mara, "lookup", NOON + 60_000);
  assert.equal(node.size, 1);
});

test("however many nodes are asked, their sum is within a hundredth of the limit and never above", async () => {
  const limit = fc.oneof(fc.integer({ min: 5, max: 400 }), fc.integer({ min: 400, max: 6_000 }));
  const step = fc.record({
    node: fc.nat(2),
    cost: fc.constantFrom<Cost>("lookup", "list", "search"),
    pause: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(limit, limit, fc.array(step, { maxLength: 200 }), async (burst, daily, steps) => {
      const { nodes: made } = nodes(3, { burst, daily });
      const entries: Promise<number>[] = [];
      for (const { node, cost, pause } of steps) {
        const entry = (made[node] as RateLimits).enter(mara, cost, NOON);
        entries.push(Promise.resolve(entry).then(({ ok }) => (ok ? COSTS[cost] : 0)));
        if (pause) await nextTurn();
      }
      const sum = total(await Promise.all(entries)) + total(await Promise.all(made.map((node) => drain(node, NOON))));
      const least = Math.min(burst, daily);
      assert.ok(sum <= least, `${sum} of ${least}`);
      assert.ok(sum >= least * 0.99, `${sum} of ${least}`);
    }),
    { numRuns: 60 },
  );
});

test("over any time no more is let through than the bucket and its refill, by all nodes together", async () => {
  const step = fc.record({
    node: fc.nat(2),
    cost: fc.constantFrom<Cost>("lookup", "list", "search"),
    times: fc.oneof(fc.nat(40), fc.nat(600)),
    waitMs: fc.oneof(fc.nat(40), fc.nat(3_000)),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 5, max: 1_500 }), fc.array(step, { maxLength: 30 }), async (burst, steps) => {
      const { store, nodes: made } = nodes(3, { burst });
      const granted: { at: number; units: number }[] = [];
      for (const { node, cost, times, waitMs } of steps) {
        store.now += waitMs;
        for (const each of made) each.settle(store.now);
        for (let count = 0; count < times; count++) {
          const entry = await (made[node] as RateLimits).enter(mara, cost, store.now);
          if (entry.ok) granted.push({ at: store.now, units: Math.min(COSTS[cost], burst) });
        }
      }
      // A bucket of our own, spent as it was granted, must never run dry.
      let level = burst * 10_000;
      let last = NOON;
      for (const { at, units } of granted) {
        level = Math.min(level + (at - last) * burst, burst * 10_000) - units * 10_000;
        last = at;
        assert.ok(level >= 0, `${-level / 10_000} too many at ${at - NOON} ms`);
      }
    }),
    { numRuns: 40 },
  );
});
