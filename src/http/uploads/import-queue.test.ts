import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { DAY_S } from "#domain/time.ts";
import { LEASE_MS } from "#import/claims.ts";
import { emptyReport } from "#import/report.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { until } from "#testing/until.ts";
import { shownFileName } from "../admin/job-summary.ts";
import { ImportQueue } from "./import-queue.ts";

interface Run {
  key: string;
  succeed: (elsewhere?: string[], refused?: Record<string, number>) => void;
  fail: (error: Error) => void;
}

/** A queue whose imports last until the test ends them. */
function openQueue(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), "triptych-queue-"));
  const store = openSqliteStore(dataDir);
  const runs: Run[] = [];
  const messages: string[] = [];
  const errors: unknown[] = [];
  const queue = new ImportQueue(
    store.jobs,
    dataDir,
    ({ jobKey = "" }) =>
      new Promise((resolve, reject) => {
        runs.push({
          key: jobKey,
          succeed: (elsewhere = [], refused = {}) =>
            resolve({ elsewhere, own: { ...emptyReport(), refused, files: [] } }),
          fail: reject,
        });
      }),
    (error, message) => {
      errors.push(error);
      messages.push(message);
    },
  );
  t.after(async () => {
    for (const { succeed } of runs) succeed();
    await queue.close();
    await store.close();
    rmSync(dataDir, { recursive: true });
  });
  const add = async (key: string, token = "one") => {
    await queue.folder.create(key);
    await queue.add({ key, origin: "upload", label: `${key}.json`, token, digest: key });
  };
  const isKept = (key: string) => existsSync(queue.folder.pathOf(key));
  return { queue, store, add, runs, messages, errors, isKept };
}

const keysOf = (runs: readonly Run[]) => runs.map(({ key }) => key);

test("imports run at the same time up to four, of one token three, and the next starts when one ends", async (t) => {
  const { add, runs, isKept } = openQueue(t);
  for (const key of ["a", "b", "c", "d", "e"]) await add(key);
  assert.deepEqual(keysOf(runs), ["a", "b", "c"]);
  await add("x", "another");
  assert.deepEqual(keysOf(runs), ["a", "b", "c", "x"]);
  // The first takes long: the others do not wait for it.
  runs[1]?.succeed();
  await until(async () => runs.length === 5);
  await until(async () => !isKept("b"));
  assert.deepEqual([keysOf(runs).at(-1), isKept("a")], ["d", true]);
});

test("a token with fewer imports under way is next, and tokens with as many take turns", async (t) => {
  const { add, runs } = openQueue(t);
  for (const key of ["a1", "a2", "a3", "a4", "a5", "a6"]) await add(key, "a");
  for (const key of ["b1", "b2", "b3"]) await add(key, "b");
  await add("c1", "c");
  const endNext = async (key: string) => {
    const { length } = runs;
    runs.find((run) => run.key === key)?.succeed();
    await until(async () => runs.length === length + 1);
    return runs.at(-1)?.key;
  };
  assert.deepEqual(keysOf(runs), ["a1", "a2", "a3", "b1"]);
  // None of c runs; then a and b have one each, and it is the turn of a; then b has fewer, then a.
  assert.equal(await endNext("a1"), "c1");
  assert.equal(await endNext("a2"), "a4");
  assert.equal(await endNext("c1"), "b2");
  assert.equal(await endNext("a3"), "a5");
});

test("a full queue has room for a token below its share, and a start keeps the turns", async (t) => {
  const { queue, add, runs } = openQueue(t);
  for (let number = 0; number < 103; number++) await add(`a${number}`, "a");
  assert.deepEqual([queue.length, queue.isFull("a"), queue.isFull("b"), queue.fullTokens()], [100, true, false, ["a"]]);
  for (let number = 0; number < 51; number++) await add(`b${number}`, "b");
  assert.deepEqual(
    [queue.length, queue.isFull("b"), queue.isFull("c"), queue.fullTokens()],
    [150, true, false, ["a", "b"]],
  );
  assert.deepEqual(keysOf(runs), ["a0", "a1", "a2", "b0"]);
  await queue.resume();
  // The tokens are those that the jobs say.
  assert.deepEqual(queue.fullTokens(), ["a", "b"]);
});

