/** How an owner treats its threads: see testing/sample-thread.ts. Worker processes: tests/workers.test.ts. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { SAMPLE_METHODS, SAMPLE_OWNER_METHODS } from "#testing/sample-methods.ts";
import { until } from "#testing/until.ts";
import { spawnThread } from "./thread-channel.ts";
import { WorkerEnded } from "./rpc-channel.ts";
import { type End, StuckCount, Supervisor, type SupervisorOptions } from "./supervisor.ts";

const SAMPLE = new URL("../../../testing/sample-thread.ts", import.meta.url);
const spawnSample = () => spawnThread(SAMPLE);

type Options = SupervisorOptions<typeof SAMPLE_METHODS, typeof SAMPLE_OWNER_METHODS>;

function supervise(t: TestContext, options: Partial<Options> = {}) {
  const ends: End[] = [];
  const stopped: number[] = [];
  const thread = new Supervisor({
    name: "sample thread",
    spawn: spawnSample,
    remote: SAMPLE_METHODS,
    local: SAMPLE_OWNER_METHODS,
    handlers: { increment: (number) => number + 1, ended: () => void stopped.push(Date.now()) },
    onEnd: (end) => ends.push(end),
    ...options,
  });
  t.after(() => thread.kill());
  return { thread, ends, stopped };
}

/** A thread that loads its code is not silent. */
const LOADED: Partial<Options> = { start: (channel) => channel.call("which", null) };

test("values that cannot be JSON cross both ways, progress comes in order, and a thread calls its owner", async (t) => {
  const { thread } = supervise(t);
  const shared = new SharedArrayBuffer(8);
  const value = { map: new Map([[1, new Set(["a"])]]), bytes: new Uint8Array([1, 2]), nothing: undefined, shared };
  const echoed = (await thread.call("echo", value)) as typeof value;
  assert.deepEqual({ ...echoed, shared: null }, { ...value, shared: null });
  new Int32Array(shared)[0] = 7;
  assert.equal(new Int32Array(echoed.shared)[0], 7);
  const reported: number[] = [];
  assert.equal(await thread.call("countTo", 4, (number) => reported.push(number)), 4);
  assert.deepEqual(reported, [1, 2, 3, 4]);
});

test("an error crosses with its name, message, stack and codes; a result that cannot be copied is one", async (t) => {
  const { thread, ends } = supervise(t);
  await assert.rejects(thread.call("fail", "no room"), (error: Error & { errcode?: number }) => {
    assert.deepEqual([error.name, error.message, error.errcode], ["RangeError", "no room", 13]);
    return /sample-thread/.test(error.stack ?? "");
  });
  await assert.rejects(thread.call("returnFunction", null), { name: "DataCloneError" });
  await assert.rejects(thread.call("wait", "long" as never), { message: "malformed parameters of RPC method wait" });
  await until(async () => ends.length > 0);
  assert.deepEqual(
    ends.map(({ error }) => (error as Error).message),
    ["malformed parameters of RPC method wait"],
  );
});

test("a thread starts at the first call, ends when it is idle, and another one starts at the next call", async (t) => {
  const { thread, ends, stopped } = supervise(t, { idleMs: 50 });
  assert.equal(thread.channel, null);
  const first = await thread.call("which", null);
  await until(async () => stopped.length === 1);
  assert.equal(thread.channel, null);
  const second = await thread.call("which", null);
  assert.notEqual(second, first);
  assert.deepEqual(ends, []);
});

test("a crash rejects the calls in progress with its cause", async (t) => {
  const { thread, ends } = supervise(t);
  const waiting = thread.call("wait", 600_000);
  await assert.rejects(thread.call("crash", null), (error: WorkerEnded) => {
    assert.ok(error instanceof WorkerEnded);
    assert.deepEqual([error.message, (error.cause as { code: string }).code], ["a bug", "ERR_BUG"]);
    return true;
  });
  await assert.rejects(waiting, WorkerEnded);
  assert.ok((await thread.call("which", null)) > 0);
  assert.equal(ends.length, 1);
});

test("a thread that cannot start is started again with growing delays, and a call waits for it", async (t) => {
  let fails = 4;
  const { thread, ends } = supervise(t, {
    isKept: true,
    start: (channel) => (fails-- > 0 ? channel.call("fail", "not yet") : channel.call("which", null)),
  });
  await assert.rejects(thread.start(), { message: "not yet" });
  await until(async () => thread.isReady);
  assert.ok((await thread.call("which", null)) > 0);
  assert.deepEqual(
    ends.map(({ error, backoffMs }) => [(error as Error).message, backoffMs]),
    [100, 200, 400, 800].map((backoffMs) => ["not yet", backoffMs]),
  );
});

