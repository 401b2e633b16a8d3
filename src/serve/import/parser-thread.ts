/** Starts and controls the thread that parses files: parsing and writing take a core each. */
import { Worker } from "node:worker_threads";
import { AsyncQueue } from "#import/async-queue.ts";
import type { RefusalCode } from "#api/refusals.ts";
import { STANDARD_INPUT } from "#import/containers/standard-input.ts";
import { errorCode } from "#domain/error-code.ts";
import { canMerge, mergeBatches } from "#import/merge-batches.ts";
import type {
  ClaimRequest,
  ClaimResponse,
  GrantedClaim,
  ReadFiles,
  ReadRequest,
  ReadStep,
} from "#import/read-files.ts";
import { createLastBatch, ParserActivity, ReadTimeout, TICK_MS } from "#import/read-timeout.ts";
import type { Config } from "#config";
import { resourceLimitsFor } from "../thread-limits.ts";
import { checkFromParser, type FromParser, type ToParser } from "./thread-messages.ts";

interface ThreadTuning {
  /** How many batches are parsed ahead of the writer; batches that wait are merged up to this number. */
  batchesAhead: number;
  /** SQLite stores rendered JSON, and the parser thread renders it. */
  prerender: boolean;
}

const SQLITE_TUNING: ThreadTuning = { batchesAhead: 1, prerender: true };

/** Fewer, larger transactions for a server. */
const POSTGRES_TUNING: ThreadTuning = { batchesAhead: 2, prerender: false };

function tuningFor({ store }: Pick<Config, "store">): ThreadTuning {
  return store === null ? SQLITE_TUNING : POSTGRES_TUNING;
}

type ParserConfig = Pick<Config, "store" | "importTimeoutS">;

export interface ParserThread {
  read: ReadFiles;
  /** For an import that fails before it reads. */
  terminate(): Promise<unknown>;
}

const IDLE_MS = 30_000;

/** Where one thread that has read its files waits for the next import: to start a thread takes longer than a small file. */
export class IdleParser {
  #worker: Worker | null = null;
  #timer: NodeJS.Timeout | undefined;

  take(): Worker | null {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = null;
    for (const event of ["message", "error", "exit"]) worker?.removeAllListeners(event);
    worker?.ref();
    return worker;
  }

  async put(worker: Worker): Promise<void> {
    for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
    if (this.#worker !== null) {
      await worker.terminate();
      return;
    }
    const drop = () => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.once("error", drop).once("exit", drop);
    worker.unref();
    this.#worker = worker;
    this.#timer = setTimeout(() => void this.close(), IDLE_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    await this.take()?.terminate();
  }
}

/** Takes the idle thread or starts one, which loads its modules while the caller opens the store. */
export function startParserThread(config: ParserConfig, idle: IdleParser | null = null): ParserThread {
  let unused: Worker | null = idle?.take() ?? startWorker(config);
  return {
    async *read(request) {
      const startedFiles = new Set<string>();
      for (let isDone = false; !isDone;) {
        const worker = unused ?? startWorker(config);
        unused = null;
        isDone = yield* new ParserSession(worker, request, config, startedFiles, idle).run();
      }
    },
    terminate: async () => unused?.terminate(),
  };
}

function startWorker(config: ParserConfig): Worker {
  return new Worker(new URL("./parser-main.ts", import.meta.url), {
    resourceLimits: resourceLimitsFor(config),
    stdin: true,
  });
}

/** Reads with one thread, to the end or until a file is too much for it. Another session then continues after that file. */
class ParserSession {
  readonly #worker: Worker;
  readonly #request: ReadRequest;
  readonly #tuning: ThreadTuning;
  /** Files that this session or an earlier one started: they are not read again. */
  readonly #startedFiles: Set<string>;
  readonly #finishedFiles: ReadonlySet<string>;
  readonly #idle: IdleParser | null;
  readonly #steps = new AsyncQueue<ReadStep | null>();
  readonly #activity = new ParserActivity();
  readonly #timeout: ReadTimeout;
  #current: { request: ClaimRequest; claim: GrantedClaim } | null = null;
  #hasGivenUp = false;
  #requestedSteps = 0;

  constructor(
    worker: Worker,
    request: ReadRequest,
    config: ParserConfig,
    startedFiles: Set<string>,
    idle: IdleParser | null,
  ) {
    this.#worker = worker;
    this.#request = request;
    this.#tuning = tuningFor(config);
    this.#startedFiles = startedFiles;
    this.#finishedFiles = new Set(startedFiles);
    this.#idle = idle;
    this.#timeout = new ReadTimeout(this.#activity, config.importTimeoutS);
  }

