/**
 * The thread that writes. SQLite waits for its lock and for the disk inside the call, so a thread that serves requests must
 * not write: its clients would wait too. Imports run here at the same time, a batch of each in turn, and so do the single
 * writes of the service. It starts at the first of them and ends when there was none for a while.
 */
import type { AuditEvent } from "#domain/audit.ts";
import type { ImportEvents, ImportRequest } from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import { EventHub } from "#store/write/event-hub.ts";
import type { StoreEvent } from "#store/write/events.ts";
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { spawnThread } from "./rpc/thread-channel.ts";
import { type End, Supervisor } from "./rpc/supervisor.ts";
import { STORE_OWNER_METHODS, STORE_THREAD_METHODS } from "./store-thread-methods.ts";
import { type WritePort, WRITES } from "./store-writes.ts";
import { resourceLimitsFor } from "./thread-limits.ts";

const IDLE_MS = 30_000;
/** Far longer than any transaction, such as one that forgets the undo of a large import on a slow disk. */
const MAX_SILENT_S = 300;

export type RunImport = (request: ImportRequest, events?: ImportEvents) => Promise<ImportReport>;

interface ThreadOptions {
  /** Called for changes that were committed in the thread. */
  onEvent?: (event: StoreEvent) => void;
  /** Called when the thread ended by itself or was stuck; the next call starts another one. */
  onEnd?: (end: End) => void;
  maxSilentS?: number;
}

export class StoreThread {
  readonly #config: Config;
  readonly #thread: Supervisor<typeof STORE_THREAD_METHODS, typeof STORE_OWNER_METHODS>;

  constructor(config: Config, { onEvent = () => undefined, onEnd, maxSilentS = MAX_SILENT_S }: ThreadOptions = {}) {
    this.#config = config;
    this.#thread = new Supervisor({
      name: "store thread",
      spawn: () =>
        spawnThread(new URL("./store-thread-main.ts", import.meta.url), { resourceLimits: resourceLimitsFor(config) }),
      start: (channel) => channel.call("start", config),
      remote: STORE_THREAD_METHODS,
      local: STORE_OWNER_METHODS,
      handlers: { storeEvent: onEvent },
      maxSilentS,
      ...(onEnd && { onEnd }),
      idleMs: IDLE_MS,
    });
  }

  readonly importFiles: RunImport = async (request, events = {}) => {
    if (request.paths.includes("-")) {
      // Standard input belongs to the main thread, which otherwise starts without what an import needs.
      const { importHere } = await import("./import/import-here.ts");
      return importHere(this.#config, request, events);
    }
    return this.#thread.call("import", request, (event) => {
      if (event.kind === "progress") events.progress?.(event.progress);
      else if (event.kind === "fileDone") events.fileDone?.(event.file);
      else if (event.kind === "waiting") events.waiting?.(event.files);
      else events.outage?.();
    });
  };

  call(port: WritePort, method: string, args: unknown[]): Promise<unknown> {
    return this.#thread.call("call", { port, method, args });
  }

  async recordAudit(event: AuditEvent): Promise<void> {
    await this.#thread.call("recordAudit", event);
  }

  /** Imports give up what they have claimed, and fail. */
  async stop(): Promise<void> {
    await this.#thread.channel?.call("stopImports", null);
  }

  /** Waits for what was requested. */
  async close(): Promise<void> {
    await this.#thread.close();
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
