/** Reads files with all platforms' readers, in a thread of its own: reading and keeping take a core each. */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { ClaimAnswer, ClaimAsk, ReadFiles, ReadRequest, ReadStep } from "#ingest/read-files.ts";

/** Marks a worker as one of ours: other threads may load this file too. */
const ROLE = "triptych reading";

/** What can be handed to another thread. */
type Order = Omit<ReadRequest, "claims">;

/** To the thread that reads: go on, and which claims are lost by now; or the answer to what it asked. */
type ToReader = { lost: number[] } | { answer: ClaimAnswer };

/** From it: a step, null at the end; or a question. */
type FromReader = { step: ReadStep | null } | { ask: ClaimAsk };

/** The engine's young generation is made for speed at any size; what an import makes dies soon enough in a small one. */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 1024 };

export const readInThread: ReadFiles = (request) =>
  // Standard input belongs to the main thread.
  request.paths.includes("-") ? readHere(request) : stepsFromThread(request);

/** Loaded where reading is done: the other threads of an import need none of it. */
async function* readHere(request: ReadRequest): AsyncGenerator<ReadStep> {
  const [{ readFiles }, { PLATFORMS }, { preparing }] = await Promise.all([
    import("#ingest/read-files.ts"),
    import("./platforms.ts"),
    import("#store/prepared-record.ts"),
  ]);
  yield* readFiles(PLATFORMS, preparing, request);
}

async function* stepsFromThread({ claims, ...order }: ReadRequest): AsyncGenerator<ReadStep> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE, order },
    resourceLimits: THREAD_LIMITS,
  });
  const tell = (message: ToReader) => worker.postMessage(message);
  // One listener for all answers: racing each against a promise of failure would hold every batch until the end.
  let coming = Promise.withResolvers<ReadStep | null>();
  worker.on("message", (message: FromReader) => {
    if ("step" in message) coming.resolve(message.step);
    else {
      claims.claim(message.ask).then(
        (answer) => tell({ answer }),
        (error: unknown) => coming.reject(error),
      );
    }
  });
  worker.on("error", (error) => coming.reject(error));
  const next = () => {
    coming = Promise.withResolvers();
    // A failure that comes while the batch before is kept is met when this one is waited for.
    coming.promise.catch(() => undefined);
    tell({ lost: [...claims.lost] });
    return coming.promise;
  };
  try {
    // One batch ahead: it is read while the one before is kept.
    for (let ahead = next(); ;) {
      const step = await ahead;
      if (step === null) return;
      ahead = next();
      yield step;
    }
  } finally {
    await worker.terminate();
  }
}

function answerFromThread(order: Order): void {
  const tell = (message: FromReader) => parentPort?.postMessage(message);
  const lost = new Set<number>();
  // It reads one file after the other, so there is one question at a time.
  let asked = Promise.withResolvers<ClaimAnswer>();
  const claim = (ask: ClaimAsk) => {
    asked = Promise.withResolvers();
    tell({ ask });
    return asked.promise;
  };
  const steps = readHere({ ...order, claims: { claim, lost } });
  parentPort?.on("message", (message: ToReader) => {
    if ("answer" in message) asked.resolve(message.answer);
    else {
      for (const number of message.lost) lost.add(number);
      void steps.next().then(({ value, done }) => tell({ step: done === true ? null : value }));
    }
  });
}

const work = workerData as { role?: string; order: Order } | null;
if (!isMainThread && work?.role === ROLE) answerFromThread(work.order);
