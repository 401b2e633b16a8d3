/** The keeping half of an import in a thread of its own: a server goes on answering, and the heap stays small. */
import { parentPort, workerData } from "node:worker_threads";
import type { JobFile } from "#domain/job.ts";
import { importFiles, type ImportRequest, type Progress } from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import type { Config } from "#config";
import { openStore } from "../open-store.ts";
import { startParserThread } from "./parser-thread.ts";

export interface ImportFailure {
  name: string;
  message: string;
  stack?: string | undefined;
}

export type ImportMessage =
  | { progress: Progress }
  | { fileDone: JobFile }
  | { waiting: string[] }
  | { report: ImportReport }
  | { failed: ImportFailure };

const tell = (message: ImportMessage) => parentPort?.postMessage(message);

try {
  tell({ report: await importHere(workerData as { config: Config; request: ImportRequest }) });
} catch (error) {
  const { name, message, stack } = error as Error;
  tell({ failed: { name, message, stack } });
}

async function importHere({ config, request }: { config: Config; request: ImportRequest }): Promise<ImportReport> {
  const reading = startParserThread(config);
  try {
    const store = await openStore(config, "small");
    try {
      return await importFiles({ store, read: reading.read, dataDir: config.dataDir }, request, {
        progress: (progress) => tell({ progress }),
        fileDone: (file) => tell({ fileDone: file }),
        waiting: (files) => tell({ waiting: files }),
      });
    } finally {
      await store.close();
    }
  } finally {
    await reading.end();
  }
}
