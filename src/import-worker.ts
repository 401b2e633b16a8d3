/** Imports in a thread of its own, so that the server goes on answering meanwhile. Started by app.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { importFiles, type ImportRequest } from "#ingest/import-files.ts";
import { openStore } from "./app.ts";
import type { Config } from "./config.ts";
import { readInThread } from "./reading.ts";

const { config, request } = workerData as { config: Config; request: ImportRequest };
const store = openStore(config);
try {
  parentPort?.postMessage(await importFiles({ store, read: readInThread, dataDir: config.dataDir }, request));
} finally {
  await store.close();
}
