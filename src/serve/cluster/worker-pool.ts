/** Worker processes as the primary sees them: started, replaced when they exit or hang, stopped together. */
import { fileURLToPath } from "node:url";
import { spawnProcess } from "../rpc/process-channel.ts";
import type { Spawned } from "../rpc/thread-channel.ts";
import type { Handlers } from "../rpc/rpc-channel.ts";
import { type End, Supervisor } from "../rpc/supervisor.ts";
import { PRIMARY_METHODS, WORKER_METHODS, type WorkerChannel, type WorkerInit } from "./ipc-protocol.ts";

const WORKER_PROGRAM = fileURLToPath(new URL("./worker-main.ts", import.meta.url));
const MAX_SILENT_S = 5;

export interface PrimaryHandlers {
  methods: Handlers<typeof PRIMARY_METHODS>;
  /** What a worker needs to start now. */
  workerInit(): WorkerInit;
  /** A worker exited by itself, could not start or hung; it will be replaced. */
  onWorkerExit(end: End): void;
  onProtocolError: (error: Error) => void;
}

export interface WorkerHandle {
  /** Its process id. */
  id: number;
  channel: WorkerChannel;
}

export class WorkerPool {
  readonly #size: number;
  /** Loads its code while the primary opens the store. */
  #forked: Spawned | null = spawnProcess(WORKER_PROGRAM);
  #workers: Supervisor<typeof WORKER_METHODS, typeof PRIMARY_METHODS>[] = [];

  constructor(size: number) {
    this.#size = size;
    void this.#forked?.exited.then(() => (this.#forked = null));
  }

  /** Workers that are starting or running. */
  get started(): WorkerHandle[] {
    return this.#workers.flatMap(({ id, channel }) => (id === null || channel === null ? [] : [{ id, channel }]));
  }

  /** Resolves with the URL once the first worker listens; the others follow. May be called again if that one fails. */
  async start(handlers: PrimaryHandlers): Promise<string> {
    let url = "";
    const supervise = () => {
      const worker = new Supervisor({
        name: "worker",
        spawn: () => this.#takeForked() ?? spawnProcess(WORKER_PROGRAM),
        start: async (channel) => (url = await channel.call("start", handlers.workerInit())),
        remote: WORKER_METHODS,
        local: PRIMARY_METHODS,
        handlers: handlers.methods,
        maxSilentS: MAX_SILENT_S,
        isKept: true,
        onEnd: (end) => handlers.onWorkerExit(end),
        onProtocolError: handlers.onProtocolError,
      });
      this.#workers.push(worker);
      return worker.start();
    };
    try {
      await supervise();
    } catch (error) {
      await this.#workers.pop()?.kill();
      throw error;
    }
    // Not before: they would compete with the first one for the processor. One that fails is started again.
    for (let count = 1; count < this.#size; count++) supervise().catch(() => undefined);
    return url;
  }

  /** Resolves when all workers have exited, which they do after the requests in progress; one that hangs is killed. */
  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }

  /** After a failed start. */
  kill(): void {
    this.#takeForked()?.kill();
    for (const worker of this.#workers) void worker.kill();
  }

  #takeForked(): Spawned | null {
    const forked = this.#forked;
    this.#forked = null;
    return forked;
  }
}
