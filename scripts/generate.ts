/**
 * Writes what is generated and committed: openapi.json, docs/endpoints/, docs/errors.md, docs/configuration.md,
 * docs/cli.md, the operations of the clients, the admin routes of the console and the table of operations in the README.
 * `--check` writes nothing and fails when a file is stale; a test does the same.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { generatedFiles } from "./generated-files.ts";

const root = resolve(import.meta.dirname, "..");
const check = process.argv.includes("--check");
const files = await generatedFiles(root);
let stale = 0;

if (!check) rmSync(join(root, "docs/endpoints"), { recursive: true, force: true });
for (const [path, text] of files) {
  const file = join(root, path);
  if (check) {
    if (readOrEmpty(file) === text) continue;
    stale++;
    console.error(`${path} is stale: run npm run generate`);
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
process.exitCode = stale === 0 ? 0 : 1;

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
