/** What every store's leases must do: the arithmetic of src/domain/bucket.ts, whoever asks and however often. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type Bucket, fullBucket, lease, type Lease, type LeaseAsk, type Units } from "#domain/bucket.ts";
import type { OpenStore } from "./open-store.contract.ts";
import type { Store } from "./store.ts";

const MIDNIGHT = Date.UTC(2026, 10, 15);
const NOON = MIDNIGHT + 43_200_000;
const DAY = 86_400_000;

const both = (units: number): Units => ({ burst: units, daily: units });

function ask(more: Partial<LeaseAsk> = {}): LeaseAsk {
  const need = more.need ?? both(0);
  return {
    keyId: "mara",
    limits: { burst: 1_000, daily: 100_000 },
    need,
    want: need,
    ahead: both(0),
    spent: 0,
    back: { ...both(0), day: MIDNIGHT / DAY },
    ...more,
  };
}

interface Desk {
  clock: { now: number };
  take: (asked: LeaseAsk) => Promise<Lease>;
}

export function leasesContract(open: OpenStore): void {
  async function withLeases(work: (desk: Desk) => Promise<void>): Promise<void> {
    const clock = { now: NOON };
    const { store, close } = await open(() => clock.now);
    try {
      await work({ clock, take: async (asked) => leaseOf(store, asked, clock.now) });
    } finally {
      await close();
    }
  }

  test("a lease takes at least what is needed of the bucket and the day, or nothing", () =>
    withLeases(async ({ take }) => {
      const first = await take(ask({ need: both(5) }));
      assert.deepEqual(first, {
        granted: both(5),
        level: 9_950_000,
        refilledAt: NOON,
        leased: 0,
        day: MIDNIGHT / DAY,
        used: 5,
      });
      assert.deepEqual((await take(ask({ need: both(990) }))).granted, both(990));
      assert.deepEqual((await take(ask({ need: both(6) }))).granted, both(0));
      assert.deepEqual((await take(ask({ need: both(1), want: both(6) }))).granted, both(1));
      assert.deepEqual((await take(ask({ need: both(1), want: both(4), ahead: both(9) }))).granted, {
        burst: 4,
        daily: 13,
      });
      const scarce = { keyId: "jon", limits: { burst: 1_000, daily: 7 } };
      assert.deepEqual((await take(ask({ ...scarce, need: both(5) }))).granted, both(5));
      assert.deepEqual((await take(ask({ ...scarce, need: both(3) }))).granted, both(0));
    }));

  test("ahead of need nobody takes more than a sixteenth of what is left", () =>
    withLeases(async ({ take }) => {
      const ahead = both(100);
      assert.equal((await take(ask({ need: both(1), ahead }))).granted.burst, 1 + 62);
      await take(ask({ need: both(921) }));
      assert.equal((await take(ask({ ahead }))).granted.burst, 1);
      assert.equal((await take(ask({ ahead }))).granted.burst, 0);
    }));

  test("the bucket refills evenly, and what is out leaves no room for more", () =>
    withLeases(async ({ clock, take }) => {
      await take(ask({ need: both(1_000) }));
      clock.now += 33;
      assert.equal((await take(ask())).level, 33_000);
      clock.now += 1;
      assert.equal((await take(ask({ need: both(3) }))).level, 4_000);
      clock.now += 9_999;
      assert.deepEqual(standing(await take(ask({ need: both(1), ahead: both(3) }))), { level: 9_960_000, leased: 3 });
      clock.now += 100;
      assert.deepEqual(standing(await take(ask({ spent: 2 }))), { level: 9_970_000, leased: 1 });
      clock.now += 100;
      assert.deepEqual(standing(await take(ask())), { level: 9_990_000, leased: 1 });
      clock.now += 10_000;
      const silent = standing(await take(ask()));
      assert.deepEqual(silent, { level: 10_000_000, leased: 0 }, "whoever held it was not heard of");
      clock.now -= 60_000;
      await take(ask({ need: both(10) }));
      clock.now += 59_999;
      assert.equal((await take(ask())).level, 9_900_000, "a clock that was set back refills nothing");
    }));

  test("what goes back can be taken again, once, and not of another day", () =>
    withLeases(async ({ clock, take }) => {
      const { day, granted } = await take(ask({ ahead: both(62) }));
      assert.deepEqual(granted, both(62));
      const back = { ...both(40), day };
      const returned = await take(ask({ back, spent: 22 }));
      assert.deepEqual({ ...standing(returned), used: returned.used }, { level: 9_780_000, leased: 0, used: 22 });
      assert.deepEqual((await take(ask({ need: both(979) }))).granted, both(0));
      assert.equal((await take(ask({ need: both(978) }))).used, 1_000);
      clock.now += 10_000;
      assert.equal((await take(ask({ back }))).level, 10_000_000, "a bucket that is full again has no room for it");
      clock.now = MIDNIGHT + DAY;
      assert.equal((await take(ask({ need: both(2) }))).used, 2);
      assert.equal((await take(ask({ back: { ...both(2), day } }))).used, 2);
    }));

  test("tokens and limits of any size stand as the arithmetic says, whatever is asked", () =>
    withLeases(async ({ clock, take }) => {
      const amount = fc.oneof(fc.nat(12), fc.nat(3_000_000));
      const units = fc.record({ burst: amount, daily: amount });
      const step = fc.record({
        waitMs: fc.oneof(fc.integer({ min: -50, max: 400 }), fc.constantFrom(9_999, 10_000, DAY)),
        need: units,
        more: units,
        ahead: units,
        spent: amount,
        back: units,
        daysAgo: fc.nat(1),
      });
      const limit = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 1_000_000_000 }));
      let run = 0;
      await fc.assert(
        fc.asyncProperty(limit, limit, fc.array(step, { maxLength: 12 }), async (burst, daily, steps) => {
          const keyId = `token ${++run}`;
          const limits = { burst, daily };
          let model: Bucket | null = null;
          for (const { waitMs, need, more, ahead, spent, back, daysAgo } of steps) {
            clock.now += waitMs;
            model ??= fullBucket(limits, clock.now);
            const want = { burst: need.burst + more.burst, daily: need.daily + more.daily };
            const day = Math.floor(clock.now / DAY) - daysAgo;
            const asked = ask({ keyId, limits, need, want, ahead, spent, back: { ...back, day } });
            const granted = lease(model, asked, clock.now);
            assert.deepEqual(await take(asked), { ...model, granted });
          }
        }),
        { numRuns: 40 },
      );
    }));

  test("those who ask at once never get more than there is", () =>
    withLeases(async ({ take }) => {
      const limits = { burst: 300, daily: 1_000 };
      const taken = await Promise.all(
        Array.from({ length: 90 }, (_, number) =>
          take(ask({ limits, need: both((number % 5) + 1), want: both((number % 7) + 5) })),
        ),
      );
      const sum = taken.reduce((units, { granted }) => units + granted.burst, 0);
      assert.ok(sum <= 300, `${sum}`);
      assert.equal(sum + (await take(ask({ limits, need: both(300 - sum) }))).granted.burst, 300);
    }));
}

function standing({ level, leased }: Lease): Pick<Lease, "level" | "leased"> {
  return { level, leased };
}

function leaseOf(store: Store, asked: LeaseAsk, now: number): Lease | Promise<Lease> {
  return store.leases.shared ? store.leases.lease(asked) : store.leases.lease(asked, now);
}
