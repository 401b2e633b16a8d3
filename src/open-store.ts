/** The only file that names a database. */
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import type { Config } from "./config.ts";
import { makeDataDir } from "./data-dir.ts";

/** A lean store takes less memory: for threads that write and hardly read. */
export function openStore(config: Config, memory: "full" | "lean" = "full"): Store {
  makeDataDir(config.dataDir);
  return openSqliteStore(config.dataDir, memory);
}
