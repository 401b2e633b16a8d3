/** Erasures, sweeps and the removal of bytes use the store for long: they run in a thread. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Config } from "#config";
import { resourceLimitsFor } from "./thread-limits.ts";
import type { PrivacyResults, PrivacyTask, PrivacyThreadData } from "./privacy-messages.ts";

export async function runPrivacyTask<Name extends PrivacyTask["name"]>(
  config: Config,
  task: Extract<PrivacyTask, { name: Name }>,
  signal?: AbortSignal,
): Promise<PrivacyResults[Name]> {
  const workerData: PrivacyThreadData = { kind: "perform", config, task };
  const thread = new Worker(new URL("./privacy-task-main.ts", import.meta.url), {
    workerData,
    resourceLimits: resourceLimitsFor(config),
  });
  // What it has not committed is undone, and done by the next sweep.
  const stop = () => void thread.terminate();
  signal?.addEventListener("abort", stop, { once: true });
  const ended = new AbortController();
  thread.once("exit", () => ended.abort());
  try {
    const [result] = (await once(thread, "message", { signal: ended.signal })) as [PrivacyResults[Name]];
    return result;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
