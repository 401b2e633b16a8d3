#!/usr/bin/env -S node --max-semi-space-size=8
// Runs src/cli/main.ts, or its compiled form in an installed package, with a Node that can. Written for Node 16, so that
// an older Node can say what is required.
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MIN_MAJOR = 24;

const SOURCE = new URL("../src/cli/main.ts", import.meta.url);
// Node does not strip types below node_modules.
const COMPILED = new URL("../dist/src/cli/main.js", import.meta.url);

// Objects of a request die young: a small young generation collects them as well and takes 100 MB less.
const YOUNG_GENERATION = "--max-semi-space-size=8";

if (majorOf(process.versions.node) >= MIN_MAJOR) {
  try {
    // Compiled code is cached in the system's temporary directory: later starts take half the time.
    const { directory } = nodeModule.enableCompileCache();
    // Threads and worker processes read the environment.
    if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= dirname(directory);
    await import((existsSync(SOURCE) ? SOURCE : COMPILED).href);
  } catch (error) {
    reportAndExit(error);
  }
} else {
  const node = findBundledNode();
  if (node === null) {
    printError(
      `Node ${MIN_MAJOR} or newer is required (found ${process.versions.node}); on Linux run "npm install" in the project directory, which installs it, or get it from https://nodejs.org`,
    );
    process.exit(1);
  }
  await runWith(node);
}

/** The Node that `npm install` installs with the dependencies; null if there is none for this machine. */
function findBundledNode() {
  const name = `node-${process.platform}-${process.arch}`;
  try {
    const manifest = nodeModule.createRequire(import.meta.url).resolve(`${name}/package.json`);
    const { version } = nodeModule.createRequire(import.meta.url)(manifest);
    // An older one would start itself forever.
    return majorOf(version) >= MIN_MAJOR ? join(dirname(manifest), "bin", "node") : null;
  } catch {
    return null;
  }
}

async function runWith(node) {
  const { spawn } = await import("node:child_process");
  const child = spawn(node, [YOUNG_GENERATION, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  const forward = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  child.once("error", (error) => {
    printError(`cannot run ${node} (${error.code}); run "npm install" in the project directory to reinstall it`);
    process.exit(1);
  });
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const name of signals) process.off(name, forward);
    process.kill(process.pid, signal);
  });
}

function reportAndExit(error) {
  if (error && error.code === "ERR_MODULE_NOT_FOUND") {
    printError(`a dependency is missing; run "npm install" in the project directory (${firstLine(error)})`);
  } else {
    printError(`${firstLine(error)} (set TRIPTYCH_DEBUG=1 for a stack trace)`);
  }
  if (process.env.TRIPTYCH_DEBUG === "1") process.stderr.write(`${error && error.stack}\n`);
  process.exit(1);
}

function firstLine(error) {
  return String((error && error.message) || error).split("\n")[0];
}

function majorOf(version) {
  return Number(version.split(".")[0]);
}

function printError(message) {
  process.stderr.write(`triptych: ${message}\n`);
}
