/** The thread that counts what the store holds. */
import { parentPort, workerData } from "node:worker_threads";
import { summarize } from "../sql/summary.ts";
import { openForSnapshot } from "./database.ts";
import { shareSql } from "./shared-sql.ts";

export interface ToSummaryThread {
  file: string;
  now: number;
}

const { file, now } = workerData as ToSummaryThread;
const db = openForSnapshot(file);
try {
  parentPort?.postMessage(await summarize(shareSql(db).sql, now));
} finally {
  db.close();
}
