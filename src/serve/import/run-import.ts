/** Runs imports beside whatever else the process does: parsing and writing each have their own thread. */
import { Worker } from "node:worker_threads";
import type { ImportEvents, ImportRequest } from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import { StoreOpenError } from "#store/store-open-error.ts";
import type { Config } from "#config";
import { resourceLimitsFor } from "./parser-thread.ts";
import { checkFromWriter, type FromWriter, type ImportFailure, type ToWriter } from "./thread-messages.ts";

export type RunImport = (request: ImportRequest, events?: ImportEvents) => Promise<ImportReport>;

export function createImportRunner(config: Config): RunImport {
  return async (request, events = {}) => {
    if (!request.paths.includes("-")) return importInThread(config, request, events);
    // Standard input belongs to the main thread, which otherwise starts without what an import needs.
    const { importHere } = await import("./import-here.ts");
    return importHere(config, request, events);
  };
}

function importInThread(config: Config, request: ImportRequest, events: ImportEvents): Promise<ImportReport> {
  return new Promise((resolve, reject) => {
    const workerData: ToWriter = { kind: "import", config, request };
    const worker = new Worker(new URL("./writer-main.ts", import.meta.url), {
      workerData,
      resourceLimits: resourceLimitsFor(config),
    });
    const onMessage = (message: FromWriter) => {
      if (message.kind === "progress") events.progress?.(message.progress);
      else if (message.kind === "fileDone") events.fileDone?.(message.file);
      else if (message.kind === "waiting") events.waiting?.(message.files);
      else if (message.kind === "outage") events.outage?.();
      else if (message.kind === "report") resolve(message.report);
      else reject(toError(message.failure));
    };
    worker.on("message", (data: unknown) => {
      try {
        onMessage(checkFromWriter(data));
      } catch (error) {
        reject(error);
        void worker.terminate();
      }
    });
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the writer thread exited with code ${code}`)));
  });
}

/** The class of an error is lost between threads; the one that callers check for is restored by its name. */
function toError({ name, message, stack }: ImportFailure): Error {
  if (name === "StoreOpenError") return new StoreOpenError(message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
