/** Opens the store that the settings name. */
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { ensureDataDir, refuseEmptyStore, tightenDataDir } from "./data-dir.ts";

/** What serving requests needs of a store. */
export type ReadOnlyStore = Pick<
  Store,
  | "reader"
  | "search"
  | "noteWrite"
  | "dataVersion"
  | "tokens"
  | "jobs"
  | "retention"
  | "rateLimits"
  | "events"
  | "ping"
  | "close"
> & { tables: Pick<Store["tables"], "snapshot"> };

export interface OpenStoreOptions {
  /** Decides the day of trends. */
  clock?: () => number;
  /** If given, calls wait for a database that is down. */
  outage?: { maxMs: number; onOutage: () => void };
}

/** A small page cache is for threads that write and hardly read. */
export async function openStore(
  config: Config,
  cache: "full" | "small" = "full",
  { clock, outage }: OpenStoreOptions = {},
): Promise<Store> {
  ensureDataDir(config.dataDir);
  // Only the database in use is loaded.
  if (config.store === null) {
    tightenDataDir(config.dataDir);
    await refuseEmptyStore(config.dataDir, config.pepperFile);
    const [{ openSqliteStore }, { PROJECTIONS }] = await Promise.all([
      import("#store/sqlite/store.ts"),
      import("#platforms/records.ts"),
    ]);
    return openSqliteStore(config.dataDir, cache, clock, PROJECTIONS);
  }
  const { openPostgresStore } = await import("#store/postgres/store.ts");
  // Writers read from the primary only: replica lag could hide existing rows.
  return openPostgresStore({
    ...(cache === "small" ? { ...config.store, replicaUrls: [] } : config.store),
    ...(clock && { clock }),
    ...(outage && { outage }),
  });
}

export async function openSqliteForReading(dataDir: string): Promise<Omit<ReadOnlyStore, keyof SharedProcessState>> {
  const [{ openSqliteReadOnly }, { PROJECTIONS }] = await Promise.all([
    import("#store/sqlite/read-only-store.ts"),
    import("#platforms/records.ts"),
  ]);
  return openSqliteReadOnly(dataDir, PROJECTIONS);
}

/** What workers on one SQLite file cannot learn from the file: rate limit balances and change events. */
export type SharedProcessState = Pick<Store, "rateLimits" | "events">;

/** For a worker, whose primary has opened and migrated the store: it writes nothing. */
export async function openReadOnlyStore(config: Config, shared: SharedProcessState): Promise<ReadOnlyStore> {
  if (config.store === null) {
    return { ...(await openSqliteForReading(config.dataDir)), ...shared };
  }
  const { openPostgresStore } = await import("#store/postgres/store.ts");
  return openPostgresStore({
    ...config.store,
    // All workers together open about as many as one process would.
    readConnections: Math.max(4, Math.ceil(16 / config.workers)),
    writeConnections: 1,
  });
}
