/** The limiter of a process that is alone: exact, whatever the limits and the clock. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Cost } from "#api/endpoint.ts";
import { DAY_MS } from "#domain/time.ts";
import type { TokenLimits } from "#domain/token.ts";
import { ManualClock } from "#testing/manual-clock.ts";
import type { Admission, Permit } from "./admission.ts";
import { COSTS } from "./effective-limits.ts";
import { RATE_LIMITS } from "#testing/rate-limits.ts";
import { type RateLimitKey, RateLimiter } from "./rate-limiter.ts";

const MIDNIGHT = Date.UTC(2026, 10, 15);
const NOON = MIDNIGHT + DAY_MS / 2;
const HOUR_MS = 3_600_000;
const anyCost = fc.constantFrom<Cost>("lookup", "list", "search");

function key(limits: TokenLimits = {}, keyId = "mara"): RateLimitKey {
  return { keyId, limits };
}

function openLimiter(defaults: ConstructorParameters<typeof RateLimiter>[0] = RATE_LIMITS, utc = NOON) {
  const clock = new ManualClock(utc);
  return { clock, limiter: new RateLimiter(defaults, null, clock) };
}

function permitted(admission: Admission): Permit {
  assert.ok(admission.ok, JSON.stringify(admission));
  return admission;
}

function limited(retryAfterS: number): Admission {
  return { ok: false, code: "rate_limited", retryAfterS };
}

test("a token without requests has everything left, and takes no memory", () => {
  const { limiter } = openLimiter();
  assert.equal(limiter.headers(key())["ratelimit-policy"], '"burst";q=2000;w=10, "daily";q=1000000;w=86400');
  assert.equal(limiter.headers(key()).ratelimit, '"burst";r=2000;t=0, "daily";r=1000000;t=43200');
  assert.equal(limiter.size, 0);
});

test("look-ups cost 1, lists 2, searches 5, of the bucket and of the daily quota", () => {
  const { limiter } = openLimiter();
  for (const cost of ["lookup", "list", "search"] as const) permitted(limiter.acquire(key(), cost));
  assert.equal(limiter.headers(key()).ratelimit, '"burst";r=1992;t=1, "daily";r=999992;t=43200');
});

test("the bucket refills evenly over ten seconds and no further", () => {
  const { limiter, clock } = openLimiter();
  const mine = key({ burst: 10 });
  for (let count = 0; count < 5; count++) permitted(limiter.acquire(mine, "list"));
  for (const [passed, header] of [
    [0, /^"burst";r=0;t=10,/],
    [999, /^"burst";r=0;t=10,/],
    [3_501, /^"burst";r=4;t=6,/],
    [60_000, /^"burst";r=10;t=0,/],
  ] as const) {
    clock.pass(passed);
    assert.match(limiter.headers(mine).ratelimit ?? "", header);
  }
});

test("an empty bucket refuses, costs nothing, and says when to retry", () => {
  const { limiter, clock } = openLimiter();
  const mine = key({ burst: 10 });
  for (let count = 0; count < 2; count++) permitted(limiter.acquire(mine, "search"));
  const before = limiter.headers(mine).ratelimit;
  assert.deepEqual(limiter.acquire(mine, "search"), limited(5));
  assert.deepEqual(limiter.acquire(mine, "lookup"), limited(1));
  assert.equal(limiter.headers(mine).ratelimit, before);
  clock.pass(4_999);
  assert.equal(limiter.acquire(mine, "search").ok, false);
  clock.pass(1);
  permitted(limiter.acquire(mine, "search"));
});

test("the daily quota comes back at midnight UTC", () => {
  const { limiter, clock } = openLimiter();
  const mine = key({ daily: 3 });
  permitted(limiter.acquire(mine, "list"));
  assert.deepEqual(limiter.acquire(mine, "list"), limited(43_200));
  permitted(limiter.acquire(mine, "lookup"));
  clock.pass(DAY_MS / 2 - 1);
  assert.deepEqual(limiter.acquire(mine, "lookup"), limited(1));
  clock.pass(1);
  permitted(limiter.acquire(mine, "lookup"));
});

test("a daily refund counts once, and not into the next day", () => {
  const { limiter, clock } = openLimiter();
  const mine = key({ daily: 100 });
  const dailyLeft = () => / "daily";r=(\d+)/.exec(limiter.headers(mine).ratelimit ?? "")?.[1];
  permitted(limiter.acquire(mine, "lookup"));
  const second = permitted(limiter.acquire(mine, "search"));
  assert.equal(dailyLeft(), "94");
  second.refundDaily();
  second.refundDaily();
  assert.equal(dailyLeft(), "99");

  clock.pass(DAY_MS / 2 - 1);
  const late = permitted(limiter.acquire(mine, "search"));
  clock.pass(1);
  permitted(limiter.acquire(mine, "lookup"));
  late.refundDaily();
  assert.equal(dailyLeft(), "99");
});

test("concurrent requests are bounded, and a request ends exactly once", () => {
  const { limiter } = openLimiter();
  const mine = key({ concurrency: 2 });
  const first = permitted(limiter.acquire(mine, "lookup"));
  permitted(limiter.acquire(mine, "lookup"));
  const before = limiter.headers(mine).ratelimit;
  const full: Admission = { ok: false, code: "too_many_concurrent", retryAfterS: 1 };
  assert.deepEqual(limiter.acquire(mine, "lookup"), full);
  assert.equal(limiter.headers(mine).ratelimit, before);
  first.release();
  first.release();
  permitted(limiter.acquire(mine, "lookup"));
  assert.deepEqual(limiter.acquire(mine, "lookup"), full);
});

test("a rejected request does not count as running", () => {
  const { limiter, clock } = openLimiter();
  const mine = key({ burst: 1, concurrency: 1 });
  permitted(limiter.acquire(mine, "lookup")).release();
  for (let count = 0; count < 3; count++) assert.deepEqual(limiter.acquire(mine, "lookup"), limited(10));
  clock.pass(10_000);
  permitted(limiter.acquire(mine, "lookup"));
});

test("tokens do not use up each other's limits", () => {
  const { limiter } = openLimiter({ burst: 5, daily: 5, concurrency: 1 });
  permitted(limiter.acquire(key({}, "mara"), "search"));
  assert.equal(limiter.acquire(key({}, "mara"), "search").ok, false);
  permitted(limiter.acquire(key({}, "jon"), "search"));
});

test("a token's own limits override the service's one by one, from its next request", () => {
  const { limiter } = openLimiter();
  for (const burst of [40, 7, 2_000]) {
    permitted(limiter.acquire(key({ burst }), "lookup"));
    const policy = limiter.headers(key({ burst }))["ratelimit-policy"];
    assert.equal(policy, `"burst";q=${burst};w=10, "daily";q=1000000;w=86400`);
  }
  // The bucket was cut to seven, and two have been spent since.
  assert.match(limiter.headers(key({ burst: 2_000 })).ratelimit ?? "", /^"burst";r=5;t=10, "daily";r=999997;/);
});

test("a limit below the cost of a search slows searches down and does not forbid them", () => {
  const { limiter, clock } = openLimiter();
  const mine = key({ burst: 2, daily: 4 });
  permitted(limiter.acquire(mine, "search"));
  assert.deepEqual(limiter.acquire(key({ burst: 2 }), "search"), limited(10));
  clock.pass(DAY_MS);
  permitted(limiter.acquire(mine, "search"));
});

test("a limit of zero lets nothing through", () => {
  const { limiter } = openLimiter();
  for (const none of [{ burst: 0 }, { daily: 0 }, { concurrency: 0 }]) {
    const admission = limiter.acquire(key(none), "lookup");
    assert.ok(!admission.ok && Number.isFinite(admission.retryAfterS) && admission.retryAfterS >= 1);
    assert.doesNotMatch(String(limiter.headers(key(none)).ratelimit), /NaN|Infinity|-/);
  }
});

test("switched off, everything passes without headers and without memory", () => {
  const { limiter } = openLimiter("off");
  for (let count = 0; count < 5_000; count++) permitted(limiter.acquire(key({ burst: 1 }), "search"));
  assert.deepEqual(limiter.headers(key()), {});
  assert.equal(limiter.size, 0);
});

test("idle tokens are dropped from memory, except those that used some of today", () => {
  const { limiter, clock } = openLimiter();
  for (let count = 0; count < 1_000; count++) {
    const permit = permitted(limiter.acquire(key({}, `token-${count}`), "lookup"));
    if (count >= 10) permit.refundDaily();
    if (count !== 500) permit.release();
  }
  assert.equal(limiter.size, 1_000);
  clock.pass(60_000);
  permitted(limiter.acquire(key({}, "new"), "lookup")).release();
  assert.equal(limiter.size, 12, "ten that used some of today, one that still runs, and the new one");
  clock.pass(DAY_MS);
  permitted(limiter.acquire(key({}, "new"), "lookup"));
  assert.equal(limiter.size, 2);
});

test("a clock set back does not lock a token out: it is admitted when Retry-After says", () => {
  for (const back of [1, 20_000, HOUR_MS, 2 * DAY_MS, 400 * DAY_MS]) {
    const { limiter, clock } = openLimiter();
    const mine = key({ burst: 5 });
    permitted(limiter.acquire(mine, "search"));
    clock.set(-back);
    assert.deepEqual(limiter.acquire(mine, "search"), limited(10), `${back} ms`);
    clock.pass(10_000);
    permitted(limiter.acquire(mine, "search"));
    const other = key({ daily: 5 }, "jon");
    permitted(limiter.acquire(other, "search"));
    clock.set(-back);
    const refused = limiter.acquire(other, "lookup");
    assert.ok(!refused.ok && refused.retryAfterS <= 86_400, JSON.stringify(refused));
    clock.pass(refused.retryAfterS * 1000);
    permitted(limiter.acquire(other, "lookup"));
  }
});

test("a clock put forward over midnight starts the day", () => {
  const { limiter, clock } = openLimiter();
  const mine = key({ daily: 5 });
  permitted(limiter.acquire(mine, "search"));
  clock.set(HOUR_MS);
  assert.equal(limiter.acquire(mine, "search").ok, false);
  clock.set(DAY_MS / 2);
  permitted(limiter.acquire(mine, "search"));
  assert.match(limiter.headers(mine).ratelimit ?? "", new RegExp(`"daily";r=0;t=${23 * 3600}$`));
});

test("a clock set back and put right grants nothing", () => {
  const { limiter, clock } = openLimiter();
  for (const mine of [key({ burst: 5 }, "mara"), key({ daily: 5 }, "jon")]) {
    permitted(limiter.acquire(mine, "search"));
    for (const back of [1, 20_000, 2 * DAY_MS]) {
      clock.set(-back);
      assert.equal(limiter.acquire(mine, "lookup").ok, false);
      clock.set(back);
      assert.equal(limiter.acquire(mine, "lookup").ok, false);
    }
  }
});

/** The same limits, counted from the list of everything that was ever granted. */
class Ledger {
  readonly limits: { burst: number; daily: number };
  #level: number;
  #at: number;
  #used = new Map<number, number>();

