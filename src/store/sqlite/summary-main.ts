/** The thread that counts what the store holds. */
import { parentPort, workerData } from "node:worker_threads";
import { openForSnapshot } from "./database.ts";
import { checkToSummaryThread, type FromSummaryThread } from "./summary-messages.ts";
import { summarize } from "./summary.ts";

const { file, now } = checkToSummaryThread(workerData);
const db = openForSnapshot(file);
try {
  parentPort?.postMessage({ kind: "summary", summary: summarize(db, now) } satisfies FromSummaryThread);
} finally {
  db.close();
}
