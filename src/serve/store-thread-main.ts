/** The thread that writes, with a connection of its own: see store-thread.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { loadPepper } from "#auth/secrets.ts";
import type { AuditEvent } from "#domain/audit.ts";
import type { ImportEvents, ImportRequest } from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import { AuditLog } from "#privacy/audit-log.ts";
import type { Store } from "#store/store.ts";
import { importInto, MAX_OUTAGE_MS } from "./import/import-here.ts";
import { IdleParser } from "./import/parser-thread.ts";
import {
  checkStoreThreadData,
  checkToStoreThread,
  type FromStoreThread,
  type ToStoreThread,
} from "./import/thread-messages.ts";
import { openStore } from "./open-store.ts";
import { WRITES } from "./store-writes.ts";
import { toFailure } from "./thread-failure.ts";

const { config } = checkStoreThreadData(workerData);
const send = (message: FromStoreThread) => parentPort?.postMessage(message);

/** Of the imports in progress. */
const outageListeners = new Set<() => void>();
const running = new Set<Promise<void>>();
const stops = new Map<number, () => Promise<void>>();
const idleParser = new IdleParser();
let opening: Promise<Store> | null = null;

/** Opened at the first request, and again if that failed: the disk may have been full. */
function getStore(): Promise<Store> {
  if (opening === null) {
    const onOutage = () => {
      for (const listener of outageListeners) listener();
    };
    opening = openStore(config, "small", { outage: { maxMs: MAX_OUTAGE_MS, onOutage } });
    opening.then(
      // Other processes on PostgreSQL are notified of changes by the database.
      (store) => config.store === null && store.events.subscribe((event) => send({ kind: "storeEvent", event })),
      () => (opening = null),
    );
  }
  return opening;
}

async function runImport(id: number, request: ImportRequest): Promise<ImportReport> {
  const onOutage = () => send({ kind: "outage", id });
  const events: ImportEvents = {
    progress: (progress) => send({ kind: "progress", id, progress }),
    fileDone: (file) => send({ kind: "fileDone", id, file }),
    waiting: (files) => send({ kind: "waiting", id, files }),
  };
  outageListeners.add(onOutage);
  try {
    return await importInto(getStore, config, request, events, idleParser, (stop) => stops.set(id, stop));
  } finally {
    outageListeners.delete(onOutage);
    stops.delete(id);
  }
}

async function callStore({ port, method, args }: ToStoreThread & { kind: "call" }): Promise<unknown> {
  const target = (await getStore())[port];
  const listed: readonly string[] = WRITES[port];
  const write = listed.includes(method) ? new Map<string, unknown>(Object.entries(target)).get(method) : undefined;
  if (typeof write !== "function") throw new Error(`${port}.${method} is not in store-writes.ts`);
  const result: unknown = Reflect.apply(write, target, args);
  return result;
}

/** Here and not by `callStore`: an entry is sealed within the transaction that numbers it. */
async function recordAudit(event: AuditEvent): Promise<null> {
  const store = await getStore();
  await new AuditLog(store.audit, loadPepper(config.pepperFile).audit).record(event);
  return null;
}

function perform(message: Exclude<ToStoreThread, { kind: "close" }>): Promise<unknown> {
  switch (message.kind) {
    case "import":
      return runImport(message.id, message.request);
    case "call":
      return callStore(message);
    case "audit":
      return recordAudit(message.event);
    case "stop":
      return Promise.all(Array.from(stops.values(), (stop) => stop()));
  }
}

async function respond(message: Exclude<ToStoreThread, { kind: "close" }>): Promise<void> {
  const { id } = message;
  try {
    send({ kind: "result", id, result: await perform(message) });
  } catch (error) {
    send({ kind: "failed", id, failure: toFailure(error) });
  }
}

async function close(): Promise<void> {
  while (running.size > 0) await Promise.all(running);
  await idleParser.close();
  await (await opening?.catch(() => null))?.close();
  parentPort?.close();
}

function onMessage(message: ToStoreThread): void {
  if (message.kind === "close") {
    void close();
    return;
  }
  const responding = respond(message).finally(() => running.delete(responding));
  running.add(responding);
}

parentPort?.on("message", (data: unknown) => onMessage(checkToStoreThread(data)));
