/** The only file that names a database. */
import type { Store } from "#store/store.ts";
import type { Config } from "./config.ts";
import { makeDataDir } from "./data-dir.ts";

/** A lean store takes less memory: for threads that write and hardly read. */
export async function openStore(config: Config, memory: "full" | "lean" = "full"): Promise<Store> {
  makeDataDir(config.dataDir);
  // Only the one that is used is loaded.
  if (config.store === null) {
    const { openSqliteStore } = await import("#store/sqlite/store.ts");
    return openSqliteStore(config.dataDir, memory);
  }
  const { openPostgresStore } = await import("#store/postgres/store.ts");
  // Who writes decides by what is held: a replica that is behind would tell it too late.
  return openPostgresStore(memory === "lean" ? { url: config.store.url } : config.store);
}
