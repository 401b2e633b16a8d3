/** Reads files with all platforms' readers, in a thread of its own: reading and keeping take a core each. */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { ReadBatch, ReadFiles, ReadRequest } from "#ingest/read-files.ts";

/** Marks a worker as one of ours: other threads may load this file too. */
const ROLE = "triptych reading";

/** The engine's young generation is made for speed at any size; what an import makes dies soon enough in a small one. */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 1024 };

export const readInThread: ReadFiles = (request) =>
  // Standard input belongs to the main thread.
  request.paths.includes("-") ? readHere(request) : batchesFromThread(request);

/** Loaded where reading is done: the other threads of an import need none of it. */
async function* readHere(request: ReadRequest): AsyncGenerator<ReadBatch> {
  const [{ readFiles }, { PLATFORMS }, { preparing }] = await Promise.all([
    import("#ingest/read-files.ts"),
    import("./platforms.ts"),
    import("#store/prepared-record.ts"),
  ]);
  yield* readFiles(PLATFORMS, preparing, request);
}

async function* batchesFromThread(request: ReadRequest): AsyncGenerator<ReadBatch> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE, request },
    resourceLimits: THREAD_LIMITS,
  });
  // One listener for all answers: racing each against a promise of failure would hold every batch until the end.
  let answer = Promise.withResolvers<ReadBatch | null>();
  worker.on("message", (batch: ReadBatch | null) => answer.resolve(batch));
  worker.on("error", (error) => answer.reject(error));
  const next = () => {
    answer = Promise.withResolvers();
    // A failure that comes while the batch before is kept is met when this one is waited for.
    answer.promise.catch(() => undefined);
    worker.postMessage("next");
    return answer.promise;
  };
  try {
    // One batch ahead: it is read while the one before is kept.
    for (let coming = next(); ;) {
      const batch = await coming;
      if (batch === null) return;
      coming = next();
      yield batch;
    }
  } finally {
    await worker.terminate();
  }
}

function answerFromThread(request: ReadRequest): void {
  const batches = readHere(request);
  parentPort?.on("message", () => {
    void batches.next().then(({ value, done }) => parentPort?.postMessage(done === true ? null : value));
  });
}

const work = workerData as { role?: string; request: ReadRequest } | null;
if (!isMainThread && work?.role === ROLE) answerFromThread(work.request);
