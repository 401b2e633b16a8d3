/** Reads files with all platforms' readers, in a thread of its own: reading and keeping take a core each. */
import type { Writable } from "node:stream";
import { isMainThread, parentPort, type ResourceLimits, Worker, workerData } from "node:worker_threads";
import { AsyncQueue } from "#import/async-queue.ts";
import { STANDARD_INPUT } from "#import/containers/standard-input.ts";
import { canMerge, mergeBatches } from "#import/join-batches.ts";
import type { ClaimResponse, ClaimRequest, ReadBatch, ReadFiles, ReadRequest, ReadStep } from "#import/read-files.ts";
import { ReadingGauge, refusedForTime, TICK_MS, TimeAllowance } from "#import/time-allowance.ts";
import type { Config } from "#config";

/** Marks a worker as one of ours: other threads may load this file too. */
const ROLE = "triptych reading";

/** What can be handed to another thread. */
type Order = Omit<ReadRequest, "claims" | "onBytes">;

/** To the thread that reads: what to read; go on, and which claims are lost by now; or the answer to what it asked. */
type ToReader =
  | { order: Order; draws: boolean; gauge: SharedArrayBuffer }
  | { lost: number[] }
  | { answer: ClaimResponse };

/** From it: a step, null at the end; or a question. */
type FromReader = { step: ReadStep | null } | { ask: ClaimRequest };

/** How threads of an import share the work. */
interface ThreadTuning {
  /** So many batches are read ahead of those that are being kept; those that wait then are handed over as one. */
  batchesAhead: number;
  /** The engine's young generation is made for speed at any size; what an import makes dies soon enough in a small one. */
  youngMb: number;
  /** A file keeps records written out: they are drawn where they are read. */
  prerender: boolean;
}

const SQLITE_TUNING: ThreadTuning = { batchesAhead: 1, youngMb: 6, prerender: true };

/** A server is asked less often, and commits less often. What it is sent lives longer, and is copied less in more room. */
const POSTGRES_TUNING: ThreadTuning = { batchesAhead: 2, youngMb: 12, prerender: false };

function tuningFor({ store }: Pick<Config, "store">): ThreadTuning {
  return store === null ? SQLITE_TUNING : POSTGRES_TUNING;
}

function limitsOf({ youngMb }: ThreadTuning): ResourceLimits {
  return { maxYoungGenerationSizeMb: youngMb, maxOldGenerationSizeMb: 1024 };
}

/** Of any thread of an import. */
export function limitsFor(config: Pick<Config, "store">): ResourceLimits {
  return limitsOf(tuningFor(config));
}

/** What decides how files are read. */
type ReadingConfig = Pick<Config, "store" | "importTimeoutS">;

export interface ParserThread {
  read: ReadFiles;
  /** For an import that came to nothing. */
  end(): Promise<unknown>;
}

/** A thread that makes ready to read, while others make ready to keep. Whoever reads again gets another. */
export function startParserThread(config: ReadingConfig): ParserThread {
  const sharing = tuningFor(config);
  const first = startThread(sharing);
  let ready: Worker | null = first;
  return {
    read(request) {
      const worker = ready ?? startThread(sharing);
      ready = null;
      return stepsFrom(worker, request, sharing, config.importTimeoutS);
    },
    end: () => first.terminate(),
  };
}

function startThread(sharing: ThreadTuning): Worker {
  return new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE },
    resourceLimits: limitsOf(sharing),
    stdin: true,
  });
}

const loadReading = () =>
  Promise.all([import("#import/read-files.ts"), import("#platforms/registry.ts"), import("#store/row-encoder.ts")]);

/** Loaded where reading is done: the other threads of an import need none of it. */
async function* readHere(request: ReadRequest, draws: boolean): AsyncGenerator<ReadStep> {
  const [
    { readFiles },
    { PLATFORMS, PROJECTIONS: SHAPES },
    { createRowEncoder: preparing, createRenderingEncoder: preparingWith },
  ] = await loadReading();
  yield* readFiles(PLATFORMS, draws ? preparingWith(SHAPES) : preparing, request);
}

/** A file that takes too long is refused, and another thread goes on after it. */
async function* stepsFrom(
  first: Worker,
  request: ReadRequest,
  sharing: ThreadTuning,
  timeoutS: number,
): AsyncGenerator<ReadStep> {
  const dealtWith = new Set<string>();
  let worker = first;
  while (yield* stepsUntilStuck(worker, request, sharing, { timeoutS, dealtWith })) worker = startThread(sharing);
}

