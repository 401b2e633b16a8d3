/** Limiters that exchange: together they keep one limit, give or take one interval, and never go without one. */
import assert from "node:assert/strict";
import { setImmediate as nextTick } from "node:timers/promises";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Cost } from "#api/endpoint.ts";
import type { RateLimitExchange, SharedBalance, SpendReport } from "#domain/rate-bucket.ts";
import { DAY_MS } from "#domain/time.ts";
import { ManualClock } from "#testing/manual-clock.ts";
import { EXCHANGE_MS } from "./bucket.ts";
import { COSTS, type Limits } from "./effective-limits.ts";
import { RATE_LIMITS } from "#testing/rate-limits.ts";
import { MAX_UNREPORTED_MS, type RateLimitKey, RateLimiter } from "./rate-limiter.ts";
import { SharedBalances } from "./shared-balances.ts";

const NOON = Date.UTC(2026, 10, 15, 12);
const MARA: RateLimitKey = { keyId: "mara", limits: {} };

/** An exchange that can fail, lose responses, or delay them. */
class Wire implements RateLimitExchange {
  balances: RateLimitExchange;
  state: "up" | "down" | "responses lost" = "up";
  exchanges = 0;
  /** Reports arrive after it. */
  delay: Promise<void> | undefined;

  constructor(balances: RateLimitExchange) {
    this.balances = balances;
  }

  async exchange(reports: readonly SpendReport[]): Promise<SharedBalance[]> {
    this.exchanges += 1;
    if (this.state === "down") throw new Error("unreachable");
    if (this.delay !== undefined) await this.delay;
    const balances = await this.balances.exchange(structuredClone(reports));
    if (this.state === "responses lost") throw new Error("lost");
    return balances;
  }
}

function openNodes(count: number, limits: Partial<Limits> = {}, utc = NOON) {
  const clock = new ManualClock(utc);
  const balances = new SharedBalances(clock);
  const wire = new Wire(balances);
  const open = () => new RateLimiter({ ...RATE_LIMITS, ...limits }, wire, clock);
  return { clock, balances, wire, open, nodes: Array.from({ length: count }, open) as [RateLimiter, ...RateLimiter[]] };
}

function left(limiter: RateLimiter): { burst: number; daily: number } {
  const [, burst, daily] = /r=(\d+);t=\d+, "daily";r=(\d+)/.exec(limiter.headers(MARA).ratelimit ?? "") ?? [];
  return { burst: Number(burst), daily: Number(daily) };
}

function acquire(limiter: RateLimiter, cost: Cost = "lookup"): boolean {
  const admission = limiter.acquire(MARA, cost);
  if (admission.ok) admission.release();
  return admission.ok;
}

async function exchangeAll(nodes: RateLimiter[]): Promise<void> {
  for (const node of nodes) await node.exchange();
}

test("the first request of a token is decided and reported immediately", async () => {
  const { nodes, wire } = openNodes(1);
  assert.ok(acquire(nodes[0]));
  assert.equal(wire.exchanges, 1);
});

test("all nodes show the same remaining after each has exchanged", async () => {
  const { nodes, clock } = openNodes(3, { burst: 1_000, daily: 5_000 });
  for (const [index, node] of nodes.entries()) for (let count = 0; count <= index; count++) acquire(node, "search");
  await exchangeAll(nodes);
  await exchangeAll(nodes);
  for (const node of nodes) assert.deepEqual(left(node), { burst: 970, daily: 4_970 });
  clock.pass(100);
  for (const node of nodes) assert.deepEqual(left(node), { burst: 980, daily: 4_970 });
});

test("nodes that are started show the same remaining within a second", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { nodes } = openNodes(2, { burst: 1_000_000, daily: 10_000 });
  const stops = nodes.map((node) => node.start());
  for (let count = 0; count < 300; count++) for (const node of nodes) acquire(node);
  for (let ms = 0; ms < 1_000; ms += 100) {
    t.mock.timers.tick(100);
    await nextTick();
  }
  for (const node of nodes) assert.equal(left(node).daily, 9_400);
  await Promise.all(stops.map((stop) => stop()));
});

test("the headers of an only node stay exact across exchanges", async () => {
  const { nodes, clock } = openNodes(1, { burst: 10, daily: 100 });
  const alone = new RateLimiter({ ...RATE_LIMITS, burst: 10, daily: 100 }, null, clock);
  for (let step = 0; step < 200; step++) {
    clock.pass((step * 7919) % 1_300);
    const cost = (["lookup", "list", "search"] as const)[step % 3] as Cost;
    assert.equal(acquire(nodes[0], cost), acquire(alone, cost), `step ${step}`);
    assert.equal(nodes[0].headers(MARA).ratelimit, alone.headers(MARA).ratelimit, `step ${step}`);
    await nodes[0].exchange();
    assert.equal(nodes[0].headers(MARA).ratelimit, alone.headers(MARA).ratelimit, `step ${step}, exchanged`);
  }
});

