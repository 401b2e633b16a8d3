import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "#errors";
import { FairQueue, type ShedReason } from "./fair-queue.ts";

/** Work that runs until it is told to end; `started` names it in the order of its start. */
class Desk {
  readonly started: string[] = [];
  readonly shed: ShedReason[] = [];
  readonly queue: FairQueue;
  concurrency: number;
  #waits = 0;
  readonly #running = new Map<string, PromiseWithResolvers<string>>();

  constructor(concurrency: number, maxMs = 60_000) {
    this.concurrency = concurrency;
    const limits = { concurrency: () => this.concurrency, maxMs };
    this.queue = new FairQueue(limits, {
      onStart: () => this.#waits++,
      onShed: (reason) => this.shed.push(reason),
    });
  }

  /** `a1` is the first request of token `a`. */
  send(name: string): Promise<string> {
    return this.queue.run(name.slice(0, 1), () => {
      this.started.push(name);
      const work = Promise.withResolvers<string>();
      this.#running.set(name, work);
      return work.promise;
    });
  }

  sendAll(...names: string[]): Promise<PromiseSettledResult<string>[]> {
    return Promise.allSettled(names.map((name) => this.send(name)));
  }

  async end(name: string, error?: Error): Promise<void> {
    const work = this.#running.get(name);
    assert.ok(work, `${name} does not run`);
    if (error === undefined) work.resolve(name);
    else work.reject(error);
    await nextTurn();
  }

  async endAll(): Promise<void> {
    for (const name of this.started) await this.end(name);
    assert.equal(this.#waits, this.started.length);
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function isOverloaded(error: unknown): boolean {
  assert.ok(error instanceof ApiError);
  assert.equal(error.code, "overloaded");
  assert.equal(error.headers["retry-after"], "1");
  return true;
}

test("as many run as may, and the others in the order in which they came", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const desk = new Desk(2);
  const all = desk.sendAll("a1", "a2", "a3", "a4");
  assert.deepEqual(desk.started, ["a1", "a2"]);
  assert.equal(desk.queue.length, 2);
  await desk.end("a2");
  assert.deepEqual(desk.started, ["a1", "a2", "a3"]);
  await desk.endAll();
  assert.deepEqual(desk.started, ["a1", "a2", "a3", "a4"]);
  // What has started is not given up later.
  t.mock.timers.tick(60_000);
  assert.deepEqual(desk.shed, []);
  assert.ok((await all).every(({ status }) => status === "fulfilled"));
  assert.equal(desk.queue.length, 0);
});

test("tokens take turns, however many requests one of them sends first", async () => {
  const desk = new Desk(1);
  const all = desk.sendAll("a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1");
  await desk.endAll();
  await all;
  assert.deepEqual(desk.started, ["a1", "a2", "b1", "c1", "a3", "b2", "a4", "a5"]);
});

test("work that fails makes room for the next, and its error reaches who asked for it", async () => {
  const desk = new Desk(1);
  const [failing, next] = [assert.rejects(desk.send("a1"), /broken/), desk.send("a2")];
  await desk.end("a1", new Error("broken"));
  await failing;
  await desk.end("a2");
  assert.equal(await next, "a2");
});

test("a token that fills the queue is told to come back, and others still get their turn", async () => {
  // At first, work is taken to last 5 ms: a thousand may run or wait.
  const desk = new Desk(1, 5_000);
  const flood = desk.sendAll(...Array.from({ length: 1_100 }, (_, index) => `a${index}`));
  const neighbour = desk.send("b1");
  await desk.endAll();
  const outcomes = await flood;
  const answered = outcomes.filter(({ status }) => status === "fulfilled").length;
  assert.equal(answered, 1_000);
  assert.equal(await neighbour, "b1");
  assert.deepEqual(desk.started.slice(0, 3), ["a0", "a1", "b1"]);
  assert.deepEqual(new Set(desk.shed), new Set(["full"]));
  assert.equal(desk.shed.length, 100);
  for (const outcome of outcomes) assert.ok(outcome.status === "fulfilled" || isOverloaded(outcome.reason));
});

test("more may wait where more run at a time", async () => {
  const answeredBy = async (concurrency: number) => {
    const desk = new Desk(concurrency, 1_000);
    const all = desk.sendAll(...Array.from({ length: 1_000 }, (_, index) => `a${index}`));
    await desk.endAll();
    return (await all).filter(({ status }) => status === "fulfilled").length;
  };
  assert.equal(await answeredBy(1), 1 + 199);
  assert.equal(await answeredBy(3), 3 + 597);
});

test("what waits longer than expected is told so, and takes no place of others", async () => {
  const desk = new Desk(1, 50);
  const few = desk.sendAll("a1", "a2", "a3", "a4");
  const startedAt = performance.now();
  await assert.rejects(desk.send("a5"), isOverloaded);
  // Timers may be a millisecond early.
  assert.ok(performance.now() - startedAt >= 44, "the wait and the work of 5 ms take at most 50 ms together");
  assert.deepEqual(desk.shed, ["timeout"]);
  // The next three are waited for, however long the first takes.
  assert.equal(desk.queue.length, 3);
  await desk.endAll();
  assert.ok((await few).every(({ status }) => status === "fulfilled"));
  assert.equal(desk.queue.length, 0);
});

test("where work alone takes longer than allowed, four at a time and another token's next are still answered", async () => {
  const desk = new Desk(1, 0);
  const all = desk.sendAll("a1", "a2", "a3", "a4", "a5", "b1");
  await desk.endAll();
  const outcomes = (await all).map(({ status }) => status);
  assert.deepEqual(outcomes, ["fulfilled", "fulfilled", "fulfilled", "fulfilled", "rejected", "fulfilled"]);
});

test("a request is refused before its work is made, as when it would wait", async () => {
  const desk = new Desk(1, 30);
  desk.queue.refuseIfFull("a");
  // The first work is taken to last 5 ms.
  const names = Array.from({ length: 9 }, (_, index) => `a${index}`);
  const running = desk.sendAll(...names);
  assert.throws(() => desk.queue.refuseIfFull("a"), isOverloaded);
  // Another token's turn comes earlier.
  desk.queue.refuseIfFull("b");
  const shed = desk.shed.length;
  await assert.rejects(desk.send("a9"), isOverloaded);
  assert.equal(desk.shed.length, shed + 1);
  await desk.endAll();
  await running;
});
