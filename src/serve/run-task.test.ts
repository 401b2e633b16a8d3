import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { readConfig } from "#config";
import { runTask } from "./run-task.ts";

const DATA = { kind: "perform", config: readConfig({}) };

const threadOf = (code: string) =>
  new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from "node:worker_threads"; ${code}`)}`);

test("a stop before the thread starts keeps it from starting", async () => {
  const stopping = new AbortController();
  stopping.abort();
  await assert.rejects(runTask(threadOf("parentPort.postMessage(1)"), DATA, stopping.signal), { name: "AbortError" });
});

test("a thread that fails before its message rejects, and one that fails after it ends nobody else", async () => {
  await assert.rejects(runTask(threadOf("throw new Error('no store')"), DATA), /no store/);
  const threadStarted = once(process, "worker");
  const result = runTask<number>(
    threadOf("parentPort.postMessage(7); setTimeout(() => { throw new Error('cannot close'); }, 20)"),
    DATA,
  );
  const [thread] = await threadStarted;
  const ended = new Promise((resolve) => thread.once("exit", resolve));
  assert.equal(await result, 7);
  assert.equal(await ended, 1);
});
