/** The only file that names a database. */
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { ensureDataDir } from "./data-dir.ts";

/** What those who answer requests need of a store. */
export type ReadOnlyStore = Pick<
  Store,
  "reader" | "dataVersion" | "tokens" | "jobs" | "rateLimits" | "events" | "ping" | "close"
>;

/** A lean store takes less memory: for threads that write and hardly read. */
export async function openStore(config: Config, memory: "full" | "small" = "full"): Promise<Store> {
  ensureDataDir(config.dataDir);
  // Only the one that is used is loaded.
  if (config.store === null) {
    const [{ openSqliteStore }, { PROJECTIONS: SHAPES }] = await Promise.all([
      import("#store/sqlite/store.ts"),
      import("#platforms/registry.ts"),
    ]);
    return openSqliteStore(config.dataDir, memory, Date.now, SHAPES);
  }
  const { openPostgresStore } = await import("#store/postgres/store.ts");
  // Who writes decides by what is held: a replica that is behind would tell it too late.
  return openPostgresStore(memory === "small" ? { url: config.store.url } : config.store);
}

/** What several processes on one file cannot learn from the file: what rate limits have left, and what has just changed. */
export type SharedProcessState = Pick<Store, "rateLimits" | "events">;

/** For one of several processes that answer, while another keeps the store: it writes nothing, not even to prepare it. */
export async function openReadOnlyStore(config: Config, company: SharedProcessState): Promise<ReadOnlyStore> {
  if (config.store === null) {
    const [{ openSqliteReadOnly: openSqliteForReading }, { PROJECTIONS: SHAPES }] = await Promise.all([
      import("#store/sqlite/read-only-store.ts"),
      import("#platforms/registry.ts"),
    ]);
    return { ...openSqliteForReading(config.dataDir, SHAPES), ...company };
  }
  const { openPostgresStore } = await import("#store/postgres/store.ts");
  return openPostgresStore({
    ...config.store,
    // Together they open about as many as one process would.
    readConnections: Math.max(4, Math.ceil(16 / config.workers)),
    writeConnections: 1,
  });
}
