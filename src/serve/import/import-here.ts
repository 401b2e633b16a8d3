/** Runs an import in the current thread, which writes to the store, with a parser thread beside it. */
import {
  importFiles,
  type ImportEvents,
  type ImportRequest,
  type ImportServices,
  MAX_OUTAGE_S,
} from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { openStore } from "../open-store.ts";
import { type IdleParser, startParserThread } from "./parser-thread.ts";

export const MAX_OUTAGE_MS = MAX_OUTAGE_S * 1_000;

/** With a store of its own. */
export async function importHere(config: Config, request: ImportRequest, events: ImportEvents): Promise<ImportReport> {
  const outage = { maxMs: MAX_OUTAGE_MS, onOutage: () => events.outage?.() };
  const opened: { store: Store | null } = { store: null };
  try {
    return await importInto(
      async () => (opened.store = await openStore(config, "small", { outage })),
      config,
      request,
      events,
    );
  } finally {
    await opened.store?.close();
  }
}

/** The parser thread loads its modules while the store is opened, unless one is idle. */
export async function importInto(
  getStore: () => Promise<Store>,
  config: Config,
  request: ImportRequest,
  events: ImportEvents,
  idle: IdleParser | null = null,
  onStart: ImportServices["onStart"] = () => undefined,
): Promise<ImportReport> {
  const parser = startParserThread(config, idle);
  try {
    const { dataDir, undoDays } = config;
    return await importFiles(
      { store: await getStore(), read: parser.read, dataDir, undoDays, onStart },
      request,
      events,
    );
  } finally {
    await parser.terminate();
  }
}
