/**
 * Pages that no request changes: a package and an image have them built (scripts/pages/build.ts). A clone has some of them as
 * files; a child process makes each of the others on first request, so that the service neither renders nor holds what
 * rendering takes.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { readPackageFile } from "./package-files.ts";

const SOURCES = join(resolve(import.meta.dirname, "../.."), "scripts/pages");
const PROGRAM = join(SOURCES, "build.ts");
const MAX_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

export async function readPage(name: string): Promise<Buffer> {
  if (!existsSync(PROGRAM)) return Buffer.from(await readPackageFile(`dist/pages/${name}`));
  const file = join(SOURCES, name);
  if (existsSync(file)) return readFile(file);
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, name], {
    encoding: "buffer",
    // No settings or secrets of the service.
    env: {},
    maxBuffer: MAX_BYTES,
    timeout: TIMEOUT_MS,
  });
  return stdout;
}
