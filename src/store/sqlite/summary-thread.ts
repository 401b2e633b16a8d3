/** Counts in a thread: SQLite would block the event loop meanwhile. */
import { Worker } from "node:worker_threads";
import type { StoreSummary } from "../store.ts";
import type { ToSummaryThread } from "./summary-main.ts";

export function summarizeInThread(file: string, now: number): Promise<Omit<StoreSummary, "bytes">> {
  return new Promise((resolve, reject) => {
    const workerData: ToSummaryThread = { file, now };
    const thread = new Worker(new URL("./summary-main.ts", import.meta.url), { workerData });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`the summary thread exited with code ${code}`)));
  });
}
