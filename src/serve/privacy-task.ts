/** Erasures, sweeps and the removal of bytes use the store for long: they run in a thread. */
import type { Config } from "#config";
import type { PrivacyResults, PrivacyTask, PrivacyThreadData } from "./privacy-messages.ts";
import { runTask } from "./run-task.ts";

/** The next sweep deletes the records that a stopped one has left. */
export function runPrivacyTask<Name extends PrivacyTask["name"]>(
  config: Config,
  task: Extract<PrivacyTask, { name: Name }>,
  signal?: AbortSignal,
): Promise<PrivacyResults[Name]> {
  const workerData: PrivacyThreadData = { kind: "perform", config, task };
  return runTask(new URL("./privacy-task-main.ts", import.meta.url), workerData, signal);
}
