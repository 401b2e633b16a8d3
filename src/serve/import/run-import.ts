/** Imports beside whatever else the process does: reading and keeping each in a thread of its own. */
import { Worker } from "node:worker_threads";
import { importFiles, type ImportEvents, type ImportRequest } from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import { StoreOpenError } from "#store/store-open-error.ts";
import type { Config } from "#config";
import type { ImportFailure, ImportMessage } from "./writer-thread.ts";
import { openStore } from "../open-store.ts";
import { limitsFor, startParserThread } from "./parser-thread.ts";

export type RunImport = (request: ImportRequest, events?: ImportEvents) => Promise<ImportReport>;

export function createImportRunner(config: Config): RunImport {
  return (request, events = {}) =>
    // Standard input belongs to the main thread.
    request.paths.includes("-") ? importHere(config, request, events) : importInThread(config, request, events);
}

async function importHere(config: Config, request: ImportRequest, events: ImportEvents): Promise<ImportReport> {
  const store = await openStore(config, "small");
  const reading = startParserThread(config);
  try {
    return await importFiles({ store, read: reading.read, dataDir: config.dataDir }, request, events);
  } finally {
    await reading.end();
    await store.close();
  }
}

function importInThread(config: Config, request: ImportRequest, events: ImportEvents): Promise<ImportReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./writer-thread.ts", import.meta.url), {
      workerData: { config, request },
      resourceLimits: limitsFor(config),
    });
    worker.on("message", (message: ImportMessage) => {
      if ("progress" in message) events.progress?.(message.progress);
      else if ("fileDone" in message) events.fileDone?.(message.fileDone);
      else if ("waiting" in message) events.waiting?.(message.waiting);
      else if ("report" in message) resolve(message.report);
      else reject(failureOf(message.failed));
    });
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the import's thread ended with ${code}`)));
  });
}

/** Classes do not survive the way from another thread: what is told apart by class is made anew from its name. */
function failureOf({ name, message, stack }: ImportFailure): Error {
  if (name === "StoreOpenError") return new StoreOpenError(message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
