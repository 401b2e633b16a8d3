/** Creates the data directory, and keeps it readable by its owner only. */
import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "#domain/error-code.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { StoreOpenError } from "#store/sql/store-open-error.ts";

export function ensureDataDir(path: string): void {
  try {
    createDirectory(path);
  } catch (cause) {
    throw new StoreOpenError(
      `cannot create data directory ${path} (${errorCode(cause)}); set DATA_DIR to a writable directory`,
      { cause },
    );
  }
}

const OTHERS = 0o077;
const STICKY = 0o1000;

/** For a directory that existed before: other users of the machine may not look into it. */
export function tightenDataDir(path: string): void {
  const { mode } = statSync(path);
  if (process.platform === "win32" || (mode & OTHERS) === 0) return;
  // A directory such as /tmp, which other programs need.
  if ((mode & STICKY) !== 0) {
    throw new StoreOpenError(`the data directory ${path} is shared by all users; set DATA_DIR to a directory below it`);
  }
  try {
    chmodSync(path, mode & 0o7700);
  } catch (cause) {
    throw new StoreOpenError(
      `the data directory ${path} is open to other users, and this one may not change that (${errorCode(cause)}); run: chmod 700 '${path}' as its owner, or set DATA_DIR to a directory below it`,
      { cause },
    );
  }
}

/** Another process that creates the store has an empty file for a moment. */
const CREATION_MS = 500;

/** A copy that failed leaves an empty file, which would be filled as a new store; with a pepper, there was one before. */
export async function refuseEmptyStore(path: string, pepperFile: string): Promise<void> {
  const file = join(path, STORE_FILE);
  const isEmpty = () => statSync(file, { throwIfNoEntry: false })?.size === 0;
  if (!isEmpty() || !existsSync(pepperFile)) return;
  await sleep(CREATION_MS);
  if (!isEmpty()) return;
  throw new StoreOpenError(
    `${file} is empty (0 bytes), but the pepper file ${pepperFile} shows that there was a store; remove the empty file, then restore a backup (docs/backup.md) or start with a new store`,
  );
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
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** Whether it has a store on SQLite. Opening it would create one. */
export function storeExists(path: string): boolean {
  return statSync(join(path, STORE_FILE), { throwIfNoEntry: false }) !== undefined;
}
