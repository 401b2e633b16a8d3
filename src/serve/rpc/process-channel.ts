/** The channel of a process, and how it is started and ended. */
import { type ChildProcess, fork } from "node:child_process";
import type { Spawned } from "./thread-channel.ts";
import type { Channel } from "./rpc-channel.ts";

/** However this process exits, a child that hangs must not keep a port. */
const children = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

export function spawnProcess(program: string): Spawned {
  const child = fork(program);
  children.add(child);
  return {
    id: child.pid ?? 0,
    channel: processChannel(child),
    onFailure: () => undefined,
    exited: new Promise((resolve) => {
      // Not started. Otherwise a message could not be sent to a process that is exiting; its exit follows and says why.
      child.on("error", (error) => child.pid === undefined && resolve({ code: null, signal: null, error }));
      child.once("exit", (code, signal) => {
        children.delete(child);
        resolve({ code, signal });
      });
    }),
    kill: () => void child.kill("SIGKILL"),
    setRef: () => undefined,
  };
}

/** Messages are JSON. `end` is `process` in a child, or the ChildProcess in its parent. */
export function processChannel(end: NodeJS.Process | ChildProcess): Channel {
  return {
    send: (message, onFailure) =>
      void end.send?.(message, undefined, undefined, (error) => error !== null && onFailure(error)),
    onMessage: (listener) => void end.on("message", listener),
    onClose: (listener) => void end.once("disconnect", listener),
  };
}
