/** Runs a thread for one piece of work, and resolves to the one message that it sends. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Config } from "#config";
import { resourceLimitsFor } from "./thread-limits.ts";

export async function runTask<Result>(
  main: URL,
  workerData: { kind: string; config: Config },
  signal?: AbortSignal,
): Promise<Result> {
  // An abort before the listener below is not repeated: a stop would wait for the whole work.
  signal?.throwIfAborted();
  const thread = new Worker(main, { workerData, resourceLimits: resourceLimitsFor(workerData.config) });
  // Uncommitted work is undone.
  const stop = () => void thread.terminate();
  signal?.addEventListener("abort", stop, { once: true });
  const ended = new AbortController();
  thread.once("exit", () => ended.abort());
  // After its message a thread only closes its store: without a listener, a failure of that would end the service.
  thread.on("error", () => undefined);
  try {
    const [result] = (await once(thread, "message", { signal: ended.signal })) as [Result];
    return result;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
