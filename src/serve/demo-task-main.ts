/** The thread that adds the demo data, with a store of its own. */
import { workerData } from "node:worker_threads";
import { writeDemoData } from "#import/demo-data.ts";
import { checkDemoThreadData, demoDataFor } from "./demo-world.ts";
import { openStore } from "./open-store.ts";

const { config, claimed } = checkDemoThreadData(workerData);
const store = await openStore(config, "small");
try {
  await writeDemoData(store, claimed, demoDataFor(config));
} finally {
  await store.close();
}
