/** The thread that computes trends, for the day on which they were found stale, or as of an earlier one. */
import { workerData } from "node:worker_threads";
import { checkToTrendThread } from "./import/thread-messages.ts";
import { openStore } from "./open-store.ts";

const { config, now, asOf } = checkToTrendThread(workerData);
const store = await openStore(config, "small", { clock: () => now });
try {
  await store.writer.refreshTrends(asOf);
} finally {
  await store.close();
}
