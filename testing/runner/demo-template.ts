/** Fills the demo world into a store: `node testing/runner/demo-template.ts FOLDER|postgres://…`. */
import { demoWorld } from "#import/demo-world.ts";
import { sampleComments, TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { demoTime } from "#testing/demo-store.ts";
import { seedDemoData } from "#import/demo-data.ts";
import { PROJECTIONS } from "#platforms/records.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { toUnit } from "#store/write/batch-changes.ts";

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("Name the folder or the database to fill.");
const isDatabase = target.startsWith("postgres:");
// With the projections that a service has: otherwise each service on a copy would render all records first.
const store = isDatabase
  ? await openPostgresStore({ url: target, timeoutFactor: TEST_TIMEOUT_FACTOR })
  : openSqliteStore(target, "full", Date.now, PROJECTIONS);
// A database takes longest to fill, and few tests ask it.
const world = demoWorld(demoTime());
const units = Iterator.from(isDatabase ? sampleComments(world) : world).map(({ platform, batch }) =>
  toUnit(platform, batch),
);
await seedDemoData(store, async () => units);
await store.close();
