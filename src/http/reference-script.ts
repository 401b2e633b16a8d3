/**
 * Loads the script of the API reference from its package. That takes a third of a second and 50 MB that are never freed,
 * even in a thread, so a child process does it and prints the 4 MB script.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PROGRAM = fileURLToPath(new URL("./print-reference-script.ts", import.meta.url));
const MAX_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

export async function loadReferenceScript(): Promise<Buffer> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], {
    encoding: "buffer",
    // No settings or secrets of the service.
    env: {},
    maxBuffer: MAX_BYTES,
    timeout: TIMEOUT_MS,
  });
  return stdout;
}
