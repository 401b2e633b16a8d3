/** Makes the data folder, for its owner's eyes only. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreOpenError } from "#store/store-open-error.ts";

export function ensureDataDir(path: string): void {
  try {
    makeFolder(path);
  } catch (cause) {
    throw new StoreOpenError(
      `${path} cannot be made or is no folder (${(cause as NodeJS.ErrnoException).code}); set DATA_DIR to a folder that you may write to`,
      { cause },
    );
  }
}

/** Step by step: Node's own recursive way never ends below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return;
    throw Object.assign(new Error(`${path} is a file`), { code: "ENOTDIR" });
  }
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
