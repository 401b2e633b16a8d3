/**
 * Builds the console into dist/console: run by the service (src/serve/console-build.ts), by `npm run prepack` and by tests.
 * build.json has the hash of the sources, by which a later start knows that nothing has changed.
 */
import { createHash } from "node:crypto";
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const OUT = join(ROOT, "dist/console");
/** The lock file too: another version of a library is another console. */
const SOURCES = ["console/**/*", "client/*.ts", "src/domain/csv.ts", "package-lock.json"];

if (import.meta.main) {
  try {
    if (!process.argv.includes("--if-stale") || isStale()) {
      const began = performance.now();
      await buildConsole();
      process.stdout.write(`built in ${Math.round(performance.now() - began)} ms\n`);
    }
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = 1;
  }
}

export function isStale(): boolean {
  try {
    const { hash } = JSON.parse(readFileSync(join(OUT, "build.json"), "utf8")) as { hash: string };
    return hash !== hashSources();
  } catch {
    return true;
  }
}

/** Beside the folder first, so that a service never reads half a build. */
export async function buildConsole(): Promise<void> {
  const hash = hashSources();
  const [{ build }, { default: config }] = await Promise.all([import("vite"), import("./vite.config.ts")]);
  const target = `${OUT}.${process.pid}`;
  try {
    await build({
      ...config,
      configFile: false,
      logLevel: "silent",
      build: { ...config.build, outDir: target, emptyOutDir: true },
    });
    const assets = globSync("*", { cwd: join(target, "assets") }).toSorted();
    writeFileSync(join(target, "build.json"), `${JSON.stringify({ hash, assets }, null, 2)}\n`);
    rmSync(OUT, { recursive: true, force: true });
    renameSync(target, OUT);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

function hashSources(): string {
  const hash = createHash("sha256");
  const files = globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
  for (const file of files)
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(readFileSync(file))
      .update("\0");
  return hash.digest("hex");
}

function describe(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === "ERR_MODULE_NOT_FOUND") return 'a dependency is missing; run "npm ci" with the development dependencies';
  return String(message ?? error).split("\n")[0] ?? "";
}
