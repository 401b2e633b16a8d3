/** The thread that adds the demo data, with a store of its own. */
import { workerData } from "node:worker_threads";
import { writeDemoData } from "#import/demo-data.ts";
import { demoDataFor, type DemoThreadData } from "./demo-world.ts";
import { openStore } from "./open-store.ts";

const { config, claimed } = workerData as DemoThreadData;
const store = await openStore(config, "small");
try {
  await writeDemoData(store, claimed, demoDataFor(config));
} finally {
  await store.close();
}
