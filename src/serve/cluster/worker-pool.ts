/** Worker processes as the primary sees them: forked, started, replaced when they exit, stopped together. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { PRIMARY_METHODS, WORKER_METHODS, type WorkerChannel, type WorkerInit } from "./ipc-protocol.ts";
import { type Handlers, RpcChannel } from "./ipc-rpc.ts";

const WORKER_PROGRAM = fileURLToPath(new URL("./worker-main.ts", import.meta.url));

/** A worker that exits before it listens, or sooner after that, is crash-looping: back off. */
const CRASH_LOOP_MS = 5_000;
const MIN_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 10_000;

export interface PrimaryHandlers {
  methods: Handlers<typeof PRIMARY_METHODS>;
  /** What a worker needs to start now. */
  workerInit(): WorkerInit;
  /** A worker exited by itself, or could not start; it will be replaced. */
  onWorkerExit(id: number, exit: WorkerExit): void;
  onProtocolError: (error: Error) => void;
}

export interface WorkerExit {
  code: number | null;
  signal: string | null;
  /** Why it could not start; undefined if it did. */
  startError: unknown;
  /** Delay before its replacement is forked. */
  backoffMs: number;
}

export interface WorkerHandle {
  /** Its process id. */
  id: number;
  channel: WorkerChannel;
}

interface PooledWorker {
  child: ChildProcess;
  /** Null until it is started. */
  channel: WorkerChannel | null;
  /** Null until it listens. However long a start takes on a busy machine, one that fails is no sign of health. */
  listeningSince: number | null;
  startError?: unknown;
}

export class WorkerPool {
  readonly #workers = new Set<PooledWorker>();
  readonly #backoffTimers = new Set<NodeJS.Timeout>();
  readonly #size: number;
  #handlers: PrimaryHandlers | null = null;
  #crashLoopCount = 0;
  #stopping = false;

  /** Forks one worker, which loads its code while the primary opens the store. */
  constructor(size: number) {
    this.#size = size;
    this.#fork();
  }

  /** Workers that are starting or running. */
  get started(): WorkerHandle[] {
    return [...this.#workers].flatMap(({ child, channel }) =>
      channel === null || child.pid === undefined ? [] : [{ id: child.pid, channel }],
    );
  }

  /** Resolves with the URL once the first worker listens; the others follow. May be called again if that one fails. */
  async start(handlers: PrimaryHandlers): Promise<string> {
    this.#handlers = handlers;
    const [first] = this.#workers;
    if (first === undefined) throw new Error("no worker process could be forked");
    const url = await this.#start(first, handlers);
    // Not before: they would compete with the first one for the processor.
    for (let count = 1; count < this.#size; count++) void this.#startOrKill(this.#fork(), handlers);
    return url;
  }

  /** Resolves when all workers have exited, which they do after the requests in progress. */
  async stop(): Promise<void> {
    this.#stopReplacing();
    const exits = [...this.#workers].map(({ child, channel }) => {
      // One that was never started has nothing to finish.
      if (channel === null) child.kill("SIGKILL");
      else channel.notify("stop", null);
      // Not `once` of node:events, which rejects when a message cannot be sent to a worker that is exiting.
      return new Promise((resolve) => child.once("exit", resolve));
    });
    await Promise.all(exits);
  }

  /** After a failed start. */
  kill(): void {
    this.#stopReplacing();
    for (const { child } of this.#workers) child.kill("SIGKILL");
  }

  #stopReplacing(): void {
    this.#stopping = true;
    for (const timer of this.#backoffTimers) clearTimeout(timer);
  }

  #fork(): PooledWorker {
    const worker: PooledWorker = { child: fork(WORKER_PROGRAM), channel: null, listeningSince: null };
    this.#workers.add(worker);
    // A message could not be sent because the worker is exiting; its exit follows and says why.
    worker.child.on("error", () => undefined);
    worker.child.once("exit", (code, signal) => {
      this.#workers.delete(worker);
      if (this.#stopping) return;
      const listenedMs = worker.listeningSince === null ? 0 : performance.now() - worker.listeningSince;
      this.#crashLoopCount = listenedMs < CRASH_LOOP_MS ? this.#crashLoopCount + 1 : 0;
      this.#replace(worker, code, signal);
    });
    return worker;
  }

  async #start(worker: PooledWorker, handlers: PrimaryHandlers): Promise<string> {
    worker.channel ??= new RpcChannel(worker.child, {
      remote: WORKER_METHODS,
      local: PRIMARY_METHODS,
      handlers: handlers.methods,
      onError: handlers.onProtocolError,
    });
    const url = await worker.channel.call("start", handlers.workerInit());
    worker.listeningSince = performance.now();
    return url;
  }

  async #startOrKill(worker: PooledWorker, handlers: PrimaryHandlers): Promise<void> {
    try {
      await this.#start(worker, handlers);
    } catch (error) {
      worker.startError = error;
      worker.child.kill("SIGKILL");
    }
  }

  #replace({ child, startError }: PooledWorker, code: number | null, signal: string | null): void {
    const backoffMs =
      this.#crashLoopCount === 0 ? 0 : Math.min(MIN_BACKOFF_MS * 2 ** (this.#crashLoopCount - 1), MAX_BACKOFF_MS);
    this.#handlers?.onWorkerExit(child.pid ?? 0, { code, signal, startError, backoffMs });
    const timer = setTimeout(() => {
      this.#backoffTimers.delete(timer);
      const replacement = this.#fork();
      // Before the pool is started, it waits as the first worker does.
      if (this.#handlers !== null) void this.#startOrKill(replacement, this.#handlers);
    }, backoffMs);
    this.#backoffTimers.add(timer);
  }
}
