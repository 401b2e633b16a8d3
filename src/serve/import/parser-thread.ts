/** Starts and controls the thread that parses files: parsing and writing take a core each. */
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
import { type SpawnedThread, spawnThread } from "../rpc/thread-channel.ts";
import { WorkerEnded } from "../rpc/rpc-channel.ts";
import { Supervisor } from "../rpc/supervisor.ts";
import { resourceLimitsFor } from "../thread-limits.ts";
import { PARSER_METHODS, PARSER_OWNER_METHODS } from "./parser-methods.ts";

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

/** Parser thread; reads for one session at a time. */
class Parser {
  /** The worker, whose standard input is that of the session. */
  worker: SpawnedThread["worker"] | null = null;
  onClaim: (request: ClaimRequest) => Promise<ClaimResponse> = () => Promise.reject(new Error("nothing is read"));
  readonly thread: Supervisor<typeof PARSER_METHODS, typeof PARSER_OWNER_METHODS>;

  constructor(config: ParserConfig) {
    this.thread = new Supervisor({
      name: "parser thread",
      spawn: () => {
        const options = { resourceLimits: resourceLimitsFor(config), stdin: true };
        const spawned = spawnThread(new URL("./parser-main.ts", import.meta.url), options);
        this.worker = spawned.worker;
        return spawned;
      },
      remote: PARSER_METHODS,
      local: PARSER_OWNER_METHODS,
      handlers: { claim: (request) => this.onClaim(request) },
    });
    // A failure is that of its first call.
    this.thread.start().catch(() => undefined);
  }
}

/** Where one thread that has read its files waits for the next import: to start a thread takes longer than a small file. */
export class IdleParser {
  #parser: Parser | null = null;
  #timer: NodeJS.Timeout | undefined;

  take(): Parser | null {
    clearTimeout(this.#timer);
    const parser = this.#parser;
    this.#parser = null;
    return parser;
  }

  async put(parser: Parser): Promise<void> {
    if (this.#parser !== null) {
      await parser.thread.kill();
      return;
    }
    this.#parser = parser;
    // Not between the batches of an import: their writer may wait for longer.
    this.#timer = setTimeout(() => void this.close(), IDLE_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    await this.take()?.thread.kill();
  }
}

/** Takes the idle thread or starts one, which loads its modules while the caller opens the store. */
export function startParserThread(config: ParserConfig, idle: IdleParser | null = null): ParserThread {
  let unused: Parser | null = idle?.take() ?? new Parser(config);
  return {
    async *read(request) {
      const startedFiles = new Set<string>();
      for (let isDone = false; !isDone;) {
        const parser = unused ?? new Parser(config);
        unused = null;
        isDone = yield* new ParserSession(parser, request, config, startedFiles, idle).run();
      }
    },
    terminate: async () => unused?.thread.kill(),
  };
}

/** Reads with one thread, to the end or until a file is too much for it. Another session then continues after that file. */
class ParserSession {
  readonly #parser: Parser;
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
  #lastRequested: Promise<unknown> = Promise.resolve();

  constructor(
    parser: Parser,
    request: ReadRequest,
    config: ParserConfig,
    startedFiles: Set<string>,
    idle: IdleParser | null,
  ) {
    this.#parser = parser;
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
    this.#parser.onClaim = (file) =>
      this.#claim(file).catch((error: unknown) => {
        // The error itself: the parser's copy has neither its class nor its causes.
        this.#steps.fail(error);
        throw error;
      });
    const timer = setInterval(() => this.#checkTimeout(), TICK_MS);
    let isDone = false;
    try {
      const reading = { request, prerender, activity: this.#activity.shared };
      this.#parser.thread.call("read", reading).catch((error: unknown) => this.#fail(error));
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
      await this.#parser.thread.kill();
      return;
    }
    // Steps requested ahead are still to come; the next import must not take them for its own.
    await this.#lastRequested;
    await this.#idle.put(this.#parser);
  }

  #requestStep(): void {
    this.#lastRequested = this.#parser.thread.call("next", [...this.#request.claims.lostClaims]).then(
      (step) => {
        if (step === null || step.kind === "fileDone" || step.isLast) this.#current = null;
        this.#steps.push(step);
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #fail(error: unknown): void {
    const isOutOfMemory = error instanceof WorkerEnded && errorCode(error.cause) === "ERR_WORKER_OUT_OF_MEMORY";
    if (!isOutOfMemory || !this.#giveUp("too_much_memory")) this.#steps.fail(error);
  }

  /** Takes a step and requests the next, which is parsed while this one is written. */
  async #takeStep(): Promise<ReadStep | null> {
    const step = await this.#steps.next();
    if (step !== null) this.#requestStep();
    return step;
  }

  async #claim(request: ClaimRequest): Promise<ClaimResponse> {
    this.#current = null;
    if (this.#finishedFiles.has(request.name)) return "done";
    const response = await this.#request.claims.claim(request);
    if (typeof response === "string") return response;
    this.#startedFiles.add(request.name);
    // Standard input belongs to the main thread.
    const input = this.#parser.worker?.stdin ?? null;
    if (request.name === STANDARD_INPUT && this.#readsStdin() && input !== null) process.stdin.pipe(input);
    this.#current = { request, claim: response };
    this.#timeout.restart();
    return response;
  }

  #readsStdin(): boolean {
    return this.#request.paths.includes("-");
  }

  #checkTimeout(): void {
    const isPipe = this.#current?.request.fingerprint === null;
    if (this.#timeout.hasExpired(isPipe) && this.#giveUp("too_slow")) void this.#parser.thread.kill();
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
