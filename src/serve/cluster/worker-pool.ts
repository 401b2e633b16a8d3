/** The workers as the first process sees them: forked, opened, replaced when they die, stopped together. */
import cluster, { type Worker } from "node:cluster";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { PrimaryMethods, WorkerMethods, WorkerInit } from "./ipc-protocol.ts";
import { type Handlers, RpcChannel } from "./ipc-rpc.ts";
import { OrphanedConnections } from "./orphaned-connections.ts";

/** Whoever dies younger than this would die again at once. */
const YOUNG_MS = 5_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;

export interface PrimaryHandlers {
  answers: Handlers<PrimaryMethods>;
  /** As things stand when a worker is opened. */
  opening(): WorkerInit;
  /** It ended by itself, or could not be opened; another one follows. */
  lost(id: number, loss: WorkerExit): void;
}

export interface WorkerExit {
  pid: number | undefined;
  code: number | null;
  signal: string | null;
  /** Why it was given up, if it was. */
  error: unknown;
  nextInMs: number;
}

export interface WorkerHandle {
  id: number;
  link: RpcChannel<WorkerMethods>;
}

export class WorkerPool {
  readonly #workers = new Set<Worker>();
  readonly #members = new Map<Worker, WorkerHandle>();
  readonly #failures = new Map<Worker, unknown>();
  readonly #waiting = new Set<NodeJS.Timeout>();
  readonly #untaken = new OrphanedConnections();
  readonly #size: number;
  #duty: PrimaryHandlers | null = null;
  #diedYoung = 0;
  #ending = false;

  /** Forks one, which loads what it needs while the first process opens the store. */
  constructor(size: number) {
    this.#size = size;
    // Connections in turn, whatever the environment says: the kernel's choice would leave some workers idle.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ exec: fileURLToPath(new URL("./worker-main.ts", import.meta.url)), args: [] });
    this.#fork();
  }

  /** Those that were told to open. */
  get members(): WorkerHandle[] {
    return [...this.#members.values()];
  }

  /** Resolves with the address when one of them listens; the others follow. Fails if that one does, and may be repeated. */
  async open(duty: PrimaryHandlers): Promise<string> {
    this.#duty = duty;
    const [first] = this.#workers;
    if (first === undefined) throw new Error("no worker could be started");
    const address = await this.#open(first, duty);
    // Only now: more of them at a time would keep the first from being ready.
    for (let count = 1; count < this.#size; count++) void this.#openOrGiveUp(this.#fork(), duty);
    return address;
  }

  /** Resolves when all of them have ended, which is when they have answered what is under way. */
  async stop(): Promise<void> {
    this.#end();
    const ended = [...this.#workers].map((worker) => {
      const member = this.#members.get(worker);
      // One that was never opened has nothing to end.
      if (member === undefined) worker.process.kill("SIGKILL");
      else member.link.notify("stop", null);
      // Not `once` of node:events, which rejects when a message cannot be sent to a worker that is exiting.
      return new Promise((resolve) => worker.once("exit", resolve));
    });
    await Promise.all(ended);
  }

  /** For a start that fails. */
  kill(): void {
    this.#end();
    for (const worker of this.#workers) worker.process.kill("SIGKILL");
  }

  #end(): void {
    this.#ending = true;
    this.#untaken.end();
    for (const timer of this.#waiting) clearTimeout(timer);
  }

  #fork(): Worker {
    const cache = getCompileCacheDir();
    const worker = cluster.fork(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) });
    const begun = performance.now();
    this.#workers.add(worker);
    this.#untaken.watch(worker);
    // What cannot be sent to one that is dying: its exit follows and says why.
    worker.on("error", () => undefined);
    worker.once("exit", (code: number | null, signal: string | null) => {
      this.#workers.delete(worker);
      if (!this.#ending) this.#replace(worker, { code, signal, young: performance.now() - begun < YOUNG_MS });
      this.#members.delete(worker);
      this.#failures.delete(worker);
    });
    return worker;
  }

  #open(worker: Worker, duty: PrimaryHandlers): Promise<string> {
    let member = this.#members.get(worker);
    if (member === undefined) {
      member = { id: worker.id, link: new RpcChannel<WorkerMethods>(worker.process, duty.answers) };
      this.#members.set(worker, member);
    }
    return member.link.call("open", duty.opening());
  }

  async #openOrGiveUp(worker: Worker, duty: PrimaryHandlers): Promise<void> {
    try {
      await this.#open(worker, duty);
    } catch (error) {
      this.#failures.set(worker, error);
      worker.process.kill("SIGKILL");
    }
  }

  #replace(
    worker: Worker,
    { code, signal, young }: { code: number | null; signal: string | null; young: boolean },
  ): void {
    this.#diedYoung = young ? this.#diedYoung + 1 : 0;
    const nextInMs =
      this.#diedYoung === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (this.#diedYoung - 1), LONGEST_DELAY_MS);
    const error = this.#failures.get(worker);
    this.#duty?.lost(worker.id, { pid: worker.process.pid, code, signal, error, nextInMs });
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      const next = this.#fork();
      // Before the first of them is opened, it waits with the others.
      if (this.#duty !== null) void this.#openOrGiveUp(next, this.#duty);
    }, nextInMs);
    this.#waiting.add(timer);
  }
}
