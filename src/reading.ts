/** Reads files with all platforms' readers, in a thread of its own: reading and keeping take a core each. */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type ReadBatch, readFiles, type ReadFiles, type ReadRequest } from "#ingest/read-files.ts";
import { PLATFORMS } from "./platforms.ts";

/** Marks a worker as one of ours: other threads may load this file too. */
const ROLE = "triptych reading";

export const readInThread: ReadFiles = (request) =>
  // Standard input belongs to the main thread.
  request.paths.includes("-") ? readFiles(PLATFORMS, request) : batchesFromThread(request);

async function* batchesFromThread(request: ReadRequest): AsyncGenerator<ReadBatch> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { role: ROLE, request } });
  const failed = new Promise<never>((_resolve, reject) => worker.once("error", reject));
  // Asked for before it is waited on: without a listener an early failure would end the process.
  failed.catch(() => undefined);
  const next = () => {
    const answer = new Promise<ReadBatch | null>((resolve) => worker.once("message", resolve));
    worker.postMessage("next");
    return Promise.race([answer, failed]);
  };
  try {
    // One batch ahead: it is read while the one before is kept.
    for (let coming = next(); ;) {
      const batch = await coming;
      if (batch === null) return;
      coming = next();
      coming.catch(() => undefined);
      yield batch;
    }
  } finally {
    await worker.terminate();
  }
}

function answerFromThread(request: ReadRequest): void {
  const batches = readFiles(PLATFORMS, request);
  parentPort?.on("message", () => {
    void batches.next().then(({ value, done }) => parentPort?.postMessage(done === true ? null : value));
  });
}

const work = workerData as { role?: string; request: ReadRequest } | null;
if (!isMainThread && work?.role === ROLE) answerFromThread(work.request);
