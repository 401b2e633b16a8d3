import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Cost } from "#contract/endpoint.ts";
import type { TokenLimits } from "#domain/token.ts";
import { MemoryLeases } from "#store/sqlite/leases.ts";
import { COSTS, DEFAULT_LIMITS, type Entry, type LimitedKey, RateLimits } from "./limits.ts";

const MIDNIGHT = Date.UTC(2026, 10, 15);
const NOON = MIDNIGHT + 43_200_000;
const DAY = 86_400_000;
const anyCost = fc.constantFrom<Cost>("lookup", "list", "search");

function key(limits: TokenLimits = {}, keyId = "mara"): LimitedKey {
  return { keyId, limits };
}

/** Limits of the one process of an embedded store: an answer at once. */
class OwnLimits {
  readonly leases = new MemoryLeases();
  readonly limits: RateLimits;

  constructor(service: ConstructorParameters<typeof RateLimits>[0] = DEFAULT_LIMITS) {
    this.limits = new RateLimits(service, this.leases);
  }

  enter(mine: LimitedKey, cost: Cost, now: number): Entry {
    const entry = this.limits.enter(mine, cost, now);
    assert.ok(!(entry instanceof Promise));
    return entry;
  }

  headers(mine: LimitedKey, now: number): Record<string, string> {
    return this.limits.headers(mine, now);
  }
}

function admitted(entry: Entry) {
  assert.ok(entry.ok, JSON.stringify(entry));
  return entry;
}

test("a token that has not asked yet is told that it has everything", () => {
  const limits = new OwnLimits();
  assert.deepEqual(limits.headers(key(), NOON), {
    "RateLimit-Policy": '"burst";q=2000;w=10, "daily";q=1000000;w=86400',
    RateLimit: '"burst";r=2000;t=0, "daily";r=1000000;t=43200',
  });
  assert.equal(limits.leases.size + limits.limits.size, 0);
});

test("look-ups cost 1, lists 2, searches 5, of the bucket and of the day", () => {
  const limits = new OwnLimits();
  for (const cost of ["lookup", "list", "search"] as const) {
    admitted(limits.enter(key(), cost, NOON)).release();
  }
  assert.equal(limits.headers(key(), NOON)["RateLimit"], '"burst";r=1992;t=1, "daily";r=999992;t=43200');
});

test("the bucket refills evenly over ten seconds and no further", () => {
  const limits = new OwnLimits();
  const mine = key({ burst: 10 });
  for (let count = 0; count < 5; count++) admitted(limits.enter(mine, "list", NOON)).release();
  assert.match(limits.headers(mine, NOON)["RateLimit"] ?? "", /^"burst";r=0;t=10,/);
  assert.match(limits.headers(mine, NOON + 999)["RateLimit"] ?? "", /^"burst";r=0;t=10,/);
  assert.match(limits.headers(mine, NOON + 4_500)["RateLimit"] ?? "", /^"burst";r=4;t=6,/);
  assert.match(limits.headers(mine, NOON + 60_000)["RateLimit"] ?? "", /^"burst";r=10;t=0,/);
});

test("an empty bucket refuses, costs nothing, and says when to come back", () => {
  const limits = new OwnLimits();
  const mine = key({ burst: 10 });
  for (let count = 0; count < 2; count++) admitted(limits.enter(mine, "search", NOON)).release();
  const before = limits.headers(mine, NOON);
  assert.deepEqual(limits.enter(mine, "search", NOON), {
    ok: false,
    code: "rate_limited",
    retryAfterS: 5,
  });
  assert.deepEqual(limits.enter(mine, "lookup", NOON + 1), {
    ok: false,
    code: "rate_limited",
    retryAfterS: 1,
  });
  assert.deepEqual(limits.headers(mine, NOON + 1), before);
  assert.equal(limits.enter(mine, "search", NOON + 4_999).ok, false);
  assert.equal(limits.enter(mine, "search", NOON + 5_000).ok, true);
});

