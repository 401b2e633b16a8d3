/** Rate limits of several nodes on a real PostgreSQL. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setImmediate as nextTick, setTimeout as pause } from "node:timers/promises";
import * as fc from "fast-check";
import type { Cost } from "#api/endpoint.ts";
import type { RateLimitExchange, SpendReport } from "#domain/rate-bucket.ts";
import { DAY_MS } from "#domain/time.ts";
import { SYSTEM_CLOCK } from "#rate-limit/clock.ts";
import { COSTS } from "#rate-limit/effective-limits.ts";
import { RATE_LIMITS } from "#testing/rate-limits.ts";
import { MAX_UNREPORTED_MS, type RateLimitKey, RateLimiter } from "#rate-limit/rate-limiter.ts";
import { SharedBalances } from "#rate-limit/shared-balances.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import type { Store } from "#store/store.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { ManualClock } from "#testing/manual-clock.ts";
import { until } from "#testing/until.ts";
import { freshStoreDatabase } from "./postgres/databases.ts";
import { startServer } from "./postgres/server.ts";

const NOON = Date.UTC(2026, 10, 15, 12);
const COSTS_OF = ["lookup", "list", "search"] as const;

function exchangeOf(store: Store): RateLimitExchange {
  assert.ok(store.rateLimits !== null);
  return store.rateLimits;
}

function left(limiter: RateLimiter, key: RateLimitKey): { burst: number; daily: number } {
  const [, burst, daily] = /r=(\d+);t=\d+, "daily";r=(\d+)/.exec(limiter.headers(key).ratelimit ?? "") ?? [];
  return { burst: Number(burst), daily: Number(daily) };
}

/** A limiter that keeps account of what it granted, and of the most that others did not know of. */
class Node {
  readonly limiter: RateLimiter;
  granted = 0;
  mostUnreported = 0;
  #reported = 0;

