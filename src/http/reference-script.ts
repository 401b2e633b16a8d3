/**
 * The script of the reference, taken out of its package. Loading the package takes a third of a second and leaves 50 MB
 * behind, even in a thread, so a child process does it and hands over the 4 MB that are sent.
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
    // It needs none of the service's settings and secrets.
    env: {},
    maxBuffer: MAX_BYTES,
    timeout: TIMEOUT_MS,
  });
  return stdout;
}
