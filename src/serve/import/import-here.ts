/** Runs an import in the current thread, which writes to the store, with a parser thread beside it. */
import { importFiles, type ImportEvents, type ImportRequest, MAX_OUTAGE_S } from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import type { Config } from "#config";
import { openStore } from "../open-store.ts";
import { startParserThread } from "./parser-thread.ts";

export async function importHere(config: Config, request: ImportRequest, events: ImportEvents): Promise<ImportReport> {
  const parser = startParserThread(config);
  try {
    const store = await openStore(config, "small", {
      outage: { maxMs: MAX_OUTAGE_S * 1_000, onOutage: () => events.outage?.() },
    });
    try {
      const { dataDir, undoDays } = config;
      return await importFiles({ store, read: parser.read, dataDir, undoDays }, request, events);
    } finally {
      await store.close();
    }
  } finally {
    await parser.terminate();
  }
}