/** True if the thread was ended with a file that took too long. `dealtWith`: files that it and those before it began. */
async function* stepsUntilStuck(
  worker: Worker,
  { claims, ...order }: ReadRequest,
  sharing: ThreadTuning,
  { timeoutS, dealtWith }: { timeoutS: number; dealtWith: Set<string> },
): AsyncGenerator<ReadStep, boolean> {
  const tell = (message: ToReader) => worker.postMessage(message);
  const read = new AsyncQueue<ReadStep | null>();
  const gauge = new ReadingGauge();
  const allowance = new TimeAllowance(gauge, timeoutS);
  const begunBefore = new Set(dealtWith);
  let current: { ask: ClaimRequest; answer: Exclude<ClaimResponse, string> } | null = null;
  let isStuck = false;
  const claim = async (ask: ClaimRequest): Promise<ClaimResponse> => {
    const answer = begunBefore.has(ask.name) ? "done" : await claims.claim(ask);
    if (typeof answer === "string") return answer;
    dealtWith.add(ask.name);
    // It belongs to the main thread, which hands it on.
    if (ask.name === STANDARD_INPUT && order.paths.includes("-")) process.stdin.pipe(worker.stdin as Writable);
    current = { ask, answer };
    allowance.restart();
    return answer;
  };
  worker.on("message", (message: FromReader) => {
    if ("step" in message) {
      const { step } = message;
      if (step === null || "ended" in step || step.ends) current = null;
      read.add(step);
    } else {
      current = null;
      claim(message.ask).then(
        (answer) => tell({ answer }),
        (error: unknown) => read.fail(error),
      );
    }
  });
  worker.on("error", (error) => read.fail(error));
  const watch = setInterval(() => {
    const isUsedUp = allowance.isUsedUp(current?.ask.fingerprint === null);
    if (!isUsedUp || current === null) return;
    isStuck = true;
    clearInterval(watch);
    void worker.terminate();
    read.add(refusedForTime(current.ask, current.answer));
    read.add(null);
  }, TICK_MS);
  const next = async () => {
    const step = await read.next();
    // For each that is taken another is read, while those that were taken are kept.
    tell({ lost: [...claims.lost] });
    return step;
  };
  try {
    tell({ order, draws: sharing.prerender, gauge: gauge.shared });
    for (let ahead = 0; ahead < sharing.batchesAhead; ahead++) tell({ lost: [...claims.lost] });
    for (;;) {
      let step = await next();
      if (step === null) return isStuck;
      for (let count = 1; count < sharing.batchesAhead; count++) {
        const waiting = read.waiting;
        if (waiting == null || !canMerge(step, waiting)) break;
        step = mergeBatches(step as ReadBatch, (await next()) as ReadBatch);
      }
      yield step;
    }
  } finally {
    clearInterval(watch);
    // What still comes over it would keep the process alive.
    if (order.paths.includes("-") && dealtWith.has(STANDARD_INPUT)) process.stdin.destroy();
    await worker.terminate();
  }
}

function answerFromThread(): void {
  void loadReading();
  const tell = (message: FromReader) => parentPort?.postMessage(message);
  const lost = new Set<number>();
  let gauge = new ReadingGauge();
  // It reads one file after the other, so there is one question at a time.
  let asked = Promise.withResolvers<ClaimResponse>();
  const claim = async (ask: ClaimRequest) => {
    asked = Promise.withResolvers();
    gauge.isBusy = false;
    tell({ ask });
    const answer = await asked.promise;
    gauge.isBusy = true;
    return answer;
  };
  let steps: AsyncGenerator<ReadStep>;
  // One after the other: a failure ends the thread, and must not be overtaken by the word that nothing more comes.
  let last = Promise.resolve();
  const step = async () => {
    gauge.isBusy = true;
    const { value, done } = await steps.next();
    gauge.isBusy = false;
    tell({ step: done === true ? null : value });
  };
  parentPort?.on("message", (message: ToReader) => {
    if ("order" in message) {
      gauge = new ReadingGauge(message.gauge);
      const onBytes = (count: number) => gauge.addBytes(count);
      steps = readHere({ ...message.order, claims: { claim, lost }, onBytes }, message.draws);
    } else if ("answer" in message) asked.resolve(message.answer);
    else {
      for (const number of message.lost) lost.add(number);
      last = last.then(step);
    }
  });
}

const work = workerData as { role?: string } | null;
if (!isMainThread && work?.role === ROLE) answerFromThread();
