/** What a test file needs, read from its imports: a process of its own, other processes, PostgreSQL, or none of these. */
import { globSync, readFileSync } from "node:fs";
import { resolve, sep } from "node:path";
import { parseImports, ROOT } from "#testing/import-graph.ts";

export interface TestFile {
  /** From the repository's root, with slashes. */
  path: string;
  /** Starts programs, worker processes or a PostgreSQL. */
  usesProcesses: boolean;
  /** Starts or uses a PostgreSQL, whichever store the tests are told to use. */
  usesPostgres: boolean;
  /** Opens services on the demo world. */
  usesDemo: boolean;
  /** Does so on a PostgreSQL, whichever store the tests are told to use. */
  usesPostgresDemo: boolean;
  /** Proves something that the project promises: see testing/claims.ts. */
  provesClaims: boolean;
  /** Starts services or threads in its own process. */
  usesServices: boolean;
  /** Changes nothing that others in its process would see. */
  canShareProcess: boolean;
}

const USES_DEMO = /\bstartTestServer\((?:\)|"demo")|\bcopyDemoStore\(/;
/** A method that `t.mock` replaces is back when its test ends. */
const OF_THE_PROCESS =
  /(?<![\w.])mock\.(?:method|getter|setter|module|property|timers)\b|process\.env\[?.*\]? = |fc\.configureGlobal|globalThis\.\w+ = |memoryUsage|chdir\(/;
/** So are timers, but what a service does meanwhile may wait for one. */
const MOCKS_TIMERS = /\bmock\.timers\b/;

const slashed = (path: string) => path.split(sep).join("/");

const known = new Map<string, string[]>();

function importsOf(file: string): string[] {
  let imports = known.get(file);
  if (imports === undefined) {
    const text = readFileSync(resolve(ROOT, file), "utf8");
    imports = parseImports(file, text)
      .filter(({ isStatic, isTypeOnly }) => isStatic && !isTypeOnly)
      .map(({ target }) => slashed(target));
    known.set(file, imports);
  }
  return imports;
}

/** Everything that loading the file loads: our own files by path, packages and modules of Node by name. */
export function loadedBy(file: string): Set<string> {
  const loaded = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const target of importsOf(next)) {
      if (loaded.has(target)) continue;
      loaded.add(target);
      if (target.endsWith(".ts")) waiting.push(target);
    }
  }
  return loaded;
}

export function readTestFile(path: string): TestFile {
  const loaded = loadedBy(path);
  const text = readFileSync(resolve(ROOT, path), "utf8");
  const usesProcesses = ["node:child_process", "node:cluster", "playwright-core"].some((name) => loaded.has(name));
  const usesServices = loaded.has("node:worker_threads") || loaded.has("src/serve/start.ts");
  const usesPostgres = [...loaded].some((target) => target.startsWith("tests/postgres/"));
  return {
    path,
    usesProcesses,
    usesPostgres,
    usesDemo: USES_DEMO.test(text),
    usesPostgresDemo: text.includes("freshDemoDatabase("),
    provesClaims: loaded.has("testing/claims.ts"),
    usesServices,
    canShareProcess: !OF_THE_PROCESS.test(text) && !(usesServices && MOCKS_TIMERS.test(text)),
  };
}

export function listTestFiles(): string[] {
  return globSync("{src,tests,testing}/**/*.test.ts", { cwd: ROOT }).map(slashed).toSorted();
}
