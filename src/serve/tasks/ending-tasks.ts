/** Tasks that only read, for requests: they end with the service, which waits for their threads to leave the store. */
import type { Params, Result } from "../rpc/rpc-channel.ts";
import { runTask } from "./run-task.ts";
import type { TaskName, TASKS } from "./tasks.ts";

export class EndingTasks {
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  async run<Name extends TaskName>(
    name: Name,
    params: Params<typeof TASKS, Name>,
  ): Promise<Result<typeof TASKS, Name>> {
    const running = runTask(name, params, this.#ending.signal);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled(this.#running);
  }
}
