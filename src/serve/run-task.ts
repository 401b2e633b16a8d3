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
  const thread = new Worker(main, { workerData, resourceLimits: resourceLimitsFor(workerData.config) });
  // Uncommitted work is undone.
  const stop = () => void thread.terminate();
  signal?.addEventListener("abort", stop, { once: true });
  const ended = new AbortController();
  thread.once("exit", () => ended.abort());
  try {
    const [result] = (await once(thread, "message", { signal: ended.signal })) as [Result];
    return result;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
