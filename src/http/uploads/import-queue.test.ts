import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { DAY_S } from "#domain/time.ts";
import { emptyReport } from "#import/report.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { until } from "#testing/until.ts";
import { shownFileName } from "../admin/job-summary.ts";
import { ImportQueue } from "./import-queue.ts";

interface Run {
  key: string;
  succeed: () => void;
  fail: (error: Error) => void;
}

/** A queue whose imports last until the test ends them. */
function openQueue(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), "triptych-queue-"));
  const store = openSqliteStore(dataDir);
  const runs: Run[] = [];
  const messages: string[] = [];
  const queue = new ImportQueue(
    store.jobs,
    dataDir,
    ({ jobKey = "" }) =>
      new Promise((resolve, reject) => {
        runs.push({
          key: jobKey,
          succeed: () => resolve({ elsewhere: [], own: { ...emptyReport(), files: [] } }),
          fail: reject,
        });
      }),
    (_error, message) => messages.push(message),
  );
  t.after(async () => {
    for (const { succeed } of runs) succeed();
    await queue.close();
    await store.close();
    rmSync(dataDir, { recursive: true });
  });
  const add = async (key: string) => {
    await queue.folder.create(key);
    await queue.add(key, "upload", `${key}.json`);
  };
  const isKept = (key: string) => existsSync(queue.folder.pathOf(key));
  return { queue, store, add, runs, messages, isKept };
}

const keysOf = (runs: readonly Run[]) => runs.map(({ key }) => key);

test("imports run at the same time up to four, and the next starts when one ends", async (t) => {
  const { add, runs, isKept } = openQueue(t);
  for (const key of ["a", "b", "c", "d", "e", "f"]) await add(key);
  assert.deepEqual(keysOf(runs), ["a", "b", "c", "d"]);
  // The first takes long: the others do not wait for it.
  runs[1]?.succeed();
  await until(async () => runs.length === 5);
  await until(async () => !isKept("b"));
  assert.deepEqual([keysOf(runs).at(-1), isKept("a")], ["e", true]);
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
    assert.equal(queue.isFull(), false);
    await add(`upload-${number}`);
    runs.at(-1)?.fail(Object.assign(new Error("write failed"), { code: "ENOSPC" }));
    await nextTick();
    assert.equal(queue.length, number);
  }
  assert.equal(queue.isFull(), true);
  // Four are imported again, and the others wait for them.
  t.mock.timers.tick(2_000);
  assert.deepEqual([queue.length, queue.isFull(), runs.length], [96, false, 104]);
});

test("a start leaves an upload that may still be arriving at another node, and deletes one of yesterday", async (t) => {
  const { queue, isKept } = openQueue(t);
  for (const key of ["arriving", "broken off"]) await queue.folder.create(key);
  const yesterday = Date.now() / 1000 - DAY_S - 60;
  utimesSync(queue.folder.pathOf("broken off"), yesterday, yesterday);
  await queue.resume();
  assert.deepEqual([isKept("arriving"), isKept("broken off")], [true, false]);
});
