/**
 * The peers are no dependencies of the project: bench/peers names them with a lock file of its own, and the first run
 * installs them in a folder for temporary files. Directus wants Node 22, which comes the same way. Its driver for SQLite
 * is fetched ready or, where that host cannot be reached, compiled, which needs a C++ compiler and Python and takes a
 * few minutes. Its isolated-vm, which no request touches, is replaced by the release that brings its binaries along.
 */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { FOLDER } from "./corpus.ts";
import { runToEnd } from "./peers-processes.ts";

export const PEERS = join(import.meta.dirname, "peers");
const FILES = ["package.json", "package-lock.json"];
/** Those that bench/peers names a Node for. */
const ARCHITECTURES = ["x64", "arm64"];
const TO_COMPILE = "sqlite3";

export interface Installed {
  jsonServer: string;
  directus: string;
  /** The Node that runs Directus. */
  node22: string;
  versions: Record<string, string>;
}

export async function installPeers(): Promise<Installed> {
  const folder = join(FOLDER, `peers-${digestOf(FILES.map((name) => join(PEERS, name)))}`);
  if (!existsSync(folder)) await install(folder);
  const modules = join(folder, "node_modules");
  const named = JSON.parse(readFileSync(join(PEERS, "package.json"), "utf8")) as {
    dependencies: Installed["versions"];
  };
  return {
    versions: named.dependencies,
    jsonServer: join(modules, "json-server/lib/cli/bin.js"),
    // The program behind the command, which would first ask the registry for news.
    directus: join(modules, "@directus/api/dist/cli/run.js"),
    node22: join(nodePackage(folder), "bin/node"),
  };
}

async function install(folder: string): Promise<void> {
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  for (const name of FILES) copyFileSync(join(PEERS, name), join(unfinished, name));
  const logFile = join(unfinished, "install.log");
  const npm = (env: Record<string, string>, ...args: string[]) =>
    runToEnd({ command: "npm", args, folder: unfinished, env: { ...process.env, ...env }, logFile });

  console.log(`installing the peers in ${folder}: some minutes, once`);
  await npm({}, "ci", "--ignore-scripts", "--no-audit", "--no-fund");
  const node = nodePackage(unfinished);
  const path = [join(node, "bin"), process.env["PATH"] ?? ""].join(delimiter);
  await npm({ PATH: path, npm_config_nodedir: node }, "rebuild", TO_COMPILE);
  renameSync(unfinished, folder);
}

function nodePackage(folder: string): string {
  if (process.platform !== "linux" || !ARCHITECTURES.includes(process.arch)) {
    throw new Error(`Directus is measured on Linux only, on ${ARCHITECTURES.join(" or ")}: its Node is taken from npm`);
  }
  return join(folder, "node_modules", `node-linux-${process.arch}`);
}

/** The same for the same contents. */
export function digestOf(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 10);
}
