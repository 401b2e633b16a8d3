/** The thread that counts what the store holds. */
import { parentPort, workerData } from "node:worker_threads";
import { openForSnapshot } from "./database.ts";
import { summarize } from "./summary.ts";

export interface ToSummaryThread {
  file: string;
  now: number;
}

const { file, now } = workerData as ToSummaryThread;
const db = openForSnapshot(file);
try {
  parentPort?.postMessage(summarize(db, now));
} finally {
  db.close();
}