test("a thread that crashes after it responded ends nobody else", async (t) => {
  const { thread, ends } = supervise(t);
  assert.equal(await thread.call("crashAfter", 300), null);
  await until(async () => ends.length === 1);
  assert.ok((await thread.call("which", null)) > 0);
});

test("a thread that stops responding is replaced, and its calls fail", { timeout: 60_000 }, async (t) => {
  const { thread, ends } = supervise(t, { ...LOADED, maxSilentS: 1 });
  const first = await thread.call("which", null);
  const waiting = thread.call("wait", 600_000);
  await assert.rejects(thread.call("spin", null), { name: "WorkerEnded", message: "no response for 1 s; killed" });
  await assert.rejects(waiting, WorkerEnded);
  assert.notEqual(await thread.call("which", null), first);
  assert.equal(ends.length, 1);
});

test(
  "a thread inside a query cannot be ended: no more than `stuck` allows are replaced until the query ends",
  { timeout: 240_000 },
  async (t) => {
    const { thread } = supervise(t, { ...LOADED, maxSilentS: 1, stuck: new StuckCount(1) });
    const first = await thread.call("which", null);
    await assert.rejects(thread.call("query", 30_000_000), WorkerEnded);
    assert.ok(thread.isStuck, "the query ended before the thread was replaced");
    await assert.rejects(thread.call("which", null), { message: "the sample thread is stuck" });
    await until(async () => !thread.isStuck, 120_000);
    assert.notEqual(await thread.call("which", null), first);
  },
);

test("one that cannot be made is tried again", async (t) => {
  let attempts = 0;
  const { thread, ends } = supervise(t, {
    isKept: true,
    spawn: () => {
      if (attempts++ === 0) throw new Error("no memory for a thread");
      return spawnSample();
    },
  });
  await assert.rejects(thread.start(), { message: "no memory for a thread" });
  await until(async () => thread.isReady);
  assert.ok((await thread.call("which", null)) > 0);
  assert.deepEqual(
    ends.map(({ error, backoffMs }) => [(error as Error).message, backoffMs]),
    [["no memory for a thread", 100]],
  );
});

test("a listener of progress that fails ends the thread and its calls, not the owner", async (t) => {
  const { thread } = supervise(t);
  const failing = thread.call("countTo", 3, () => {
    throw new Error("a bug of the owner");
  });
  await assert.rejects(failing, { name: "WorkerEnded" });
  assert.equal(await thread.call("countTo", 3, () => undefined), 3);
});

test("a process that closes its last thread waits until that has ended", async () => {
  const program = `
    import { spawnThread } from ${JSON.stringify(new URL("./thread-channel.ts", import.meta.url).href)};
    import { Supervisor } from ${JSON.stringify(new URL("./supervisor.ts", import.meta.url).href)};
    import * as methods from ${JSON.stringify(new URL("../../../testing/sample-methods.ts", import.meta.url).href)};
    const thread = new Supervisor({
      name: "sample thread",
      spawn: () => spawnThread(new URL(${JSON.stringify(SAMPLE.href)}), { execArgv: [] }),
      remote: methods.SAMPLE_METHODS,
      local: methods.SAMPLE_OWNER_METHODS,
      handlers: { increment: (number) => number, ended: () => undefined },
    });
    const waiting = thread.call("wait", 300);
    await thread.close();
    await waiting;
    console.log("closed");`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  assert.equal(stdout, "closed\n");
});

test("a graceful close waits for calls in progress; a call after it is refused", async (t) => {
  const { thread, stopped } = supervise(t);
  const waiting = thread.call("wait", 300);
  await thread.close();
  assert.equal(stopped.length, 1);
  assert.equal(await waiting, null);
  await assert.rejects(thread.call("which", null), { message: "the sample thread was stopped" });
});

test("a close ends what takes longer than its grace, and a kill ends everything at once", async (t) => {
  for (const end of ["close", "kill"] as const) {
    const { thread, ends } = supervise(t, { isKept: true });
    await thread.call("which", null);
    const waiting = assert.rejects(thread.call("wait", 600_000), WorkerEnded);
    await (end === "close" ? thread.close(100) : thread.kill());
    await waiting;
    assert.equal(thread.channel, null);
    assert.deepEqual(ends, [], "a stop is no failure");
  }
});

test("an end does not wait for a call that waits for the next start", async (t) => {
  const { thread, ends } = supervise(t, { start: (channel) => channel.call("fail", "not yet") });
  for (let starts = 1; starts <= 5; starts++) {
    await assert.rejects(thread.start(), { message: "not yet" });
    await until(async () => ends.length === starts);
  }
  const waiting = assert.rejects(thread.call("which", null), WorkerEnded);
  const before = performance.now();
  await thread.close();
  await waiting;
  assert.ok(performance.now() - before < 1_000, "the delay by then is 1.6 s");
});
