/** The keeping half of an import in a thread of its own: a server goes on answering, and the heap stays small. */
import { parentPort, workerData } from "node:worker_threads";
import type { JobFile } from "#domain/job.ts";
import { importFiles, type ImportRequest, type Progress } from "#ingest/import-files.ts";
import type { ImportReport } from "#ingest/report.ts";
import type { Config } from "./config.ts";
import { openStore } from "./open-store.ts";
import { readInThread } from "./reading.ts";

export type ImportMessage =
  | { progress: Progress }
  | { fileDone: JobFile }
  | { report: ImportReport }
  | { failed: { name: string; message: string } };

const tell = (message: ImportMessage) => parentPort?.postMessage(message);

const { config, request } = workerData as { config: Config; request: ImportRequest };
const store = openStore(config, "lean");
try {
  const report = await importFiles({ store, read: readInThread, dataDir: config.dataDir }, request, {
    progress: (progress) => tell({ progress }),
    fileDone: (file) => tell({ fileDone: file }),
  });
  tell({ report });
} catch (error) {
  // Classes do not survive the way to another thread: the name does.
  const { name, message, stack } = error as Error;
  tell({ failed: { name, message: name === "JobBusy" ? message : (stack ?? message) } });
} finally {
  await store.close();
}