  constructor(limits: { burst: number; daily: number }, at: number) {
    this.limits = limits;
    this.#level = limits.burst;
    this.#at = at;
  }

  acquire(units: { burst: number; daily: number }, at: number): boolean {
    this.#refill(at);
    if (this.#level + 1e-6 < units.burst || this.usedOn(at) + units.daily > this.limits.daily) return false;
    this.#level -= units.burst;
    this.spend(units.daily, at);
    return true;
  }

  spend(daily: number, at: number): void {
    this.#used.set(Math.floor(at / DAY_MS), this.usedOn(at) + daily);
  }

  usedOn(at: number): number {
    return this.#used.get(Math.floor(at / DAY_MS)) ?? 0;
  }

  levelAt(at: number): number {
    this.#refill(at);
    return this.#level;
  }

  #refill(at: number): void {
    this.#level = Math.min(this.limits.burst, this.#level + ((at - this.#at) * this.limits.burst) / 10_000);
    this.#at = at;
  }
}

test("admissions, refunds and headers are exact, whatever the limits and the times", () => {
  const limit = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 3_000_000 }));
  const step = fc.record({
    waitMs: fc.oneof(fc.nat(400), fc.constantFrom(0, 9_999, 10_000, 61_000, HOUR_MS, DAY_MS)),
    cost: anyCost,
    times: fc.nat(8),
    isRefunded: fc.boolean(),
  });
  fc.assert(
    fc.property(limit, limit, fc.array(step, { maxLength: 40 }), (burst, daily, steps) => {
      const { limiter, clock } = openLimiter({ burst, daily, concurrency: 1 }, MIDNIGHT - 30_000);
      const ledger = new Ledger({ burst, daily }, clock.utc());
      for (const { waitMs, cost, times, isRefunded } of steps) {
        clock.pass(waitMs);
        const units = { burst: Math.min(COSTS[cost], burst), daily: Math.min(COSTS[cost], daily) };
        for (let count = 0; count < times; count++) {
          const admission = limiter.acquire(key(), cost);
          assert.equal(admission.ok, ledger.acquire(units, clock.utc()));
          if (!admission.ok) continue;
          if (isRefunded) {
            admission.refundDaily();
            ledger.spend(-units.daily, clock.utc());
          }
          admission.release();
        }
        const [, left, dailyLeft] = /r=(\d+);t=\d+, "daily";r=(\d+)/.exec(limiter.headers(key()).ratelimit ?? "") ?? [];
        assert.equal(Number(left), Math.floor(ledger.levelAt(clock.utc()) + 1e-6));
        assert.equal(Number(dailyLeft), daily - ledger.usedOn(clock.utc()));
      }
    }),
    { numRuns: 300 },
  );
});

test("a client that waits as long as Retry-After says is admitted", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(DAY_MS), anyCost, (burst, offset, cost) => {
      const { limiter, clock } = openLimiter({ burst, daily: 1_000, concurrency: 100 }, MIDNIGHT + offset);
      let admission = limiter.acquire(key(), cost);
      while (admission.ok) admission = limiter.acquire(key(), cost);
      assert.ok(admission.retryAfterS >= 1 && admission.retryAfterS <= 10);
      clock.pass(admission.retryAfterS * 1000);
      permitted(limiter.acquire(key(), cost));
    }),
  );
});
