/** Adds the demo data while the service runs, in a thread: it generates and writes for seconds. */
import type { Config } from "#config";
import { claimDemoData, DEMO_JOB, type DemoClaim } from "#import/demo-data.ts";
import type { Store } from "#store/store.ts";
import { runTask } from "./tasks/run-task.ts";

const RETRY_AFTER_MS = 10_000;

export class DemoTask {
  readonly #config: Config;
  readonly #store: Pick<Store, "jobs" | "isEmpty" | "noteWrite">;
  readonly #onError: (error: unknown) => void;
  readonly #stopping = new AbortController();
  #isRunning = false;
  #ended = Promise.resolve();
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(config: Config, store: Pick<Store, "jobs" | "isEmpty" | "noteWrite">, onError: (error: unknown) => void) {
    this.#config = config;
    this.#store = store;
    this.#onError = onError;
  }

  /** Resolves to the id of the import once it is stored; the data is written after that. */
  async start(): Promise<{ job: string } | "not empty" | "running"> {
    if (this.#isRunning || this.#stopping.signal.aborted) return "running";
    this.#isRunning = true;
    let claimed: DemoClaim | "not empty" | "running" | null = null;
    try {
      claimed = await claimDemoData(this.#store);
      if (typeof claimed === "string") return claimed;
    } finally {
      this.#isRunning = claimed !== null && typeof claimed !== "string";
    }
    clearTimeout(this.#retryTimer);
    this.#ended = this.#run(claimed);
    return { job: claimed.job.id };
  }

  /** Goes on with what a stop or a crash interrupted. */
  async resume(): Promise<void> {
    if ((await this.#store.jobs.getJob(DEMO_JOB))?.state === "running") await this.start();
  }

  /** What was not written yet is written after the next start. */
  async close(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#retryTimer);
    await this.#ended;
  }

  async #run(claimed: DemoClaim): Promise<void> {
    try {
      await runTask("addDemoData", { config: this.#config, claimed }, this.#stopping.signal);
      this.#store.noteWrite();
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#onError(error);
      this.#retryTimer = setTimeout(() => void this.resume().catch(this.#onError), RETRY_AFTER_MS);
      this.#retryTimer.unref();
    } finally {
      this.#isRunning = false;
    }
  }
}
