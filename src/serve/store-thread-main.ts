/** The thread that writes, with a connection of its own: see store-thread.ts. */
import { loadPepper } from "#auth/secrets.ts";
import type { ImportRequest } from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import { AuditLog } from "#privacy/audit-log.ts";
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { importInto, MAX_OUTAGE_MS } from "./import/import-here.ts";
import { IdleParser } from "./import/parser-thread.ts";
import { openStore } from "./open-store.ts";
import { answerOwner } from "./rpc/answer-owner.ts";
import { type ImportEvent, STORE_OWNER_METHODS, STORE_THREAD_METHODS } from "./store-thread-methods.ts";
import { WRITES } from "./store-writes.ts";

let config: Config;
/** Of the imports in progress. */
const outageListeners = new Set<() => void>();
const stops = new Set<() => Promise<void>>();
const idleParser = new IdleParser();
let opening: Promise<Store> | null = null;

const owner = answerOwner(
  STORE_THREAD_METHODS,
  {
    start(started) {
      config = started;
      return null;
    },
    import: runImport,
    async call({ port, method, args }) {
      const target = (await getStore())[port];
      const listed: readonly string[] = WRITES[port];
      const write = listed.includes(method) ? new Map<string, unknown>(Object.entries(target)).get(method) : undefined;
      if (typeof write !== "function") throw new Error(`${port}.${method} is not in store-writes.ts`);
      const result: unknown = await Reflect.apply(write, target, args);
      return result;
    },
    /** Here and not by `call`: an entry is sealed within the transaction that numbers it. */
    async recordAudit(event) {
      const store = await getStore();
      await new AuditLog(store.audit, loadPepper(config.pepperFile).audit).record(event);
      return null;
    },
    async stopImports() {
      await Promise.all(Array.from(stops, (stop) => stop()));
      return null;
    },
  },
  STORE_OWNER_METHODS,
  async () => {
    await idleParser.close();
    await (await opening?.catch(() => null))?.close();
  },
);

/** Opened at the first request, and again if that failed: the disk may have been full. */
function getStore(): Promise<Store> {
  if (opening === null) {
    const onOutage = () => {
      for (const listener of outageListeners) listener();
    };
    opening = openStore(config, "small", { outage: { maxMs: MAX_OUTAGE_MS, onOutage } });
    opening.then(
      // Other processes on PostgreSQL are notified of changes by the database.
      (store) => config.store === null && store.events.subscribe((event) => owner.notify("storeEvent", event)),
      () => (opening = null),
    );
  }
  return opening;
}

async function runImport(request: ImportRequest, report: (event: ImportEvent) => void): Promise<ImportReport> {
  const onOutage = () => report({ kind: "outage" });
  let stop: (() => Promise<void>) | null = null;
  const onStart = (started: () => Promise<void>) => stops.add((stop = started));
  outageListeners.add(onOutage);
  try {
    return await importInto(
      getStore,
      config,
      request,
      {
        progress: (progress) => report({ kind: "progress", progress }),
        fileDone: (file) => report({ kind: "fileDone", file }),
        waiting: (files) => report({ kind: "waiting", files }),
      },
      idleParser,
      onStart,
    );
  } finally {
    outageListeners.delete(onOutage);
    if (stop !== null) stops.delete(stop);
  }
}