test("a token is exchanged while it is active, and one statement serves all tokens", async () => {
  const { nodes, clock, wire } = openNodes(1);
  for (let count = 0; count < 50; count++) nodes[0].acquire({ keyId: `token ${count}`, limits: {} }, "lookup");
  await nodes[0].exchange();
  const before = wire.exchanges;
  await nodes[0].exchange();
  assert.equal(wire.exchanges, before + 1);
  clock.pass(10_000);
  await nodes[0].exchange();
  assert.equal(wire.exchanges, before + 1, "nobody used them for ten seconds");
});

test("a 25th of a limit is reported without waiting for the interval, and once", async () => {
  for (const limits of [{ burst: 1_000 }, { burst: 1_000_000, daily: 1_000 }]) {
    const { nodes, wire } = openNodes(1, limits);
    acquire(nodes[0]);
    await nodes[0].exchange();
    const before = wire.exchanges;
    for (let count = 0; count < 39; count++) acquire(nodes[0]);
    await nextTick();
    assert.equal(wire.exchanges, before);
    acquire(nodes[0]);
    assert.equal(wire.exchanges, before + 1);
    acquire(nodes[0]);
    await nextTick();
    assert.equal(wire.exchanges, before + 1, "what is under way is not due again");
  }
});

test("what is spent while a report is in flight is reported with the next", async () => {
  const { nodes, open } = openNodes(1, { burst: 100, daily: 1_000 });
  acquire(nodes[0], "search");
  const first = nodes[0].exchange();
  for (let count = 0; count < 3; count++) acquire(nodes[0], "search");
  await first;
  assert.deepEqual(left(nodes[0]), { burst: 80, daily: 980 });
  await nodes[0].exchange();
  const other = open();
  acquire(other);
  await other.exchange();
  assert.deepEqual(left(other), { burst: 79, daily: 979 });
});

test("a report that takes long counts no time twice", async () => {
  const { nodes, clock, wire } = openNodes(1, { burst: 10 });
  const [node] = nodes;
  for (let count = 0; count < 10; count++) acquire(node);
  await node.exchange();
  await node.exchange();
  wire.delay = nextTick();
  clock.pass(1_000);
  acquire(node);
  clock.pass(5_000);
  await node.exchange();
  assert.equal(left(node).burst, 5);
});

