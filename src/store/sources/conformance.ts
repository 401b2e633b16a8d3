/** Conformance of the ledger of live sources. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { account, PLATFORM, post } from "#testing/sample-records.ts";
import type { AgedRecord, BudgetCharge, SourceCall } from "./port.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";

const LONG = 600_000;

function charge(fields: Partial<BudgetCharge> = {}): BudgetCharge {
  return { budget: "units", period: "2026-11-16", units: 1, limit: 3, item: null, windowMs: 0, ...fields };
}

function call(id: string, fields: Partial<SourceCall> = {}): SourceCall {
  return { id, source: "api", account: "a1", charges: [charge()], maxConcurrent: 16, leaseMs: LONG, ...fields };
}

export function sourceLedgerSuite(current: () => Store): void {
  const ledger = () => current().sources;

  test("a budget is granted to the unit, per key and period, whatever becomes of the calls", async () => {
    const decisions = await Promise.all(["1", "2", "3", "4"].map((id) => ledger().startCall(call(id))));
    assert.equal(decisions.filter(({ state }) => state === "granted").length, 3);
    assert.deepEqual(
      decisions.find(({ state }) => state !== "granted"),
      { state: "exhausted", budget: "units", used: 3, limit: 3 },
    );
    await ledger().endCall("api", "1");
    assert.equal((await ledger().startCall(call("5"))).state, "exhausted");
    assert.equal((await ledger().startCall(call("6", { account: "a2" }))).state, "granted");
    const tomorrow = [charge({ period: "2026-11-17", units: 2 })];
    assert.equal((await ledger().startCall(call("7", { charges: tomorrow }))).state, "granted");
    const uses = (await ledger().listUse()).map(({ at: _at, ...use }) => use);
    assert.deepEqual(uses, [
      { source: "api", account: "a1", budget: "units", period: "2026-11-16", used: 3 },
      { source: "api", account: "a1", budget: "units", period: "2026-11-17", used: 2 },
      { source: "api", account: "a2", budget: "units", period: "2026-11-16", used: 1 },
    ]);
  });

  test("a call is charged to all of its budgets or to none", async () => {
    const charges = [charge({ limit: 10 }), charge({ budget: "searches", units: 5, limit: 4 })];
    assert.equal((await ledger().startCall(call("1", { charges }))).state, "exhausted");
    assert.deepEqual(await ledger().listUse(), []);
  });

  test("calls in progress are limited; a slot is free when its call ends or its lease expires", async () => {
    const few = { maxConcurrent: 2, charges: [] };
    assert.equal((await ledger().startCall(call("1", few))).state, "granted");
    assert.equal((await ledger().startCall(call("2", { ...few, leaseMs: 0 }))).state, "granted");
    assert.equal((await ledger().startCall(call("3", few))).state, "granted");
    assert.equal((await ledger().startCall(call("4", few))).state, "busy");
    assert.equal((await ledger().startCall(call("4", { ...few, source: "other" }))).state, "granted");
    await ledger().endCall("api", "1");
    assert.equal((await ledger().startCall(call("4", few))).state, "granted");
  });

  test("an item of a rolling window counts once", async () => {
    const tag = (item: string) => [charge({ budget: "tags", period: "", item, limit: 2, windowMs: LONG })];
    const states = [];
    for (const [id, item] of ["ferry", "brass", "ferry", "rain"].entries())
      states.push((await ledger().startCall(call(String(id), { charges: tag(item) }))).state);
    assert.deepEqual(states, ["granted", "granted", "granted", "exhausted"]);
    assert.deepEqual(
      (await ledger().listUse()).map(({ used }) => used),
      [1, 1],
    );
  });

  test("a source that says it has no quota left gets no more calls in this period", async () => {
    await ledger().startCall(call("1"));
    await ledger().exhaust({ source: "api", account: "a1" }, charge());
    assert.equal((await ledger().startCall(call("2"))).state, "exhausted");
    await ledger().exhaust({ source: "api", account: "a1" }, charge());
    assert.equal((await ledger().listUse())[0]?.used, 3);
  });

  test("aged records are listed page by page, the oldest first; of accounts, those with a post", async () => {
    const aged = (capturedAt: number) => ({ source: "api", capturedAt });
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [
          ...["1", "2", "3", "4"].map((number) => account(`commenter${number}`, aged(1))),
          ...["a", "b", "c"].map((letter, index) => account(`author-${letter}`, aged(2 + index))),
        ],
        posts: [
          post("c", { ...aged(5), authorId: "author-a" }),
          post("b", { ...aged(7), authorId: "author-b" }),
          post("old", { ...aged(9), authorId: "author-c" }),
          post("a", aged(7)),
          post("young", aged(9)),
          post("imported", { ...aged(5), source: "file" }),
        ],
      }),
    ]);
    const list = async (kind: "account" | "post", after?: AgedRecord) => {
      const records = await ledger().listAged({ platform: PLATFORM, kind, source: "api" }, 9, { limit: 2, after });
      return records.map(({ capturedAt, id }) => `${capturedAt} ${id}`);
    };
    assert.deepEqual(await list("post"), ["5 c", "7 a"]);
    assert.deepEqual(await list("post", { capturedAt: 7, id: "a" }), ["7 b"]);
    assert.deepEqual(await list("account"), ["2 author-a", "3 author-b"]);
    assert.deepEqual(await list("account", { capturedAt: 3, id: "author-b" }), ["4 author-c"]);
  });

  test("a request is made by one process at a time, and not again within its minimum age", async () => {
    const fetches = (minAgeMs: number) => ["x", "y"].map((request) => ({ source: "api", request, minAgeMs }));
    const lease = { owner: "one", leaseMs: LONG };
    const start = async (minAgeMs: number, leaseMs = LONG) =>
      (await ledger().startFetches(fetches(minAgeMs), { ...lease, leaseMs })).map(({ state }) => state);
    assert.deepEqual(await start(LONG), ["started", "started"]);
    await ledger().prune(Date.now());
    assert.deepEqual(await start(LONG), ["running", "running"]);
    await ledger().endFetches([
      { source: "api", request: "x", result: "filled" },
      { source: "api", request: "y", result: null },
    ]);
    assert.deepEqual(await start(LONG, 0), ["recent", "started"]);
    assert.deepEqual(await start(0, 0), ["started", "started"], "an expired lease holds nothing");
    await ledger().endFetches([{ source: "api", request: "x", result: "empty" }]);
    await ledger().prune(Date.now() + LONG);
    assert.deepEqual(await start(LONG), ["started", "started"]);
  });
}
