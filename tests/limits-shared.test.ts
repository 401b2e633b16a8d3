/** Limits of several nodes on one PostgreSQL: together they let through what one would. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as fc from "fast-check";
import { Client } from "pg";
import { COSTS, type LimitedKey, RateLimits } from "#access/limits.ts";
import type { Cost } from "#contract/endpoint.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import type { Store } from "#store/store.ts";
import { freshDatabase } from "./postgres/databases.ts";

const NODES = 3;
const NOON = Date.UTC(2026, 10, 15, 12);
/** A busy machine is no store that is away. */
const PATIENCE_MS = 60_000;
const SERVICE = { burst: 2_000, daily: 1_000_000, parallel: 1_000 };

describe("limits of several nodes", () => {
  const clock = { now: NOON };
  let url: string;
  let drop: () => Promise<void>;
  let stores: Store[];
  let tokens = 0;
  before(async () => {
    ({ url, drop } = await freshDatabase());
    stores = [];
    for (let count = 0; count < NODES; count++) stores.push(await openPostgresStore({ url, clock: () => clock.now }));
  });
  after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await drop();
  });

  const openNodes = () => stores.map((store) => new RateLimits(SERVICE, store.leases, PATIENCE_MS));
  const newToken = (limits: LimitedKey["limits"]): LimitedKey => ({ keyId: `token ${++tokens}`, limits });

  /** Several callers at once ask the node until it refuses each of them; the units that were let through. */
  async function hammer(node: RateLimits, key: LimitedKey, cost: Cost): Promise<number> {
    let units = 0;
    const caller = async () => {
      for (;;) {
        const entry = await node.enter(key, cost, clock.now);
        if (!entry.ok) {
          assert.equal(entry.code, "rate_limited");
          return;
        }
        entry.release();
        units += COSTS[cost];
      }
    };
    await Promise.all(Array.from({ length: 8 }, caller));
    return units;
  }

  async function hammerAll(nodes: RateLimits[], key: LimitedKey, costs: readonly Cost[]): Promise<number> {
    const units = await Promise.all(nodes.map((node, index) => hammer(node, key, costs[index % costs.length] as Cost)));
    return units.reduce((sum, part) => sum + part, 0);
  }

  async function bucketOf(key: LimitedKey): Promise<{ level: number; leased: number; used: number }> {
    const client = new Client(url);
    await client.connect();
    const { rows } = await client.query("SELECT level, leased, used FROM rate_buckets WHERE key_id = $1", [key.keyId]);
    await client.end();
    const [{ level, leased, used }] = rows as [Record<"level" | "leased" | "used", string>];
    return { level: Number(level), leased: Number(leased), used: Number(used) };
  }

  test("asked at once, they let through the limit: within a hundredth, and never above", async () => {
    const cost = fc.constantFrom<Cost>("lookup", "list", "search");
    const limit = fc.oneof(fc.integer({ min: 5, max: 333 }), fc.integer({ min: 334, max: 5_000 }));
    await fc.assert(
      fc.asyncProperty(limit, limit, fc.tuple(cost, cost, cost), async (burst, daily, costs) => {
        const nodes = openNodes();
        const key = newToken({ burst, daily });
        // Whatever is too little for a search is still asked for by look-ups.
        const units = (await hammerAll(nodes, key, costs)) + (await hammerAll(nodes, key, ["lookup"]));
        const least = Math.min(burst, daily);
        assert.ok(units <= least && units >= least * 0.99, `${units} of ${least}`);
        await Promise.all(nodes.map((node) => node.close(clock.now)));
        assert.equal((await bucketOf(key)).used, units, "what was not spent is back");
      }),
      { numRuns: 12 },
    );
  });

  test("what idle nodes give back is spent by the others to the last unit, and by nobody twice", async () => {
    const key = newToken({ burst: 1_000_000, daily: 2_000 });
    const nodes = openNodes();
    const first = await hammerAll(nodes, key, ["lookup"]);
    clock.now += 1_000;
    for (const node of nodes) node.settle(clock.now);
    await Promise.all(nodes.map((node) => node.close(clock.now)));
    assert.deepEqual((await bucketOf(key)).used, first);
    assert.equal(first + (await hammerAll(nodes, key, ["lookup"])), 2_000);
  });

  test("over time they let through what refills, and no more", async () => {
    const key = newToken({ burst: 1_000 });
    const nodes = openNodes();
    let units = await hammerAll(nodes, key, ["lookup", "list", "search"]);
    const begin = clock.now;
    for (const waitMs of [10, 130, 1_000, 40, 2_500, 700, 1]) {
      clock.now += waitMs;
      for (const node of nodes) node.settle(clock.now);
      units += await hammerAll(nodes, key, ["lookup"]);
      const allowed = 1_000 + (clock.now - begin) / 10;
      assert.ok(units <= allowed && units >= allowed * 0.99 - 1, `${units} of ${allowed}`);
    }
  });

  test("a node that is gone without a word takes its share with it for ten seconds and no longer", async () => {
    const key = newToken({ burst: 10_000 });
    const [lost, ...others] = openNodes() as [RateLimits, ...RateLimits[]];
    assert.ok((await lost.enter(key, "lookup", clock.now)).ok);
    clock.now += 9_999;
    for (let count = 0; count < 2; count++) await others[0]?.enter(key, "lookup", clock.now);
    assert.ok((await bucketOf(key)).leased >= 30);
    clock.now += 10_000;
    assert.equal(await hammerAll(others, key, ["lookup"]), 10_000);
  });
});
