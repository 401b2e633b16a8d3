/** The channel of a thread, and how it is started and ended. */
import { type MessagePort, Worker, type WorkerOptions } from "node:worker_threads";
import { toError } from "#domain/to-error.ts";
import type { Channel } from "./rpc-channel.ts";

/** A thread or a process. */
export interface Spawned {
  /** The process id, or the number of the thread within this process. */
  id: number;
  channel: Channel;
  /** An error of a thread, before its exit: messages that it sent earlier may still be unread. A process says why by its exit. */
  onFailure(listener: (error: unknown) => void): void;
  exited: Promise<Exit>;
  /** Ends it at once, unless it is a thread inside a SQLite query: that ends with the query. */
  kill(): void;
  /** Whether this process waits for it. */
  setRef(isRef: boolean): void;
}

export interface Exit {
  code: number | null;
  signal: string | null;
  /** The error that ended it; undefined if there was none. */
  error?: unknown;
}

export interface SpawnedThread extends Spawned {
  worker: Worker;
}

export function spawnThread(main: URL, options?: WorkerOptions): SpawnedThread {
  const worker = new Worker(main, options);
  // For as long as it runs: an error that nobody listens for would end this process.
  worker.on("error", () => undefined);
  return {
    id: worker.threadId,
    worker,
    channel: portChannel(worker),
    onFailure: (listener) => void worker.once("error", listener),
    exited: new Promise((resolve) => worker.once("exit", (code) => resolve({ code, signal: null }))),
    kill: () => void worker.terminate(),
    setRef: (isRef) => (isRef ? worker.ref() : worker.unref()),
  };
}

/** Messages are cloned, so they may have buffers, maps and shared memory, but no functions and no classes. */
export function portChannel(port: Worker | MessagePort): Channel {
  return {
    send(message, onFailure) {
      try {
        port.postMessage(message);
      } catch (error) {
        onFailure(toError(error));
      }
    },
    onMessage: (listener) => void port.on("message", listener),
    // A thread ends with its owner.
    onClose: () => undefined,
  };
}
