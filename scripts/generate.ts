/**
 * Writes what is generated and committed: openapi.json, docs/endpoints/, docs/errors.md, docs/configuration.md,
 * docs/cli.md, the operations of the clients, the admin routes of the console, the table of operations in the README, and the
 * demo world. `--check` writes nothing and fails when a file is stale; a test does the same.
 */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { generatedFiles, readGenerated, writeGenerated } from "./generated-files.ts";

const root = resolve(import.meta.dirname, "..");
const check = process.argv.includes("--check");
const files = await generatedFiles(root);
let stale = 0;

if (!check) rmSync(join(root, "docs/endpoints"), { recursive: true, force: true });
for (const [path, text] of files) {
  const file = join(root, path);
  if (readGenerated(file) === text) continue;
  if (check) {
    stale++;
    console.error(`${path} is stale: run npm run generate`);
  } else {
    writeGenerated(file, text);
  }
}
process.exitCode = stale === 0 ? 0 : 1;
