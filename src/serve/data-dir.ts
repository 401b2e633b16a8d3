/** Creates the data directory, readable by its owner only. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { STORE_FILE } from "#store/store-file.ts";
import { StoreOpenError } from "#store/store-open-error.ts";

export function ensureDataDir(path: string): void {
  try {
    createDirectory(path);
  } catch (cause) {
    throw new StoreOpenError(
      `cannot create data directory ${path} (${(cause as NodeJS.ErrnoException).code}); set DATA_DIR to a writable directory`,
      { cause },
    );
  }
}

/** Level by level: `mkdirSync` with `recursive` never returns below /proc. */
function createDirectory(path: string): void {
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return;
    throw Object.assign(new Error(`${path} is a file`), { code: "ENOTDIR" });
  }
  if (dirname(path) !== path) createDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Whether it has a store on SQLite. Opening it would create one. */
export function storeExists(path: string): boolean {
  return statSync(join(path, STORE_FILE), { throwIfNoEntry: false }) !== undefined;
}
