/** The thread of a privacy task, with a store of its own. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { erase } from "#privacy/erase.ts";
import { previewSweep, sweep } from "#privacy/retention.ts";
import { checkPrivacyThreadData, type PrivacyResults } from "./privacy-messages.ts";
import { openServices, type Services } from "./services.ts";

const { config, task } = checkPrivacyThreadData(workerData);
const services = await openServices(config);
try {
  (parentPort as MessagePort).postMessage(await perform(services));
} finally {
  await services.close();
}

async function perform({ store, audit, retention }: Services): Promise<PrivacyResults[keyof PrivacyResults]> {
  if (task.name === "erase") {
    // The service removes the bytes, for several erasures at once: see purge-schedule.ts.
    return erase({ store, audit, dataDir: config.dataDir, purge: async () => false }, task.request);
  }
  if (task.name === "purge") return store.writer.purgeErased();
  if (task.name === "preview") {
    const rules = { list: async () => [...task.rules], hasSource: (name: string) => store.retention.hasSource(name) };
    return previewSweep({ writer: store.writer, retention: rules }, retention);
  }
  const counts = await sweep(store, retention, { now: task.now });
  if (Object.keys(counts).length > 0) {
    await audit.record({ actor: "service", action: "retention.sweep", details: { ...counts } });
  }
  return counts;
}