test("whatever is requested, nodes together never grant more than limit and refill, and an interval's worth each", async () => {
  const step = fc.record({
    node: fc.nat(2),
    cost: fc.constantFrom<Cost>("lookup", "list", "search"),
    times: fc.nat(40),
    waitMs: fc.nat(300),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 5, max: 400 }),
      fc.integer({ min: 5, max: 2_000 }),
      fc.array(step, { maxLength: 60 }),
      async (burst, daily, steps) => {
        const { nodes, clock } = openNodes(3, { burst, daily, concurrency: 1_000 });
        let [granted, elapsed, sinceExchange, worst] = [0, 0, [0, 0, 0], [0, 0, 0]];
        for (const { node, cost, times, waitMs } of steps) {
          clock.pass(waitMs);
          elapsed += waitMs;
          for (let count = 0; count < times; count++) {
            if (!acquire(nodes[node] as RateLimiter, cost)) continue;
            const units = Math.min(COSTS[cost], burst, daily);
            granted += units;
            sinceExchange[node] = (sinceExchange[node] ?? 0) + units;
          }
          worst = worst.map((most, index) => Math.max(most, sinceExchange[index] ?? 0));
          if (Math.floor(elapsed / EXCHANGE_MS) !== Math.floor((elapsed - waitMs) / EXCHANGE_MS)) {
            await exchangeAll(nodes);
            sinceExchange = [0, 0, 0];
          } else await nextTick();
          const excess = worst.reduce((sum, units) => sum + units, 0);
          assert.ok(granted <= burst + (elapsed * burst) / 10_000 + excess, `${granted} of the bucket`);
          assert.ok(granted <= daily + excess, `${granted} of the day`);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("hammered nodes grant the limit and at most a 25th each on top, and the rate over time is the limit's", async () => {
  const { nodes, clock } = openNodes(3, { burst: 1_000, concurrency: 10 });
  let granted = 0;
  for (let ms = 0; ms < 30_000; ms += 10) {
    clock.pass(10);
    for (const node of nodes) for (let count = 0; count < 4; count++) if (acquire(node)) granted += 1;
    if (ms % EXCHANGE_MS === 0) await exchangeAll(nodes);
    else await nextTick();
  }
  const allowed = 1_000 + 3_000;
  assert.ok(granted >= allowed * 0.97 && granted <= allowed + 3 * 40 + 12, `${granted} of ${allowed}`);
});

test("units spent too many are paid back before anything is granted, also past midnight", async () => {
  const { nodes, clock, open } = openNodes(2, { burst: 100 }, NOON + DAY_MS / 2 - 60_000);
  const dropUnused = () => nodes.forEach((node) => node.acquire({ keyId: "jon", limits: {} }, "lookup"));
  dropUnused();
  clock.pass(55_000);
  await Promise.all(
    nodes.map(async (node) => {
      while (acquire(node));
      await node.exchange();
    }),
  );
  await exchangeAll(nodes);
  // Each granted 100 before it heard of the other.
  clock.pass(10_000);
  dropUnused();
  const started = open();
  acquire(started);
  await exchangeAll([...nodes, started]);
  for (const node of [...nodes, started]) assert.ok(left(node).burst <= 1);
  clock.pass(10_000);
  for (const node of nodes) assert.ok(left(node).burst >= 99);
});

test("a token that was idle has saved nothing up", async () => {
  const { nodes, clock } = openNodes(1, { burst: 5 });
  for (let count = 0; count < 2; count++) {
    clock.pass(600_000);
    assert.ok(acquire(nodes[0], "search"));
    await nodes[0].exchange();
  }
  assert.equal(left(nodes[0]).burst, 0);
});

test("a killed node loses at most what it had not reported", async () => {
  const { nodes, open } = openNodes(1, { burst: 1_000, daily: 10_000 });
  for (let count = 0; count < 500; count++) {
    acquire(nodes[0]);
    await nextTick();
  }
  const other = open();
  acquire(other);
  await other.exchange();
  const { daily } = left(other);
  assert.ok(daily >= 9_499 && daily <= 9_499 + 40, `${daily}`);
});

test("a node that stops reports everything", async () => {
  const { nodes, open } = openNodes(1, { burst: 1_000, daily: 10_000 });
  const stop = nodes[0].start();
  for (let count = 0; count < 77; count++) acquire(nodes[0]);
  await exchangeAll([...nodes, ...nodes]);
  const underWay = nodes[0].exchange();
  // Too few for an exchange of their own.
  for (let count = 0; count < 3; count++) acquire(nodes[0]);
  await stop();
  await underWay;
  const other = open();
  acquire(other);
  await other.exchange();
  assert.equal(left(other).daily, 10_000 - 81);
});

test("unreachable: a token continues with its own bucket for a minute, then is rejected until the exchange is back", async () => {
  const { nodes, clock, wire } = openNodes(1, { burst: 100, daily: 10_000 });
  const [node] = nodes;
  acquire(node);
  await node.exchange();
  wire.state = "down";
  let granted = 0;
  for (let ms = 0; ms < MAX_UNREPORTED_MS; ms += 100) {
    for (let count = 0; count < 5; count++) if (acquire(node)) granted += 1;
    clock.pass(100);
    await node.exchange();
  }
  assert.ok(granted <= 99 + 600 && granted >= 690, `${granted}: the whole limit and no more`);
  assert.deepEqual(node.acquire(MARA, "lookup"), { ok: false, code: "service_unavailable", retryAfterS: 1 });
  clock.pass(600_000);
  assert.deepEqual(node.acquire(MARA, "lookup"), { ok: false, code: "service_unavailable", retryAfterS: 1 });
  wire.state = "up";
  await node.exchange();
  assert.ok(acquire(node));
  assert.equal(left(node).daily, 10_000 - 2 - granted);
});

test("unreachable: what was spent while a report was under way is not reported", async () => {
  for (const isRefunded of [false, true]) {
    const { nodes, clock, wire } = openNodes(1);
    acquire(nodes[0]);
    const reported = nodes[0].exchange();
    const admission = nodes[0].acquire(MARA, "lookup");
    if (admission.ok && isRefunded) admission.refundDaily();
    // All that was spent has refilled.
    if (!isRefunded) clock.pass(10_000);
    await reported;
    wire.state = "down";
    clock.pass(MAX_UNREPORTED_MS);
    assert.equal(nodes[0].acquire(MARA, "lookup").ok, false);
  }
});

test("unreachable: a token of which everything was reported has a minute from its next request", async () => {
  const { nodes, clock, wire } = openNodes(1);
  nodes[0].acquire(MARA, "lookup");
  const reported = nodes[0].exchange();
  clock.pass(10_000);
  await reported;
  wire.state = "down";
  clock.pass(MAX_UNREPORTED_MS);
  assert.ok(acquire(nodes[0]));
});

test("unreachable: a token with refunds only is let in again as well", async () => {
  const { nodes, clock, wire } = openNodes(1);
  wire.state = "down";
  const admission = nodes[0].acquire(MARA, "lookup");
  assert.ok(admission.ok);
  admission.refundDaily();
  clock.pass(MAX_UNREPORTED_MS);
  assert.equal(nodes[0].acquire(MARA, "lookup").ok, false);
  wire.state = "up";
  await nodes[0].exchange();
  await nodes[0].exchange();
  assert.equal(nodes[0].acquire(MARA, "lookup").ok, true);
});

test("unreachable: requests do not become a flood of exchanges", async () => {
  const { nodes, wire, clock } = openNodes(1, { burst: 25 });
  wire.state = "down";
  for (let count = 0; count < 100; count++) {
    acquire(nodes[0]);
    acquire(nodes[0]);
    clock.pass(100);
    await nextTick();
  }
  assert.equal(wire.exchanges, 1, "the timer is not running here");
  wire.state = "up";
  await nodes[0].exchange();
  clock.pass(EXCHANGE_MS);
  acquire(nodes[0]);
  assert.equal(wire.exchanges, 3, "reachable again, requests exchange early");
});

test("a report whose response is lost may count twice, and never not at all", async () => {
  const { nodes, wire, open } = openNodes(1, { daily: 1_000 });
  wire.state = "responses lost";
  acquire(nodes[0], "search");
  await nodes[0].exchange();
  wire.state = "up";
  await nodes[0].exchange();
  assert.equal(left(nodes[0]).daily, 990);
  const other = open();
  acquire(other);
  await other.exchange();
  assert.equal(left(other).daily, 989);
});

test("the store's clock decides the day, whatever the node's says", async () => {
  for (const error of [-2 * DAY_MS, DAY_MS / 2, 30 * DAY_MS]) {
    const clock = new ManualClock(NOON);
    const wrong = new ManualClock(NOON + error);
    const balances = new SharedBalances(clock);
    const node = new RateLimiter({ ...RATE_LIMITS, daily: 20 }, balances, wrong);
    const pass = (ms: number) => [clock, wrong].forEach((each) => each.pass(ms));
    acquire(node);
    await node.exchange();
    for (let step = 0; step < 10; step++) {
      acquire(node, "search");
      await node.exchange();
      pass(1_000);
    }
    const refused = node.acquire(MARA, "lookup");
    assert.ok(!refused.ok && refused.retryAfterS === 43_200 - 10, JSON.stringify(refused));
    pass(DAY_MS / 2 - 10_000);
    assert.ok(acquire(node));
  }
});

test("at midnight each node has the whole day again, before it has exchanged and after", async () => {
  const { nodes, clock } = openNodes(2, { daily: 5 }, NOON + DAY_MS / 2 - 1);
  for (const node of nodes) acquire(node, "search");
  await exchangeAll([...nodes, ...nodes]);
  for (const node of nodes) assert.match(node.headers(MARA).ratelimit ?? "", / "daily";r=0;t=1$/);
  clock.pass(1);
  for (const node of nodes) assert.equal(left(node).daily, 5);
  await exchangeAll(nodes);
  for (const node of nodes) assert.equal(left(node).daily, 5);
});

test("a refund of what the balances no longer have grants nothing beyond the limit", async () => {
  const { nodes, clock, wire } = openNodes(1, { daily: 100 });
  const [node] = nodes;
  const admission = node.acquire(MARA, "search");
  await node.exchange();
  wire.balances = new SharedBalances(clock);
  await node.exchange();
  assert.ok(admission.ok);
  admission.refundDaily();
  assert.equal(left(node).daily, 100);
  await node.exchange();
  acquire(node, "search");
  await exchangeAll([node, node]);
  assert.equal(left(node).daily, 95);
});

test("a store whose clock is set back locks nobody out", async () => {
  for (const back of [3_600_000, 2 * DAY_MS]) {
    const { nodes, clock } = openNodes(1, { burst: 5, daily: 5 });
    acquire(nodes[0], "search");
    await nodes[0].exchange();
    clock.set(-back);
    await nodes[0].exchange();
    const refused = nodes[0].acquire(MARA, "search");
    assert.ok(!refused.ok && refused.retryAfterS <= 86_400);
    clock.pass(refused.retryAfterS * 1000);
    assert.ok(acquire(nodes[0], "search"));
  }
});

test("tokens that nobody uses are dropped: here after a minute, with their balance at midnight", async () => {
  const { nodes, clock, balances } = openNodes(1);
  for (let count = 0; count < 20; count++) {
    const admission = nodes[0].acquire({ keyId: `token ${count}`, limits: {} }, "lookup");
    if (admission.ok) admission.release();
  }
  await nodes[0].exchange();
  await nodes[0].exchange();
  clock.pass(60_000);
  acquire(nodes[0]);
  await nodes[0].exchange();
  assert.deepEqual([nodes[0].size, balances.size], [1, 21]);
  clock.pass(DAY_MS);
  acquire(nodes[0]);
  await nodes[0].exchange();
  assert.equal(balances.size, 1);
});
