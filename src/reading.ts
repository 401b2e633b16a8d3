/** Reads files with all platforms' readers, in a thread of its own: reading and keeping take a core each. */
import { isMainThread, parentPort, type ResourceLimits, Worker, workerData } from "node:worker_threads";
import { Arrivals } from "#ingest/arrivals.ts";
import { goesOn, joined } from "#ingest/join-batches.ts";
import type { ClaimAnswer, ClaimAsk, ReadBatch, ReadFiles, ReadRequest, ReadStep } from "#ingest/read-files.ts";
import type { Config } from "./config.ts";

/** Marks a worker as one of ours: other threads may load this file too. */
const ROLE = "triptych reading";

/** What can be handed to another thread. */
type Order = Omit<ReadRequest, "claims">;

/** To the thread that reads: what to read; go on, and which claims are lost by now; or the answer to what it asked. */
type ToReader = { order: Order; draws: boolean } | { lost: number[] } | { answer: ClaimAnswer };

/** From it: a step, null at the end; or a question. */
type FromReader = { step: ReadStep | null } | { ask: ClaimAsk };

/** How threads of an import share the work. */
interface Sharing {
  /** So many batches are read ahead of those that are being kept; those that wait then are handed over as one. */
  together: number;
  /** The engine's young generation is made for speed at any size; what an import makes dies soon enough in a small one. */
  youngMb: number;
  /** A file keeps records written out: they are drawn where they are read. */
  draws: boolean;
}

const INTO_FILE: Sharing = { together: 1, youngMb: 6, draws: true };

/** A server is asked less often, and commits less often. What it is sent lives longer, and is copied less in more room. */
const ONTO_SERVER: Sharing = { together: 2, youngMb: 12, draws: false };

function sharingFor({ store }: Pick<Config, "store">): Sharing {
  return store === null ? INTO_FILE : ONTO_SERVER;
}

function limitsOf({ youngMb }: Sharing): ResourceLimits {
  return { maxYoungGenerationSizeMb: youngMb, maxOldGenerationSizeMb: 1024 };
}

/** Of any thread of an import. */
export function limitsFor(config: Pick<Config, "store">): ResourceLimits {
  return limitsOf(sharingFor(config));
}

export const readInThread: ReadFiles = (request) => stepsFrom(startThread(INTO_FILE), request, INTO_FILE);

/** Reads standard input, which belongs to the main thread. */
export const readInput: ReadFiles = (request) => readHere(request, false);

export interface ReadingThread {
  read: ReadFiles;
  /** For an import that came to nothing. */
  end(): Promise<unknown>;
}

/** A thread that makes ready to read, while others make ready to keep. It reads for one import. */
export function startReading(config: Pick<Config, "store">): ReadingThread {
  const sharing = sharingFor(config);
  const worker = startThread(sharing);
  return { read: (request) => stepsFrom(worker, request, sharing), end: () => worker.terminate() };
}

function startThread(sharing: Sharing): Worker {
  return new Worker(new URL(import.meta.url), { workerData: { role: ROLE }, resourceLimits: limitsOf(sharing) });
}

const loadReading = () =>
  Promise.all([import("#ingest/read-files.ts"), import("./platforms.ts"), import("#store/prepared-record.ts")]);

/** Loaded where reading is done: the other threads of an import need none of it. */
async function* readHere(request: ReadRequest, draws: boolean): AsyncGenerator<ReadStep> {
  const [{ readFiles }, { PLATFORMS, SHAPES }, { preparing, preparingWith }] = await loadReading();
  yield* readFiles(PLATFORMS, draws ? preparingWith(SHAPES) : preparing, request);
}

async function* stepsFrom(
  worker: Worker,
  { claims, ...order }: ReadRequest,
  sharing: Sharing,
): AsyncGenerator<ReadStep> {
  const tell = (message: ToReader) => worker.postMessage(message);
  const read = new Arrivals<ReadStep | null>();
  worker.on("message", (message: FromReader) => {
    if ("step" in message) read.add(message.step);
    else {
      claims.claim(message.ask).then(
        (answer) => tell({ answer }),
        (error: unknown) => read.fail(error),
      );
    }
  });
  worker.on("error", (error) => read.fail(error));
  const next = async () => {
    const step = await read.next();
    // For each that is taken another is read, while those that were taken are kept.
    tell({ lost: [...claims.lost] });
    return step;
  };
  try {
    tell({ order, draws: sharing.draws });
    for (let ahead = 0; ahead < sharing.together; ahead++) tell({ lost: [...claims.lost] });
    for (;;) {
      let step = await next();
      if (step === null) return;
      for (let count = 1; count < sharing.together; count++) {
        const waiting = read.waiting;
        if (waiting == null || !goesOn(step, waiting)) break;
        step = joined(step as ReadBatch, (await next()) as ReadBatch);
      }
      yield step;
    }
  } finally {
    await worker.terminate();
  }
}

function answerFromThread(): void {
  void loadReading();
  const tell = (message: FromReader) => parentPort?.postMessage(message);
  const lost = new Set<number>();
  // It reads one file after the other, so there is one question at a time.
  let asked = Promise.withResolvers<ClaimAnswer>();
  const claim = (ask: ClaimAsk) => {
    asked = Promise.withResolvers();
    tell({ ask });
    return asked.promise;
  };
  let steps: AsyncGenerator<ReadStep>;
  // One after the other: a failure ends the thread, and must not be overtaken by the word that nothing more comes.
  let last = Promise.resolve();
  const step = async () => {
    const { value, done } = await steps.next();
    tell({ step: done === true ? null : value });
  };
  parentPort?.on("message", (message: ToReader) => {
    if ("order" in message) steps = readHere({ ...message.order, claims: { claim, lost } }, message.draws);
    else if ("answer" in message) asked.resolve(message.answer);
    else {
      for (const number of message.lost) lost.add(number);
      last = last.then(step);
    }
  });
}

const work = workerData as { role?: string } | null;
if (!isMainThread && work?.role === ROLE) answerFromThread();
