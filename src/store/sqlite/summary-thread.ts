/** Counts in a thread: SQLite would block the event loop meanwhile. */
import { Worker } from "node:worker_threads";
import type { StoreSummary } from "../store.ts";
import type { ToSummaryThread } from "./summary-main.ts";

type Summary = Omit<StoreSummary, "bytes">;

export function summarizeInThread(file: string, now: number): Promise<Summary> {
  return new Promise((resolve, reject) => {
    const workerData: ToSummaryThread = { file, now };
    const thread = new Worker(new URL("./summary-main.ts", import.meta.url), { workerData });
    let summary: Summary | null = null;
    thread.once("message", (message: Summary) => (summary = message));
    thread.once("error", reject);
    // Not before: a store that is closed then has no connection left, and its files can be deleted.
    thread.once("exit", (code) => {
      if (summary === null) reject(new Error(`the summary thread exited with code ${code}`));
      else resolve(summary);
    });
  });
}
