#!/usr/bin/env -S node --max-semi-space-size=8
// Finds a Node that runs the sources as they are, then hands over to src/cli/main.ts. Plain JavaScript of
// Node 16, so that an older Node gets as far as saying what is missing.
import { spawn } from "node:child_process";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED_MAJOR = 24;

// What a request makes dies at once: in a small young generation as well as in the usual one, which takes a hundred
// megabytes more.
const SMALL_YOUNG = "--max-semi-space-size=8";

if (majorOf(process.versions.node) >= NEEDED_MAJOR) {
  try {
    // Sources are compiled once and kept where the system keeps temporary files: later starts take half the time.
    const { directory } = nodeModule.enableCompileCache();
    // Threads are told by the environment.
    if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= dirname(directory);
    await import("../src/cli/main.ts");
  } catch (error) {
    giveUp(error);
  }
} else {
  const node = findBundledNode();
  if (node === null) {
    complain(
      `Node ${process.versions.node} was found and Node ${NEEDED_MAJOR} or newer is needed; run "npm install" in the project's folder, which brings one on Linux, or install it from https://nodejs.org`,
    );
    process.exit(1);
  }
  handOver(node);
}

/** The Node that `npm install` puts beside the other dependencies; null where there is none for this machine. */
function findBundledNode() {
  const name = `node-${process.platform}-${process.arch}`;
  try {
    const manifest = nodeModule.createRequire(import.meta.url).resolve(`${name}/package.json`);
    const { version } = nodeModule.createRequire(import.meta.url)(manifest);
    // An older one would hand over to itself for ever.
    return majorOf(version) >= NEEDED_MAJOR ? join(dirname(manifest), "bin", "node") : null;
  } catch {
    return null;
  }
}

function handOver(node) {
  const child = spawn(node, [SMALL_YOUNG, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  const forward = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  child.once("error", (error) => {
    complain(`${node} cannot be run (${error.code}); run "npm install" in the project's folder to bring it anew`);
    process.exit(1);
  });
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const name of signals) process.off(name, forward);
    process.kill(process.pid, signal);
  });
}

function giveUp(error) {
  if (error && error.code === "ERR_MODULE_NOT_FOUND") {
    complain(`a part of Triptych is missing; run "npm install" in its folder (${firstLine(error)})`);
  } else {
    complain(`${firstLine(error)} (set TRIPTYCH_DEBUG=1 to see where)`);
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

function complain(sentence) {
  process.stderr.write(`triptych: ${sentence}\n`);
}