test("an import that a full disk stopped is tried again every 2 s, and the log says it once", async (t) => {
  const { add, runs, messages, isKept } = openQueue(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await add("a");
  for (let attempt = 1; attempt <= 3; attempt++) {
    assert.equal(runs.length, attempt);
    runs.at(-1)?.fail(Object.assign(new Error("write failed"), { code: "ENOSPC" }));
    await nextTick();
    t.mock.timers.tick(1_999);
    assert.equal(runs.length, attempt);
    t.mock.timers.tick(1);
  }
  assert.deepEqual(messages, [
    "imports wait: the disk is full: reads go on, and writes resume by themselves when there is room",
  ]);
  assert.ok(isKept("a"));
});

test("a fault of the disk is logged with its error unless the disk is full, and again after an import that went well", async (t) => {
  const { add, runs, messages, errors, isKept } = openQueue(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const failWith = async (code: string) => {
    const error = Object.assign(new Error("write failed"), { code });
    runs.at(-1)?.fail(error);
    await nextTick();
    t.mock.timers.tick(300_000);
    return error;
  };
  await add("a");
  await failWith("ENOSPC");
  const io = await failWith("EIO");
  await failWith("EIO");
  const damaged = [await failWith("XX001"), await failWith("XX001")];
  assert.deepEqual(errors, [null, io, ...damaged]);
  assert.match(messages[2] ?? "", /^the store is damaged: .*; retrying the import in 80 s$/);
  runs.at(-1)?.succeed();
  await until(async () => !isKept("a"));
  await add("b");
  const again = await failWith("EIO");
  assert.equal(errors.at(-1), again);
});

test("any other failure is tried again after 10 s, then twice as long each time", async (t) => {
  const { add, runs, messages } = openQueue(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await add("a");
  for (const seconds of [10, 20, 40, 80, 160, 300, 300]) {
    runs.at(-1)?.fail(Object.assign(new Error("permission denied for table jobs"), { code: "42501" }));
    await nextTick();
    assert.equal(messages.at(-1), `import failed; retrying the import in ${seconds} s`);
    const { length } = runs;
    t.mock.timers.tick(seconds * 1000);
    assert.equal(runs.length, length + 1);
  }
});

test("an upload that fails in the same way six times, by a fault of its own, is refused, and its file goes", async (t) => {
  const { queue, store, add, runs, messages, isKept } = openQueue(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const key = "5a9d3c";
  await add(key);
  const failures = [
    new RangeError("Maximum call stack size exceeded"),
    Object.assign(new Error("the server is down"), { name: "ApiError", code: "service_unavailable" }),
    ...Array.from({ length: 6 }, () => new RangeError("Maximum call stack size exceeded")),
  ];
  for (const [index, failure] of failures.entries()) {
    assert.ok(isKept(key));
    assert.equal(runs.length, index + 1);
    runs.at(-1)?.fail(failure);
    await nextTick();
    t.mock.timers.tick(300_000);
  }
  await until(async () => !isKept(key));
  assert.equal(messages.at(-1), "import 5a9d3c failed 6 times in the same way: the upload is refused");
  const job = await store.jobs.getJob(key);
  assert.ok(job !== null);
  assert.deepEqual([queue.length, runs.length, job.state], [0, failures.length, "done"]);
  const files = await store.jobs.listJobFiles(key);
  assert.deepEqual(
    files.map(({ name, state, report }) => [shownFileName(job, name), state, report.refused]),
    [["5a9d3c.json", "done", { unexpected_error: 1 }]],
  );
  const [reject, ...others] = await store.jobs.listRejects(key, 0, 10);
  assert.deepEqual([reject?.line, shownFileName(job, reject?.file ?? ""), others], [null, "5a9d3c.json", []]);
  assert.match(reject?.reason ?? "", /^unexpected_error: RangeError at import-queue\.test\.ts:\d+:\d+$/);
});

test("uploads that wait for a retry count as waiting: with 100 the queue is full", async (t) => {
  const { queue, add, runs } = openQueue(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (let number = 1; number <= 100; number++) {
    assert.equal(queue.isFull("one"), false);
    await add(`upload-${number}`);
    runs.at(-1)?.fail(Object.assign(new Error("write failed"), { code: "ENOSPC" }));
    await nextTick();
    assert.equal(queue.length, number);
  }
  assert.equal(queue.isFull("one"), true);
  // Three are imported again, and the others wait for them.
  t.mock.timers.tick(2_000);
  assert.deepEqual([queue.length, queue.isFull("one"), runs.length], [97, false, 103]);
});

test("a start leaves an upload that may still be arriving at another node, and deletes one of yesterday", async (t) => {
  const { queue, isKept } = openQueue(t);
  for (const key of ["arriving", "broken off"]) await queue.folder.create(key);
  if (process.platform !== "win32") assert.equal(statSync(queue.folder.pathOf("arriving")).mode & 0o777, 0o700);
  const yesterday = Date.now() / 1000 - DAY_S - 60;
  utimesSync(queue.folder.pathOf("broken off"), yesterday, yesterday);
  await queue.resume();
  assert.deepEqual([isKept("arriving"), isKept("broken off")], [true, false]);
});

test("a start deletes an upload whose import ended before its file was deleted", async (t) => {
  const { queue, store, runs, isKept } = openQueue(t);
  const job = { fingerprint: "", origin: "upload", label: "x", createdAt: 1, updatedAt: 1, owner: "" } as const;
  for (const [id, state] of [
    ["ended", "done"],
    ["waiting", "running"],
  ] as const) {
    await store.jobs.writeJob({ ...job, id, fingerprint: id, state });
    await queue.folder.create(id);
  }
  await queue.resume();
  assert.deepEqual([isKept("ended"), keysOf(runs)], [false, ["waiting"]]);
});

test("an upload that another node imports stays until its lease has ended, and unexpected errors are logged", async (t) => {
  const { add, runs, messages, isKept } = openQueue(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await add("a");
  runs[0]?.succeed(["a.json"]);
  await nextTick();
  t.mock.timers.tick(LEASE_MS - 1);
  assert.deepEqual([runs.length, isKept("a"), messages], [1, true, []]);
  t.mock.timers.tick(1);
  runs[1]?.succeed([], { unexpected_error: 2 });
  await until(async () => !isKept("a"));
  assert.deepEqual(messages, ["import a: 2 unexpected errors; its refusals say where"]);
});

test("an upload that cannot be refused yet is tried again: another node has it, or the store cannot be written", async (t) => {
  const { store, add, runs, isKept } = openQueue(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await add("a");
  const fail = async (retryMs: number) => {
    const { length } = runs;
    runs.at(-1)?.fail(new RangeError("Maximum call stack size exceeded"));
    await until(async () => {
      t.mock.timers.tick(retryMs);
      await nextTick();
      return runs.length > length || !isKept("a");
    });
  };
  for (let failures = 1; failures < 6; failures++) await fail(300_000);
  const busy = t.mock.method(store.jobs, "finishJob", async () => false);
  await fail(LEASE_MS);
  busy.mock.restore();
  const full = t.mock.method(store.jobs, "writeJobFile", async () => {
    throw Object.assign(new Error("write failed"), { code: "ENOSPC" });
  });
  await fail(2_000);
  full.mock.restore();
  assert.deepEqual([runs.length, isKept("a")], [8, true]);
  await fail(0);
  assert.ok(!isKept("a"));
});

test("a queue that closes waits for the imports under way, and starts no other", async (t) => {
  const { queue, add, runs } = openQueue(t);
  for (const key of ["a", "b", "c", "d", "e"]) await add(key);
  let isClosed = false;
  const closing = queue.close().then(() => (isClosed = true));
  await nextTick();
  assert.equal(isClosed, false);
  for (const { succeed } of runs) succeed();
  await closing;
  assert.equal(runs.length, 3);
});