test("the day's quota ends a token's day and comes back at midnight UTC", () => {
  const limits = new OwnLimits();
  const mine = key({ daily: 3 });
  admitted(limits.enter(mine, "list", NOON)).release();
  assert.deepEqual(limits.enter(mine, "list", NOON), {
    ok: false,
    code: "rate_limited",
    retryAfterS: 43_200,
  });
  admitted(limits.enter(mine, "lookup", NOON)).release();
  assert.equal(limits.enter(mine, "lookup", MIDNIGHT + DAY - 1).ok, false);
  assert.equal(limits.enter(mine, "lookup", MIDNIGHT + DAY).ok, true);
});

test("an answer that is free of the day is refunded once, and not into the next day", () => {
  const limits = new OwnLimits();
  const mine = key({ daily: 100 });
  const dailyAt = (now: number) => / "daily";r=(\d+)/.exec(limits.headers(mine, now)["RateLimit"] ?? "")?.[1];
  admitted(limits.enter(mine, "lookup", NOON)).release();
  const second = admitted(limits.enter(mine, "search", NOON));
  assert.equal(dailyAt(NOON), "94");
  second.refundDaily();
  second.refundDaily();
  second.release();
  assert.equal(dailyAt(NOON), "99");

  const late = admitted(limits.enter(mine, "search", MIDNIGHT + DAY - 1));
  admitted(limits.enter(mine, "lookup", MIDNIGHT + DAY)).release();
  late.refundDaily();
  late.release();
  assert.equal(dailyAt(MIDNIGHT + DAY), "99");
});

test("no more than the allowed number run at once, and a place is given back exactly once", () => {
  const limits = new OwnLimits();
  const mine = key({ parallel: 2 });
  const first = admitted(limits.enter(mine, "lookup", NOON));
  admitted(limits.enter(mine, "lookup", NOON));
  const full: Entry = { ok: false, code: "too_many_parallel", retryAfterS: 1 };
  const before = limits.headers(mine, NOON);
  assert.deepEqual(limits.enter(mine, "lookup", NOON), full);
  assert.deepEqual(limits.headers(mine, NOON), before);
  first.release();
  first.release();
  admitted(limits.enter(mine, "lookup", NOON));
  assert.deepEqual(limits.enter(mine, "lookup", NOON), full);
});

test("tokens do not use up each other's limits", () => {
  const limits = new OwnLimits({ burst: 5, daily: 5, parallel: 1 });
  admitted(limits.enter(key({}, "mara"), "search", NOON));
  assert.equal(limits.enter(key({}, "mara"), "search", NOON).ok, false);
  admitted(limits.enter(key({}, "jon"), "search", NOON));
});

test("a token's own limits override the service's one by one", () => {
  const limits = new OwnLimits(DEFAULT_LIMITS);
  assert.equal(
    limits.headers(key({ burst: 7, daily: undefined }), NOON)["RateLimit-Policy"],
    '"burst";q=7;w=10, "daily";q=1000000;w=86400',
  );
});

test("a limit below the cost of a search slows searches down and does not shut them out", () => {
  const limits = new OwnLimits();
  const mine = key({ burst: 2 });
  admitted(limits.enter(mine, "search", NOON)).release();
  assert.deepEqual(limits.enter(mine, "search", NOON), {
    ok: false,
    code: "rate_limited",
    retryAfterS: 10,
  });
  admitted(limits.enter(mine, "search", NOON + 10_000));
});

test("a limit of nothing lets nothing through", () => {
  const limits = new OwnLimits();
  for (const none of [{ burst: 0 }, { daily: 0 }, { parallel: 0 }]) {
    const entry = limits.enter(key(none), "lookup", NOON);
    assert.ok(!entry.ok && Number.isFinite(entry.retryAfterS) && entry.retryAfterS >= 1);
    assert.doesNotMatch(JSON.stringify(limits.headers(key(none), NOON)), /NaN|Infinity/);
  }
});

test("switched off, everything passes and no header is sent", () => {
  const limits = new OwnLimits("off");
  for (let count = 0; count < 5_000; count++) admitted(limits.enter(key({ burst: 1 }), "search", NOON));
  assert.deepEqual(limits.headers(key(), NOON), {});
  assert.deepEqual([limits.limits.policyOf(key()), limits.limits.standingOf(key(), NOON)], [null, null]);
  assert.equal(limits.leases.size + limits.limits.size, 0);
});

