/**
 * Builds dist/, what `npm pack` ships: Node does not strip types below node_modules. Types are stripped as Node strips
 * them when it runs the clone, so both forms run the same code; tsc writes the declarations of what `exports` names,
 * Vite the console, and scripts/pages what is served below /docs/.
 */
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { dirname, join, resolve } from "node:path";
import { buildConsole, isStale } from "../console/build.ts";
import { buildPages } from "./pages/build.ts";

const ROOT = resolve(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");
const NOT_SHIPPED = ["**/*.test.ts", "src/**/*conformance.ts", "**/fixtures/**"];

/** A relative specifier of an import, or of a file that is started as a thread or process. */
const RELATIVE_SOURCE = /(\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)(["'])(\.{1,2}\/[^"'\n]+)\.ts\2/g;

interface Manifest {
  name: string;
  version: string;
  imports: Record<string, string>;
  exports: Record<string, string | { types: string; default: string }>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;

// The console that is there is kept where its sources are those it was built from.
for (const name of globSync("*", { cwd: DIST })) {
  if (name !== "console") rmSync(join(DIST, name), { recursive: true, force: true });
}
writeDeclarations();
for (const file of globSync(["src/**/*.ts", "client/*.ts"], { cwd: ROOT, exclude: NOT_SHIPPED })) writeScript(file);
cpSync(join(ROOT, "demo"), join(DIST, "demo"), { recursive: true });
if (isStale()) await buildConsole();
await buildPages();
// The nearest package.json decides what `#domain/post.ts` means: this one maps it to the compiled file.
writeFileSync(
  join(DIST, "package.json"),
  `${JSON.stringify({ name: manifest.name, version: manifest.version, type: "module", imports: compiledImports() }, null, 2)}\n`,
);

function writeScript(file: string): void {
  const code = stripTypeScriptTypes(readFileSync(join(ROOT, file), "utf8"));
  const target = join(DIST, file.replace(/\.ts$/, ".js"));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code.replaceAll(RELATIVE_SOURCE, "$1$2$3.js$2"));
}

function compiledImports(): Record<string, string> {
  const shipped = Object.entries(manifest.imports).filter(([, path]) => path.startsWith("./src/"));
  return Object.fromEntries(
    shipped.map(([name, path]) =>
      path.endsWith("/*") ? [`${name}.ts`, `${path}.js`] : [name, path.replace(/\.ts$/, ".js")],
    ),
  );
}

/** Declarations of everything that those of the exported modules import, and of nothing else. */
function writeDeclarations(): void {
  const tsc = createRequire(import.meta.url).resolve("typescript/package.json");
  const { status, error } = spawnSync(
    process.execPath,
    // Several threads would check much of it more than once: one takes a third of the processor time.
    [join(dirname(tsc), "bin", "tsc"), "--singleThreaded", "-p", join(ROOT, "tsconfig.build.json")],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  if (status !== 0) throw new Error(`tsc failed (${error?.message ?? `exit code ${status}`})`);
  const entries = Object.values(manifest.exports).flatMap((target) => (typeof target === "string" ? [] : target.types));
  const needed = new Set(entries.map((path) => path.replace("./dist/", "")));
  for (const file of needed) {
    const text = readFileSync(join(DIST, file), "utf8");
    for (const [, specifier = ""] of text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)["']([.#][^"']+)["']/g)) {
      needed.add(declarationOf(file, specifier));
    }
    writeFileSync(join(DIST, file), text.replaceAll(RELATIVE_SOURCE, "$1$2$3.js$2"));
  }
  for (const file of globSync("**/*.d.ts", { cwd: DIST })) {
    if (!needed.has(file.replaceAll("\\", "/"))) rmSync(join(DIST, file));
  }
}

function declarationOf(file: string, specifier: string): string {
  if (specifier.startsWith(".")) return join(dirname(file), specifier).replaceAll("\\", "/").replace(/\.ts$/, ".d.ts");
  const exact = manifest.imports[specifier];
  const folder = specifier.slice(0, specifier.indexOf("/") + 1);
  const path = exact ?? manifest.imports[`${folder}*`]?.replace("*", specifier.slice(folder.length));
  if (path === undefined) throw new Error(`${file} imports ${specifier}, which package.json does not map`);
  return path.replace("./", "").replace(/\.ts$/, ".d.ts");
}
