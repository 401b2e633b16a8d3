/**
 * Pages that no request changes: a package and an image have them built (scripts/pages/build.ts). In a clone a child process
 * makes each from its sources on first request, so that the service neither renders nor holds what rendering takes.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { readPackageFile } from "./package-files.ts";

const PROGRAM = join(resolve(import.meta.dirname, "../.."), "scripts/pages/build.ts");
const MAX_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

export async function readPage(name: string): Promise<Buffer> {
  if (!existsSync(PROGRAM)) return Buffer.from(await readPackageFile(`dist/pages/${name}`));
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, name], {
    encoding: "buffer",
    // No settings or secrets of the service.
    env: {},
    maxBuffer: MAX_BYTES,
    timeout: TIMEOUT_MS,
  });
  return stdout;
}
