/** Counts in a thread: SQLite would block the event loop meanwhile. */
import { Worker } from "node:worker_threads";
import { checkFromSummaryThread, type Summary, type ToSummaryThread } from "./summary-messages.ts";

export function summarizeInThread(file: string, now: number): Promise<Summary> {
  return new Promise((resolve, reject) => {
    const workerData: ToSummaryThread = { kind: "count", file, now };
    const thread = new Worker(new URL("./summary-main.ts", import.meta.url), { workerData });
    let message: unknown = null;
    thread.once("message", (data: unknown) => (message = data));
    thread.once("error", reject);
    // Not before: a store that is closed then has no connection left, and its files can be deleted.
    thread.once("exit", (code) => {
      if (message === null) reject(new Error(`the summary thread exited with code ${code}`));
      else resolve(checkFromSummaryThread(message).summary);
    });
  });
}
