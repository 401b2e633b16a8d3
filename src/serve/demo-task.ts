/** Adds the demo data while the service runs, in a thread: it generates and writes for seconds. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Config } from "#config";
import { claimDemoData, DEMO_JOB, type DemoClaim } from "#import/demo-data.ts";
import type { Store } from "#store/store.ts";
import type { DemoThreadData } from "./demo-world.ts";
import { resourceLimitsFor } from "./thread-limits.ts";

const RETRY_AFTER_MS = 10_000;

export class DemoTask {
  readonly #config: Config;
  readonly #store: Pick<Store, "jobs" | "isEmpty" | "noteWrite">;
  readonly #onError: (error: unknown) => void;
  #thread: Worker | null = null;
  #isRunning = false;
  #ended = Promise.resolve();
  #retryTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(config: Config, store: Pick<Store, "jobs" | "isEmpty" | "noteWrite">, onError: (error: unknown) => void) {
    this.#config = config;
    this.#store = store;
    this.#onError = onError;
  }

  /** Resolves to the id of the import once it is stored; the data is written after that. */
  async start(): Promise<{ job: string } | "not empty" | "running"> {
    if (this.#isRunning || this.#closed) return "running";
    this.#isRunning = true;
    try {
      const claimed = await claimDemoData(this.#store);
      if (typeof claimed === "string") return claimed;
      clearTimeout(this.#retryTimer);
      this.#ended = this.#run(claimed);
      return { job: claimed.job.id };
    } finally {
      this.#isRunning = this.#thread !== null;
    }
  }

  /** Goes on with what a stop or a crash interrupted. */
  async resume(): Promise<void> {
    if ((await this.#store.jobs.getJob(DEMO_JOB))?.state === "running") await this.start();
  }

  /** What was not written yet is written after the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retryTimer);
    await this.#thread?.terminate();
    await this.#ended;
  }

  async #run(claimed: DemoClaim): Promise<void> {
    const workerData: DemoThreadData = { kind: "add", config: this.#config, claimed };
    const thread = new Worker(new URL("./demo-task-main.ts", import.meta.url), {
      workerData,
      resourceLimits: resourceLimitsFor(this.#config),
    });
    this.#thread = thread;
    try {
      // Rejects with the error that ended it.
      await once(thread, "exit");
      this.#store.noteWrite();
    } catch (error) {
      this.#onError(error);
      if (this.#closed) return;
      this.#retryTimer = setTimeout(() => void this.resume().catch(this.#onError), RETRY_AFTER_MS);
      this.#retryTimer.unref();
    } finally {
      this.#thread = null;
      this.#isRunning = false;
    }
  }
}
