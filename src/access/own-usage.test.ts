/** Spending in place must be what a lease of the same price would be, to the unit. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Cost } from "#contract/endpoint.ts";
import { BURST_MS, DAY_MS, dayOf, type Lease, refill, type Units } from "#domain/bucket.ts";
import { MemoryLeases } from "#store/sqlite/leases.ts";
import { COSTS, type Entry, RateLimits } from "./limits.ts";

const BEFORE_MIDNIGHT = Date.UTC(2026, 10, 15) - 30_000;
const NOTHING: Units = { burst: 0, daily: 0 };

/** The same by leases: each request asks for its price, each refund gives back, and the answer is all that is known. */
class ByLeases {
  readonly #leases = new MemoryLeases();
  readonly #limits: Units;
  #last: Lease | null = null;

  constructor(limits: Units) {
    this.#limits = limits;
  }

  /** Null when admitted, else the seconds to wait. */
  enter(cost: Cost, now: number): number | null {
    const price = this.#priceOf(cost);
    const lease = this.#ask({ need: price, back: { ...NOTHING, day: 0 } }, now);
    if (lease.granted.burst === price.burst && lease.granted.daily === price.daily) return null;
    if (this.#limits.daily - lease.used < price.daily) return secondsToMidnight(lease.day, now);
    const waitMs = (price.burst * BURST_MS - lease.level) / this.#limits.burst;
    return Math.max(1, Math.ceil(Math.min(waitMs, BURST_MS) / 1000));
  }

  dayNow(): number {
    return this.#last?.day ?? 0;
  }

  refund(cost: Cost, day: number, now: number): void {
    this.#ask({ need: NOTHING, back: { burst: 0, daily: this.#priceOf(cost).daily, day } }, now);
  }

  headers(now: number): Record<string, string> {
    const { burst, daily } = this.#limits;
    const bucket = {
      ...(this.#last ?? { level: burst * BURST_MS, refilledAt: now, leased: 0, day: dayOf(now), used: 0 }),
    };
    refill(bucket, this.#limits, now);
    const missing = burst * BURST_MS - bucket.level;
    const full = missing === 0 ? 0 : Math.ceil(missing / burst / 1000);
    const left = Math.max(0, daily - bucket.used);
    return {
      "RateLimit-Policy": `"burst";q=${burst};w=10, "daily";q=${daily};w=86400`,
      RateLimit: `"burst";r=${Math.floor(bucket.level / BURST_MS)};t=${full}, "daily";r=${left};t=${secondsToMidnight(bucket.day, now)}`,
    };
  }

  #priceOf(cost: Cost): Units {
    const { burst, daily } = this.#limits;
    return { burst: Math.max(1, Math.min(COSTS[cost], burst)), daily: Math.max(1, Math.min(COSTS[cost], daily)) };
  }

  #ask({ need, back }: { need: Units; back: Units & { day: number } }, now: number): Lease {
    const ask = { keyId: "mara", limits: this.#limits, need, want: need, ahead: NOTHING, spent: 0, back };
    this.#last = this.#leases.lease(ask, now);
    return this.#last;
  }
}

function secondsToMidnight(day: number, now: number): number {
  return Math.ceil(((day + 1) * DAY_MS - now) / 1000);
}

function atOnce(entry: Entry | Promise<Entry>): Entry {
  assert.ok(!(entry instanceof Promise));
  return entry;
}

const limit = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 3_000_000 }));
const steps = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.integer({ min: -50, max: 400 }), fc.constantFrom(-9_999, 9_999, 10_000, 61_000, DAY_MS)),
    cost: fc.constantFrom<Cost>("lookup", "list", "search"),
    times: fc.nat(8),
    refunded: fc.boolean(),
    late: fc.boolean(),
  }),
  { maxLength: 40 },
);

test("admissions, waits, headers and refunds are those of leases, whatever the limits and the clock", () => {
  fc.assert(
    fc.property(limit, limit, steps, (burst, daily, sequence) => {
      const model = new ByLeases({ burst, daily });
      const limits = new RateLimits({ burst, daily, parallel: 1_000 }, new MemoryLeases());
      const key = { keyId: "mara", limits: {} };
      const later: (() => void)[] = [];
      let now = BEFORE_MIDNIGHT;
      for (const { waitMs, cost, times, refunded, late } of sequence) {
        now += waitMs;
        for (let count = 0; count < times; count++) {
          const entry = atOnce(limits.enter(key, cost, now));
          const waitS = model.enter(cost, now);
          if (!entry.ok) {
            assert.deepEqual(entry, { ok: false, code: "rate_limited", retryAfterS: waitS });
            continue;
          }
          assert.equal(waitS, null);
          const [day, at] = [model.dayNow(), now];
          const end = () => {
            if (refunded) {
              entry.refundDaily();
              model.refund(cost, day, at);
            }
            entry.release();
          };
          if (late) later.push(end);
          else end();
        }
        assert.deepEqual(limits.headers(key, now), model.headers(now));
        assert.deepEqual(limits.headers(key, now + 777), model.headers(now + 777));
        if (waitMs === 10_000) for (const end of later.splice(0)) end();
      }
      assert.deepEqual(limits.headers(key, now), model.headers(now));
    }),
    { numRuns: 400 },
  );
});

test("a clock that is set back by any time refills nothing and takes nothing away", () => {
  const limits = new RateLimits({ burst: 10, daily: 100, parallel: 10 }, new MemoryLeases());
  const key = { keyId: "mara", limits: {} };
  const now = BEFORE_MIDNIGHT;
  assert.ok(atOnce(limits.enter(key, "search", now)).ok);
  for (const back of [9_999, 10_000, 3_600_000, 2 * DAY_MS]) {
    assert.ok(atOnce(limits.enter(key, "lookup", now - back)).ok, `${back} ms`);
  }
  assert.match(limits.standingOf(key, now) ?? "", /^"burst";r=1;t=9, "daily";r=91;/);
});

test("what is spent in place is spent for whoever takes leases of the same bucket", () => {
  const leases = new MemoryLeases();
  const service = { burst: 10, daily: 10, parallel: 10 };
  const limits = new RateLimits(service, leases);
  assert.ok(atOnce(limits.enter({ keyId: "mara", limits: {} }, "search", BEFORE_MIDNIGHT)).ok);
  const need = { burst: 6, daily: 6 };
  const ask = {
    keyId: "mara",
    limits: service,
    need,
    want: need,
    ahead: NOTHING,
    spent: 0,
    back: { ...NOTHING, day: 0 },
  };
  assert.deepEqual(leases.lease(ask, BEFORE_MIDNIGHT).granted, NOTHING);
  const five = { burst: 5, daily: 5 };
  assert.deepEqual(leases.lease({ ...ask, need: five, want: five }, BEFORE_MIDNIGHT).granted, five);
  assert.equal(atOnce(limits.enter({ keyId: "mara", limits: {} }, "lookup", BEFORE_MIDNIGHT)).ok, false);
});
