/** The thread that computes trends, for the day on which they were found stale. */
import { workerData } from "node:worker_threads";
import { checkToTrendThread } from "./import/thread-messages.ts";
import { openStore } from "./open-store.ts";

const { config, now } = checkToTrendThread(workerData);
const store = await openStore(config, "small", { clock: () => now });
try {
  await store.writer.refreshTrends();
} finally {
  await store.close();
}