test("a token whose own limits change is held to the new ones with its next request", () => {
  const limits = new OwnLimits();
  for (const burst of [40, 7, 2_000]) {
    const mine = key({ burst });
    admitted(limits.enter(mine, "lookup", NOON)).release();
    assert.equal(limits.limits.policyOf(mine), `"burst";q=${burst};w=10, "daily";q=1000000;w=86400`);
  }
  // What is in the bucket stays: it was cut to seven, and two have been paid since.
  assert.match(limits.limits.standingOf(key({ burst: 2_000 }), NOON) ?? "", /^"burst";r=5;t=10, "daily";r=999997;/);
});

test("numbers of any size are written out whole", () => {
  for (const daily of [1, 9, 999, 1_000, 1_001, 10_050, 999_999, 1_000_000, 1_000_000_000]) {
    const mine = key({ daily, burst: daily });
    const expected = `"burst";r=${daily};t=0, "daily";r=${daily};t=43200`;
    assert.equal(new OwnLimits().limits.standingOf(mine, NOON), expected);
  }
});

test("tokens that stand as if they had never asked are forgotten; what was used today is not", () => {
  const limits = new OwnLimits();
  for (let count = 0; count < 1_000; count++) {
    const entry = admitted(limits.enter(key({}, `token-${count}`), "lookup", NOON));
    if (count >= 10) entry.refundDaily();
    if (count !== 500) entry.release();
  }
  assert.equal(limits.leases.size, 1_000);
  assert.equal(limits.limits.size, 1_000);
  admitted(limits.enter(key({}, "someone"), "lookup", NOON + 60_000)).release();
  assert.equal(limits.leases.size, 11, "ten that used of today, and the one that asks");
  assert.equal(limits.limits.size, 2, "one that still runs, and the one that asks");
  admitted(limits.enter(key({}, "someone"), "lookup", MIDNIGHT + DAY)).release();
  assert.equal(limits.leases.size, 1);
});

test("a clock that is set back and put right again grants nothing", () => {
  const limits = new OwnLimits();
  for (const mine of [key({ burst: 5 }, "mara"), key({ daily: 5 }, "jon")]) {
    admitted(limits.enter(mine, "search", NOON)).release();
    for (const back of [1, 20_000, 2 * DAY]) {
      assert.equal(limits.enter(mine, "lookup", NOON - back).ok, false);
      assert.equal(limits.enter(mine, "lookup", NOON).ok, false);
    }
  }
});

test("over any window no more is granted than the bucket and its refill, and over any day no more than the quota", () => {
  const steps = fc.array(fc.record({ waitMs: fc.nat(4_000), cost: anyCost }), { maxLength: 120 });
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 40 }), steps, (burst, sequence) => {
      const limits = new OwnLimits({ burst, daily: 60, parallel: 1 });
      const granted: { at: number; cost: number }[] = [];
      let now = MIDNIGHT + DAY - 60_000;
      for (const { waitMs, cost } of sequence) {
        now += waitMs;
        const entry = limits.enter(key(), cost, now);
        if (!entry.ok) continue;
        entry.release();
        granted.push({ at: now, cost: COSTS[cost] });
      }
      for (let start = 0; start < granted.length; start++) {
        let sum = 0;
        for (const { at, cost } of granted.slice(start)) {
          sum += cost;
          const windowMs = at - (granted[start]?.at ?? at);
          assert.ok(sum * 10_000 <= burst * 10_000 + burst * windowMs);
        }
      }
      const perDay = Map.groupBy(granted, ({ at }) => Math.floor(at / DAY));
      for (const ofDay of perDay.values()) {
        assert.ok(ofDay.reduce((sum, { cost }) => sum + cost, 0) <= 60);
      }
    }),
  );
});

test("whoever waits as long as it was told is let in", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(DAY), anyCost, (burst, offset, cost) => {
      const limits = new OwnLimits({ burst, daily: 1_000, parallel: 100 });
      const now = MIDNIGHT + offset;
      let entry = limits.enter(key(), cost, now);
      while (entry.ok) entry = limits.enter(key(), cost, now);
      assert.ok(entry.retryAfterS >= 1 && entry.retryAfterS <= 10);
      admitted(limits.enter(key(), cost, now + entry.retryAfterS * 1000));
    }),
  );
});
