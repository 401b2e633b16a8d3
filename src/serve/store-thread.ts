/**
 * The thread that writes. SQLite waits for its lock and for the disk inside the call, so a thread that serves requests must
 * not write: its clients would wait too. Imports run here at the same time, a batch of each in turn, and so do the single
 * writes of the service. It starts at the first of them and ends when there was none for a while.
 */
import { Worker } from "node:worker_threads";
import type { AuditEvent } from "#domain/audit.ts";
import type { ImportEvents, ImportRequest } from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import { EventHub } from "#store/write/event-hub.ts";
import type { StoreEvent } from "#store/write/events.ts";
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { resourceLimitsFor } from "./thread-limits.ts";
import {
  checkFromStoreThread,
  type FromStoreThread,
  type StoreThreadData,
  type StoreThreadRequest,
  type ToStoreThread,
} from "./import/thread-messages.ts";
import { type WritePort, WRITES } from "./store-writes.ts";
import { toError } from "./thread-failure.ts";

const IDLE_MS = 30_000;

export type RunImport = (request: ImportRequest, events?: ImportEvents) => Promise<ImportReport>;

interface PendingCall {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  events: ImportEvents;
}

export class StoreThread {
  readonly #config: Config;
  readonly #pending = new Map<number, PendingCall>();
  readonly #onEvent: (event: StoreEvent) => void;
  #worker: Worker | null = null;
  #ended: Promise<void> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;

  /** `onEvent` is called for changes that were committed in the thread. */
  constructor(config: Config, onEvent: (event: StoreEvent) => void = () => undefined) {
    this.#config = config;
    this.#onEvent = onEvent;
  }

  readonly importFiles: RunImport = async (request, events = {}) => {
    if (request.paths.includes("-")) {
      // Standard input belongs to the main thread, which otherwise starts without what an import needs.
      const { importHere } = await import("./import/import-here.ts");
      return importHere(this.#config, request, events);
    }
    return (await this.#request({ kind: "import", request }, events)) as ImportReport;
  };

  call(port: WritePort, method: string, args: unknown[]): Promise<unknown> {
    return this.#request({ kind: "call", port, method, args });
  }

  async recordAudit(event: AuditEvent): Promise<void> {
    await this.#request({ kind: "audit", event });
  }

  /** Imports give up what they have claimed, and fail. */
  async stop(): Promise<void> {
    if (this.#worker !== null) await this.#request({ kind: "stop" });
  }

  /** Waits for what was requested. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#worker?.ref();
    this.#worker?.postMessage({ kind: "close" } satisfies ToStoreThread);
    await this.#ended;
  }

  #request(request: StoreThreadRequest, events: ImportEvents = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#pending.set(id, { resolve, reject, events });
      clearTimeout(this.#idleTimer);
      const worker = (this.#worker ??= this.#start());
      worker.ref();
      worker.postMessage({ ...request, id } satisfies ToStoreThread);
    });
  }

  #start(): Worker {
    const workerData: StoreThreadData = { kind: "write", config: this.#config };
    const worker = new Worker(new URL("./store-thread-main.ts", import.meta.url), {
      workerData,
      resourceLimits: resourceLimitsFor(this.#config),
    });
    const fail = (error: unknown) => {
      // A new thread may have been started since.
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const { reject } of this.#pending.values()) reject(error);
      this.#pending.clear();
    };
    worker.on("message", (data: unknown) => {
      try {
        this.#onMessage(checkFromStoreThread(data));
      } catch (error) {
        fail(error);
        void worker.terminate();
      }
    });
    worker.once("error", fail);
    this.#ended = new Promise((resolve) => {
      worker.once("exit", (code) => {
        fail(new Error(`the store thread exited with code ${code}`));
        resolve();
      });
    });
    return worker;
  }

  #onMessage(message: FromStoreThread): void {
    if (message.kind === "storeEvent") {
      this.#onEvent(message.event);
      return;
    }
    const call = this.#pending.get(message.id);
    if (call === undefined) throw new Error(`message ${message.id} of the store thread matches no call`);
    const { events } = call;
    if (message.kind === "progress") events.progress?.(message.progress);
    else if (message.kind === "fileDone") events.fileDone?.(message.file);
    else if (message.kind === "waiting") events.waiting?.(message.files);
    else if (message.kind === "outage") events.outage?.();
    else {
      this.#pending.delete(message.id);
      if (message.kind === "result") call.resolve(message.result);
      else call.reject(toError(message.failure));
      if (this.#pending.size === 0) this.#becomeIdle();
    }
  }

  #becomeIdle(): void {
    this.#worker?.unref();
    this.#idleTimer = setTimeout(() => {
      // What is requested from now on starts another one.
      this.#worker?.postMessage({ kind: "close" } satisfies ToStoreThread);
      this.#worker = null;
    }, IDLE_MS);
    this.#idleTimer.unref();
  }
}

/** The same store, whose single writes run in the thread. Imports have a runner of their own. */
export function writeInThread(store: Store, thread: StoreThread, threadEvents: EventHub): Store {
  const events = new EventHub();
  for (const source of [store.events, threadEvents]) source.subscribe((event) => events.emit(event));
  const call: StoreThread["call"] = async (...request) => {
    const result = await thread.call(...request);
    // The next read sees it.
    store.noteWrite();
    return result;
  };
  return {
    ...store,
    events,
    tokens: { ...store.tokens, ...delegate("tokens", call) },
    jobs: { ...store.jobs, ...delegate("jobs", call) },
    retention: { ...store.retention, ...delegate("retention", call) },
    watches: { ...store.watches, ...delegate("watches", call) },
    writer: { ...store.writer, ...delegate("writer", call) },
  };
}

function delegate<Port extends WritePort>(port: Port, call: StoreThread["call"]): Partial<Store[Port]> {
  const methods = WRITES[port].map((method) => [method, (...args: unknown[]) => call(port, method, args)]);
  // The thread runs the method of the same name of its own store.
  return Object.fromEntries(methods) as Partial<Store[Port]>;
}
