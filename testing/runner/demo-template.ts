/** A program that fills the demo world into a store file in the folder given: `node testing/runner/demo-template.ts FOLDER`. */
import { demoWorld } from "#demo/world.ts";
import { seedDemoData } from "#import/demo-data.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder to fill.");
const store = openSqliteStore(folder);
await seedDemoData(store, async () => demoWorld(Date.now()));
await store.close();