  constructor(shared: RateLimitExchange, clock = SYSTEM_CLOCK) {
    const counted: RateLimitExchange = {
      exchange: async (reports) => {
        const reporting = this.granted;
        const balances = await shared.exchange(reports);
        this.mostUnreported = Math.max(this.mostUnreported, this.granted - this.#reported);
        this.#reported = reporting;
        return balances;
      },
    };
    this.limiter = new RateLimiter(RATE_LIMITS, counted, clock);
  }

  acquire(key: RateLimitKey, cost: Cost = "lookup"): boolean {
    const admission = this.limiter.acquire(key, cost);
    if (!admission.ok) return false;
    admission.release();
    // What is spent by a request that is decided now is reported later.
    this.granted += COSTS[cost];
    return true;
  }

  get unreported(): number {
    return Math.max(this.mostUnreported, this.granted - this.#reported);
  }
}

describe("rate limits of several nodes", () => {
  const clock = new ManualClock(NOON);
  let url: string;
  let drop: () => Promise<void>;
  /** The first two go by the server's clock. */
  let stores: [Store, Store];
  let clocked: Store;
  let tokens = 0;
  before(async () => {
    ({ url, drop } = await freshStoreDatabase());
    const open = (options?: { clock: () => number }) =>
      openPostgresStore({ url, timeoutFactor: TEST_TIMEOUT_FACTOR, ...options });
    stores = [await open(), await open()];
    clocked = await open({ clock: () => clock.utc() });
  });
  after(async () => {
    await Promise.all([...stores, clocked].map((store) => store.close()));
    await drop();
  });

  const newKey = (limits: RateLimitKey["limits"]): RateLimitKey => ({ keyId: `token ${++tokens}`, limits });
  const openNodes = () => stores.map((store) => new Node(exchangeOf(store))) as [Node, Node];

  test("SQL computes the balances that memory does, whatever is reported", async () => {
    const amount = fc.oneof(fc.nat(12), fc.nat(3_000_000));
    const step = fc.record({
      waitMs: fc.oneof(fc.nat(400), fc.constantFrom(0, 9_999, 10_000, DAY_MS)),
      reports: fc.uniqueArray(
        fc.record({
          keyId: fc.constantFrom("a", "b", 'quo"ted\\'),
          burst: fc.oneof(fc.nat(40), fc.integer({ min: 1, max: 1_000_000_000 })),
          spent: amount,
          daily: fc.integer({ min: -20, max: 3_000_000 }),
          daysAgo: fc.nat(1),
        }),
        { selector: ({ keyId }) => keyId, minLength: 1 },
      ),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        run += 1;
        const model = new SharedBalances(clock);
        for (const { waitMs, reports } of steps) {
          clock.pass(waitMs);
          const today = Math.floor(clock.utc() / DAY_MS);
          const sent: SpendReport[] = reports.map(({ keyId, daysAgo, ...report }) => ({
            ...report,
            keyId: `${keyId} ${run}`,
            day: today - daysAgo,
          }));
          const byKey = (one: { keyId: string }, other: { keyId: string }) => (one.keyId < other.keyId ? -1 : 1);
          const balances = await exchangeOf(clocked).exchange(sent);
          assert.deepEqual(balances.toSorted(byKey), (await model.exchange(sent)).toSorted(byKey));
        }
      }),
      { numRuns: 40 },
    );
  });

  test("a server whose clock is set back refills from then on and counts its own day", async () => {
    const { keyId } = newKey({});
    const report = { keyId, burst: 10, spent: 100_000, daily: 5, day: Math.floor(clock.utc() / DAY_MS) };
    await exchangeOf(clocked).exchange([report]);
    clock.set(-2 * DAY_MS);
    const nothing = { ...report, spent: 0, daily: 0 };
    const [back] = await exchangeOf(clocked).exchange([nothing]);
    assert.deepEqual(back, { keyId, level: 0, used: 0, at: clock.utc() });
    clock.pass(10_000);
    assert.equal((await exchangeOf(clocked).exchange([nothing]))[0]?.level, 100_000);
  });

  test("exchanges of the same tokens at the same time do not deadlock and lose nothing", async () => {
    const reports: SpendReport[] = Array.from({ length: 200 }, (_, number) => ({
      keyId: `busy ${number}`,
      burst: 1_000_000,
      spent: 10_000,
      daily: 1,
      day: Math.floor(Date.now() / DAY_MS),
    }));
    const rounds = Array.from({ length: 20 }, (_, round) =>
      exchangeOf(stores[round % 2] as Store).exchange(round % 2 === 0 ? reports : reports.toReversed()),
    );
    await Promise.all(rounds);
    const balances = await exchangeOf(stores[0]).exchange(reports);
    assert.ok(balances.every(({ used }) => used === 21));
  });

  test("hammered together they grant the limit, its refill, and at most one interval's worth each", async () => {
    for (const limits of [
      { burst: 1_000, daily: 1_000_000 },
      { burst: 1_000_000, daily: 2_000 },
      { burst: 40, daily: 1_000_000 },
    ]) {
      const nodes = openNodes();
      const key = newKey({ ...limits, concurrency: 1_000 });
      const stops = nodes.map(({ limiter }) => limiter.start());
      const begin = performance.now();
      const isOver = () => performance.now() - begin > 2_000;
      await Promise.all(
        nodes.flatMap((node) =>
          COSTS_OF.map(async (cost) => {
            // A thousand a second each, ten times what the largest limit allows: a loop without a pause only burns time.
            for (; !isOver(); await pause(1)) node.acquire(key, cost);
          }),
        ),
      );
      const refill = ((performance.now() - begin) / 10_000) * limits.burst;
      const allowed = Math.min(limits.burst + refill, limits.daily);
      const granted = nodes[0].granted + nodes[1].granted;
      const unreported = nodes[0].unreported + nodes[1].unreported;
      const told = `${granted} granted of ${Math.round(allowed)}; unknown to the other at most ${unreported}`;
      assert.ok(granted <= allowed + unreported + 5, told);
      assert.ok(granted >= allowed * 0.9 - 5, told);
      await Promise.all(stops.map((stop) => stop()));
    }
  });

  test("both soon show the same remaining", async () => {
    const nodes = openNodes();
    const key = newKey({ burst: 1_000_000, daily: 10_000 });
    const stops = nodes.map(({ limiter }) => limiter.start());
    for (let count = 0; count < 300; count++) for (const node of nodes) node.acquire(key);
    await until(async () => nodes.every(({ limiter }) => left(limiter, key).daily === 9_400));
    await Promise.all(stops.map((stop) => stop()));
  });

  test("a killed node loses at most what it had not reported", async () => {
    const [killed, other] = openNodes();
    const key = newKey({ burst: 1_000_000, daily: 10_000 });
    for (let count = 0; count < 2_000; count++) {
      killed.acquire(key);
      await nextTick();
      // However slow the database is, the node has reported something before it dies.
      if (count === 1_000) await killed.limiter.exchange();
    }
    // It is not stopped: nothing more is heard of it.
    const lost = killed.unreported;
    other.acquire(key);
    await other.limiter.exchange();
    const { daily } = left(other.limiter, key);
    assert.ok(daily >= 7_999 && daily <= 7_999 + lost, `${daily}, ${lost} unreported`);
    assert.ok(lost < 2_000);
  });

  test("a refund on one node is left for the other", async () => {
    const [one, other] = openNodes();
    const key = newKey({ daily: 5 });
    const admission = one.limiter.acquire(key, "search");
    assert.ok(admission.ok);
    await one.limiter.exchange();
    other.acquire(key);
    await other.limiter.exchange();
    assert.equal(other.acquire(key), false);
    admission.refundDaily();
    await one.limiter.exchange();
    await other.limiter.exchange();
    assert.equal(other.acquire(key), true);
  });
});

test("a frozen primary: no request waits, a token works for another minute, then 503 until it is back", async () => {
  const server = await startServer();
  const store = await openPostgresStore({ url: server.url("postgres") });
  const clock = new ManualClock(Date.now());
  const node = new Node(exchangeOf(store), clock);
  const key: RateLimitKey = { keyId: "mara", limits: { burst: 100 } };
  try {
    node.acquire(key);
    await node.limiter.exchange();
    await server.freeze();
    for (let ms = 0; ms < MAX_UNREPORTED_MS; ms += 1_000) {
      while (node.acquire(key));
      clock.pass(1_000);
    }
    assert.equal(node.granted, 100 + 590, "the limit and its refill, as alone");
    assert.deepEqual(node.limiter.acquire(key, "lookup"), { ok: false, code: "service_unavailable", retryAfterS: 1 });
    await node.limiter.exchange();
    assert.deepEqual(node.limiter.acquire(key, "lookup"), { ok: false, code: "service_unavailable", retryAfterS: 1 });
    await server.thaw();
    await until(async () => {
      await node.limiter.exchange();
      return node.acquire(key);
    });
  } finally {
    await server.thaw();
    await store.close();
    await server.stop();
  }
});