  /** Returns false if a file timed out, or took all memory of the thread. */
  async *run(): AsyncGenerator<ReadStep, boolean> {
    const { claims: _claims, onBytes: _onBytes, ...request } = this.#request;
    const { batchesAhead, prerender } = this.#tuning;
    this.#worker.on("message", (data: unknown) => {
      try {
        this.#onMessage(checkFromParser(data));
      } catch (error) {
        this.#steps.fail(error);
      }
    });
    this.#worker.on("error", (error) => {
      const isOutOfMemory = errorCode(error) === "ERR_WORKER_OUT_OF_MEMORY";
      if (!isOutOfMemory || !this.#giveUp("too_much_memory")) this.#steps.fail(error);
    });
    this.#worker.on("exit", (code) => this.#steps.fail(new Error(`the parser thread exited with code ${code}`)));
    const timer = setInterval(() => this.#checkTimeout(), TICK_MS);
    let isDone = false;
    try {
      this.#send({ kind: "read", request, prerender, activity: this.#activity.shared });
      for (let ahead = 0; ahead < batchesAhead; ahead++) this.#requestStep();
      for (;;) {
        let step = await this.#takeStep();
        if (step === null) {
          isDone = !this.#hasGivenUp;
          return isDone;
        }
        for (let count = 1; count < batchesAhead && step.kind === "batch"; count++) {
          const { head } = this.#steps;
          if (head == null || !canMerge(step, head)) break;
          await this.#takeStep();
          step = mergeBatches(step, head);
        }
        yield step;
      }
    } finally {
      clearInterval(timer);
      // Input that still arrives would keep the process alive.
      if (this.#readsStdin() && this.#startedFiles.has(STANDARD_INPUT)) process.stdin.destroy();
      await this.#leaveThread(isDone);
    }
  }

  async #leaveThread(isDone: boolean): Promise<void> {
    if (!isDone || this.#idle === null || this.#readsStdin()) {
      await this.#worker.terminate();
      return;
    }
    // What was requested ahead is still to come; the next import must not take it for its own.
    while (this.#requestedSteps > 0) await this.#steps.next();
    await this.#idle.put(this.#worker);
  }

  #send(message: ToParser): void {
    this.#worker.postMessage(message);
  }

  #requestStep(): void {
    this.#requestedSteps++;
    this.#send({ kind: "next", lostClaims: [...this.#request.claims.lostClaims] });
  }

  /** Takes a step and requests the next, which is parsed while this one is written. */
  async #takeStep(): Promise<ReadStep | null> {
    const step = await this.#steps.next();
    if (step !== null) this.#requestStep();
    return step;
  }

  #onMessage(message: FromParser): void {
    if (message.kind === "step") {
      const { step } = message;
      this.#requestedSteps--;
      if (step === null || step.kind === "fileDone" || step.isLast) this.#current = null;
      this.#steps.push(step);
    } else {
      this.#current = null;
      this.#claim(message.request).then(
        (response) => this.#send({ kind: "claimResponse", response }),
        (error: unknown) => this.#steps.fail(error),
      );
    }
  }

  async #claim(request: ClaimRequest): Promise<ClaimResponse> {
    if (this.#finishedFiles.has(request.name)) return "done";
    const response = await this.#request.claims.claim(request);
    if (typeof response === "string") return response;
    this.#startedFiles.add(request.name);
    // Standard input belongs to the main thread.
    if (request.name === STANDARD_INPUT && this.#readsStdin() && this.#worker.stdin !== null) {
      process.stdin.pipe(this.#worker.stdin);
    }
    this.#current = { request, claim: response };
    this.#timeout.restart();
    return response;
  }

  #readsStdin(): boolean {
    return this.#request.paths.includes("-");
  }

  #checkTimeout(): void {
    const isPipe = this.#current?.request.fingerprint === null;
    if (this.#timeout.hasExpired(isPipe) && this.#giveUp("too_slow")) void this.#worker.terminate();
  }

  /** Refuses the rest of the current file. Returns false if there is none, or if that is done already. */
  #giveUp(reason: RefusalCode): boolean {
    if (this.#current === null || this.#hasGivenUp) return false;
    this.#hasGivenUp = true;
    this.#steps.push(createLastBatch(this.#current.request, this.#current.claim, reason));
    this.#steps.push(null);
    return true;
  }
}
