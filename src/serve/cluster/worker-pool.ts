/**
 * Worker processes as the primary sees them: forked, started, replaced when they exit or hang, stopped together. A worker
 * hangs that misses heartbeats while the primary itself is on time.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Backoff, backoffMs } from "#domain/backoff.ts";
import { PRIMARY_METHODS, WORKER_METHODS, type WorkerChannel, type WorkerInit } from "./ipc-protocol.ts";
import { type Handlers, RpcChannel } from "./ipc-rpc.ts";

const WORKER_PROGRAM = fileURLToPath(new URL("./worker-main.ts", import.meta.url));

/** A worker that exits before it listens, or sooner after that, is crash-looping: back off. */
const CRASH_LOOP_MS = 5_000;
const CRASH_LOOP_DELAYS: Backoff = { firstMs: 100, maxMs: 10_000, jitter: 0 };

const HEARTBEAT_MS = 1_000;
/** Heartbeats in a row without a response after which a worker is killed. */
const MAX_MISSED = 5;
/** A worker that loads its code and opens the store is busy for long on a busy machine. */
const MAX_MISSED_AT_START = 120;

export interface PrimaryHandlers {
  methods: Handlers<typeof PRIMARY_METHODS>;
  /** What a worker needs to start now. */
  workerInit(): WorkerInit;
  /** A worker exited by itself, could not start or hung; it will be replaced. */
  onWorkerExit(id: number, exit: WorkerExit): void;
  onProtocolError: (error: Error) => void;
}

export interface WorkerExit {
  code: number | null;
  signal: string | null;
  /** Why it could not start, or was killed; undefined if it exited by itself. */
  error: unknown;
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
  /** Heartbeats since its last response. */
  missed: number;
  isAsked: boolean;
  error?: unknown;
}

export class WorkerPool {
  readonly #workers = new Set<PooledWorker>();
  readonly #backoffTimers = new Set<NodeJS.Timeout>();
  readonly #size: number;
  #handlers: PrimaryHandlers | null = null;
  #crashLoopCount = 0;
  #stopping = false;
  readonly #heartbeat: NodeJS.Timeout;
  #lastBeatAt = performance.now();
  /** However this process exits, a worker that hangs must not keep the port. */
  readonly #killAll = () => {
    for (const { child } of this.#workers) child.kill("SIGKILL");
  };

  /** Forks one worker, which loads its code while the primary opens the store. */
  constructor(size: number) {
    this.#size = size;
    this.#fork();
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
    process.once("exit", this.#killAll);
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

  /** Resolves when all workers have exited, which they do after the requests in progress; one that hangs is killed. */
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
    this.#stopWatching();
  }

  /** After a failed start. */
  kill(): void {
    this.#stopReplacing();
    this.#killAll();
    this.#stopWatching();
  }

  #stopReplacing(): void {
    this.#stopping = true;
    for (const timer of this.#backoffTimers) clearTimeout(timer);
  }

  #stopWatching(): void {
    clearInterval(this.#heartbeat);
    process.off("exit", this.#killAll);
  }

  /** A beat that is late tells nothing: this process was paused, and what workers responded is still unread. */
  #beat(): void {
    const now = performance.now();
    const isOnTime = now - this.#lastBeatAt < 2 * HEARTBEAT_MS;
    this.#lastBeatAt = now;
    for (const worker of this.#workers) {
      if (worker.channel === null) continue;
      if (isOnTime && worker.isAsked) worker.missed++;
      else if (!worker.isAsked) this.#ask(worker, worker.channel);
      if (worker.missed < (worker.listeningSince === null ? MAX_MISSED_AT_START : MAX_MISSED)) continue;
      worker.error = new Error(`no response for ${worker.missed} s; killed`);
      worker.child.kill("SIGKILL");
    }
  }

  #ask(worker: PooledWorker, channel: WorkerChannel): void {
    worker.isAsked = true;
    const settle = () => {
      worker.isAsked = false;
      worker.missed = 0;
    };
    // One that cannot be asked is exiting; if it does not, its next heartbeats are missed.
    channel.call("heartbeat", null).then(settle, () => undefined);
  }

  #fork(): PooledWorker {
    const worker: PooledWorker = {
      child: fork(WORKER_PROGRAM),
      channel: null,
      listeningSince: null,
      missed: 0,
      isAsked: false,
    };
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
    worker.missed = 0;
    return url;
  }

  async #startOrKill(worker: PooledWorker, handlers: PrimaryHandlers): Promise<void> {
    try {
      await this.#start(worker, handlers);
    } catch (error) {
      worker.error = error;
      worker.child.kill("SIGKILL");
    }
  }

  #replace({ child, error }: PooledWorker, code: number | null, signal: string | null): void {
    const delayMs = this.#crashLoopCount === 0 ? 0 : backoffMs(this.#crashLoopCount, CRASH_LOOP_DELAYS);
    this.#handlers?.onWorkerExit(child.pid ?? 0, { code, signal, error, backoffMs: delayMs });
    const timer = setTimeout(() => {
      this.#backoffTimers.delete(timer);
      const replacement = this.#fork();
      // Before the pool is started, it waits as the first worker does.
      if (this.#handlers !== null) void this.#startOrKill(replacement, this.#handlers);
    }, delayMs);
    this.#backoffTimers.add(timer);
  }
}
