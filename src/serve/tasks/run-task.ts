/** Work that uses the store for long, such as a backup or an erasure: each runs in a thread of its own. */
import { spawnThread } from "../rpc/channels.ts";
import { NO_METHODS, type Params, type Result } from "../rpc/rpc-channel.ts";
import { Supervisor } from "../rpc/supervisor.ts";
import { resourceLimitsFor } from "../thread-limits.ts";
import { type TaskName, TASKS } from "./tasks.ts";
import { toError } from "#domain/to-error.ts";

/** Work that was not committed when the signal comes is undone. */
export async function runTask<Name extends TaskName>(
  name: Name,
  params: Params<typeof TASKS, Name>,
  signal?: AbortSignal,
): Promise<Result<typeof TASKS, Name>> {
  signal?.throwIfAborted();
  const thread = new Supervisor({
    name: `thread of ${name}`,
    spawn: () =>
      spawnThread(new URL("./task-main.ts", import.meta.url), { resourceLimits: resourceLimitsFor(params.config) }),
    remote: TASKS,
    local: NO_METHODS,
    handlers: {},
  });
  const stop = () => void thread.kill(toError(signal?.reason));
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await thread.call(name, params);
  } finally {
    signal?.removeEventListener("abort", stop);
    // Until then it has a connection, and a closed store would keep its files.
    await thread.kill();
  }
}
