/**
 * The threads that execute searches on SQLite: its queries block the thread that calls them, and the main thread has
 * look-ups to answer. Each thread executes one search at a time; http/fair-queue.ts decides which.
 */
import { type ApiError, unavailable } from "#errors";
import type { Config } from "#config";
import { TemplateBody } from "#http/encode-response.ts";
import type { ExecutedResponse, OperationCall, OperationThreads, RunResult } from "#http/execute-operation.ts";
import { spawnThread } from "./rpc/thread-channel.ts";
import { NO_METHODS, WorkerEnded } from "./rpc/rpc-channel.ts";
import { type End, StuckCount, Supervisor } from "./rpc/supervisor.ts";
import { SEARCH_THREAD_METHODS } from "./search-thread-methods.ts";

/** The work of one search is bounded: a thread that takes longer is stuck, and is replaced. */
const MAX_SEARCH_S = 10;
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };

type SearchThread = Supervisor<typeof SEARCH_THREAD_METHODS, typeof NO_METHODS>;

export class SearchThreads implements OperationThreads {
  readonly #threads: readonly SearchThread[];

  constructor({ dataDir, defaults, searches }: Config, cursorKey: Buffer, onError: (error: unknown) => void) {
    const stuck = new StuckCount();
    this.#threads = Array.from(
      { length: searches.threads },
      () =>
        new Supervisor({
          name: "search thread",
          spawn: () =>
            spawnThread(new URL("./search-thread-main.ts", import.meta.url), { resourceLimits: RESOURCE_LIMITS }),
          start: (channel) => channel.call("start", { dataDir, defaults, cursorKey }),
          remote: SEARCH_THREAD_METHODS,
          local: NO_METHODS,
          handlers: {},
          maxSilentS: MAX_SEARCH_S,
          stuck,
          isKept: true,
          onEnd: (end) => onError(reasonOf(end)),
        }),
    );
  }

  /** Threads that have opened the store. */
  get ready(): number {
    return this.#threads.filter(({ isReady }) => isReady).length;
  }

  start(): void {
    // A thread that fails to start is started again.
    for (const thread of this.#threads) thread.start().catch(() => undefined);
  }

  execute(call: OperationCall): Promise<ExecutedResponse> | null {
    return this.#onIdleThread(async (thread) => {
      const { body, ...response } = await thread.call("execute", call);
      return {
        ...response,
        body: body instanceof Uint8Array ? Buffer.from(body) : new TemplateBody(body.chunks, body.fields),
      };
    });
  }

  run(call: OperationCall): Promise<RunResult> | null {
    return this.#onIdleThread((thread) => thread.call("run", call));
  }

  /** Searches in progress are rejected. */
  async close(): Promise<void> {
    // A stuck thread does not end soon: see exit-process.ts.
    await Promise.all(this.#threads.map((thread) => thread.kill()));
  }

  #onIdleThread<Result>(search: (thread: SearchThread) => Promise<Result>): Promise<Result> | null {
    const thread = this.#threads.find(({ isReady, isIdle }) => isReady && isIdle);
    if (thread !== undefined) {
      return search(thread).catch((error: unknown) => {
        throw error instanceof WorkerEnded ? interrupted() : error;
      });
    }
    // The query in which a thread is stuck would stop the thread of the requests too.
    return this.#threads.some(({ isStuck }) => isStuck) ? Promise.reject(interrupted()) : null;
  }
}

function interrupted(): ApiError {
  return unavailable("the search was interrupted; retry in 1 s", null);
}

function reasonOf({ error, code }: End): unknown {
  if (error instanceof WorkerEnded) {
    return new Error(`a search took longer than ${MAX_SEARCH_S} s; its thread is replaced`, { cause: error });
  }
  return error ?? new Error(`a search thread exited with code ${code}`);
}
