/**
 * `npm run -s sbom > sbom.json`: lists what an installation consists of with `npm sbom`, from package-lock.json. Without
 * `--dev`, development dependencies are taken out first: `npm sbom --omit=dev` also omits dependencies that one of them needs.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

interface Manifest {
  name: string;
  devDependencies?: object;
}

interface LockFile {
  packages: Record<string, { dev?: boolean; devDependencies?: object }>;
}

const ARGUMENTS = [
  "sbom",
  "--sbom-format=cyclonedx",
  "--sbom-type=application",
  "--package-lock-only",
  "--loglevel=error",
];

export function createSbom(withDev: boolean): object {
  const manifest = read("package.json") as Manifest;
  const lock = read("package-lock.json") as LockFile;
  if (!withDev) {
    delete manifest.devDependencies;
    delete lock.packages[""]?.devDependencies;
    lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => dev !== true));
  }
  const parent = mkdtempSync(join(tmpdir(), "triptych-sbom-"));
  try {
    // npm names the application after its folder.
    const cwd = join(parent, manifest.name);
    mkdirSync(cwd);
    writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(cwd, "package-lock.json"), JSON.stringify(lock));
    const sbom = JSON.parse(execFileSync("npm", ARGUMENTS, { cwd, encoding: "utf8" })) as Record<string, object>;
    // The same lock file gives the same document.
    delete sbom["serialNumber"];
    const { timestamp: _timestamp, ...metadata } = sbom["metadata"] as { timestamp: string };
    return { ...sbom, metadata };
  } finally {
    rmSync(parent, { recursive: true });
  }
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, "..", path), "utf8"));
}

if (import.meta.main) console.log(JSON.stringify(createSbom(process.argv.includes("--dev")), null, 2));
