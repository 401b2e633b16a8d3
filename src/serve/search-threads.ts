/**
 * The threads that execute searches on SQLite: its queries block the thread that calls them, and the main thread has
 * look-ups to answer. Each thread executes one search at a time; http/fair-queue.ts decides which.
 */
import { Worker } from "node:worker_threads";
import { ApiError, unavailable } from "#errors";
import type { Config } from "#config";
import { TemplateBody } from "#http/encode-response.ts";
import type { ExecutedResponse, OperationCall, OperationThreads, RunResult } from "#http/execute-operation.ts";
import {
  checkFromSearchThread,
  type FromSearchThread,
  type SearchFailure,
  type SearchThreadData,
  type ToSearchThread,
} from "./search-thread-messages.ts";
import { toError } from "./thread-failure.ts";

/** The work of one search is bounded: a thread that takes longer is stuck, and is replaced. */
const TIMEOUT_MS = 10_000;
/** A thread that is stuck inside a query takes a core until the query ends, so no more than these are replaced. */
const MAX_STUCK = 4;
const RESTART_MS = 1_000;
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };

type Reply = Extract<FromSearchThread, { kind: "response" | "result" }>;

interface Thread {
  worker: Worker;
  isReady: boolean;
  current: { resolve: (reply: Reply) => void; reject: (error: unknown) => void } | null;
}

export class SearchThreads implements OperationThreads {
  readonly #count: number;
  readonly #data: SearchThreadData;
  readonly #onError: (error: unknown) => void;
  readonly #threads = new Set<Thread>();
  readonly #stuck = new Set<Thread>();
  #restart: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(config: Config, cursorKey: Buffer, onError: (error: unknown) => void) {
    this.#count = config.searches.threads;
    this.#data = { kind: "open", dataDir: config.dataDir, defaults: config.defaults, cursorKey };
    this.#onError = onError;
  }

  /** Threads that have opened the store. */
  get ready(): number {
    return [...this.#threads].filter(({ isReady }) => isReady).length;
  }

  start(): void {
    while (!this.#isClosed && this.#threads.size < this.#count && this.#stuck.size < MAX_STUCK) this.#startThread();
  }

  execute(call: OperationCall): Promise<ExecutedResponse> | null {
    return this.#call({ kind: "execute", call })?.then(toExecutedResponse) ?? null;
  }

  run(call: OperationCall): Promise<RunResult> | null {
    return this.#call({ kind: "run", call })?.then(toResult) ?? null;
  }

  /** Searches in progress are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    // A stuck thread does not end soon: see exit-process.ts.
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #call(message: ToSearchThread): Promise<Reply> | null {
    const thread = [...this.#threads].find(({ isReady, current }) => isReady && current === null);
    if (thread === undefined) {
      // The query in which a thread is stuck would stop the thread of the requests too.
      return this.#stuck.size === 0 ? null : Promise.reject(interrupted());
    }
    const timer = setTimeout(() => this.#abandon(thread), TIMEOUT_MS);
    const reply = new Promise<Reply>((resolve, reject) => (thread.current = { resolve, reject }));
    thread.worker.postMessage(message);
    return reply.finally(() => clearTimeout(timer));
  }

  #abandon(thread: Thread): void {
    this.#threads.delete(thread);
    this.#stuck.add(thread);
    thread.worker.unref();
    void thread.worker.terminate();
    thread.current?.reject(interrupted());
    this.#onError(new Error(`a search took longer than ${TIMEOUT_MS / 1_000} s; its thread is replaced`));
    this.start();
  }

  #startThread(): void {
    const worker = new Worker(new URL("./search-thread-main.ts", import.meta.url), {
      workerData: this.#data,
      resourceLimits: RESOURCE_LIMITS,
    });
    const thread: Thread = { worker, isReady: false, current: null };
    this.#threads.add(thread);
    worker.on("message", (data: unknown) => {
      try {
        onMessage(thread, checkFromSearchThread(data));
      } catch (error) {
        this.#onError(error);
        void worker.terminate();
      }
    });
    worker.on("error", (error) => this.#onError(error));
    worker.once("exit", () => {
      this.#threads.delete(thread);
      this.#stuck.delete(thread);
      thread.current?.reject(interrupted());
      if (!this.#isClosed) this.#restart = setTimeout(() => this.start(), RESTART_MS).unref();
    });
  }
}

function interrupted(): ApiError {
  return unavailable("the search was interrupted; retry in 1 s", null);
}

function onMessage(thread: Thread, message: FromSearchThread): void {
  if (message.kind === "ready") {
    thread.isReady = true;
    return;
  }
  const { current } = thread;
  // Before it settles, which lets the next search start.
  thread.current = null;
  if (message.kind === "failed") current?.reject(toSearchError(message.failure));
  else current?.resolve(message);
}

function toExecutedResponse(reply: Reply): ExecutedResponse {
  if (reply.kind !== "response") throw new Error(`a search thread replied with ${reply.kind}`);
  const { body, ...response } = reply.response;
  return {
    ...response,
    body: body instanceof Uint8Array ? Buffer.from(body) : new TemplateBody(body.chunks, body.fields),
  };
}

function toResult(reply: Reply): RunResult {
  if (reply.kind !== "result") throw new Error(`a search thread replied with ${reply.kind}`);
  return reply.result;
}

function toSearchError({ api, ...failure }: SearchFailure): Error {
  if (api === null) return toError(failure);
  return new ApiError(api.code, failure.message, { errors: api.errors, headers: api.headers });
}
