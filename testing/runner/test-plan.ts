/** Which jobs a run consists of, and in which order they start. */
import { resolve } from "node:path";
import type { Job } from "./test-job.ts";
import { findTestFiles, readTestFile, ROOT, type TestFile } from "./test-files.ts";

/** What the run prepares once for all files that need it. */
export const RESOURCES = ["postgres", "demo", "postgresDemo"] as const;
export type Resource = (typeof RESOURCES)[number];

export interface PlannedJob extends Job {
  needs: Resource[];
  /** The file that this job runs again on another store; as many tests must pass. */
  repeats: string | null;
  /** After all others, with nothing beside it. */
  runsAlone: boolean;
}

/** What is promised over HTTP holds on every store: these run on a file and once more on PostgreSQL. */
export const ON_BOTH_STORES = new Set(
  [
    "contract",
    "pagination",
    "pagination-writes",
    "pagination-worlds",
    "page-tokens",
    "not-found",
    "cross-platform-search",
    "history",
    "charts",
    "posts",
    "everything-readable",
    "test-server",
    "http",
    "fields",
    "parameters",
    "rejected-requests",
    "response-cache",
    "errors",
    "injection",
    "auth",
    "admin",
    "limits",
  ].map((name) => `tests/${name}.test.ts`),
);

/** Longest first, so that none of them starts last and keeps one core busy alone. The order costs time, not proof. */
export const STARTED_FIRST = [
  "tests/both-stores.test.ts",
  "tests/concurrent-imports.test.ts",
  "src/store/postgres/store.test.ts",
  "src/store/postgres/servers.test.ts",
  "tests/store-unavailable.test.ts",
  "tests/import-timeout.test.ts",
  "tests/import.test.ts",
  "tests/slow/killed-import.test.ts",
  "tests/slow/steady-load.test.ts",
  "tests/slow/killed-service.test.ts",
  "tests/failing-disk.test.ts",
  "tests/demo-command.test.ts",
  "tests/cli.test.ts",
  "tests/package.test.ts",
  "tests/console/console.test.ts",
  "tests/slow-clients.test.ts",
  "tests/response-cache.test.ts",
  "tests/workers.test.ts",
  "tests/workers-end.test.ts",
  "tests/uploads.test.ts",
  "tests/expressions.test.ts",
  "tests/import-resume.test.ts",
  "tests/guides.test.ts",
  "tests/contract.test.ts",
  "tests/relevance.test.ts",
];

/** Claims about latency or throughput: in a run of claims nothing runs beside them. */
export const MEASURED_ALONE = new Set([
  "tests/overload.test.ts",
  "tests/many-clients.test.ts",
  "tests/console/console.test.ts",
]);

/** Files that share a process are divided among this many. */
const SHARED_PROCESSES = 2;

export interface Selection {
  /** Paths or parts of paths; all files if empty. */
  patterns: string[];
  /** Only files that start no process beside their own. */
  inProcessOnly: boolean;
  /** Only files that prove a claim. */
  claimsOnly: boolean;
}

export function planJobs({ patterns, inProcessOnly, claimsOnly }: Selection): PlannedJob[] {
  const files = selectFiles(patterns).filter(
    ({ usesProcesses, provesClaims }) => !(inProcessOnly && usesProcesses) && (provesClaims || !claimsOnly),
  );
  const own = files.filter(({ canShareProcess }) => !canShareProcess);
  const shared = files.filter(({ canShareProcess }) => canShareProcess);
  const jobs = own.map((file) => jobOf(file));
  const again = inProcessOnly ? [] : own.filter(({ path }) => ON_BOTH_STORES.has(path)).map(postgresJobOf);
  const inOrder = [...jobs, ...again].toSorted((a, b) => placeOf(a) - placeOf(b));
  return [...sharedJobsOf(shared), ...inOrder].map((job) => ({
    ...job,
    runsAlone: claimsOnly && job.files.some((path) => MEASURED_ALONE.has(path)),
  }));
}

function selectFiles(patterns: string[]): TestFile[] {
  const all = findTestFiles();
  if (patterns.length === 0) return all;
  return patterns.flatMap((pattern) => {
    const matching = all.filter(({ path }) => path.includes(pattern));
    return matching.length > 0 ? matching : [readTestFile(resolve(ROOT, pattern))];
  });
}

function jobOf({ path, usesPostgres, usesDemo }: TestFile): PlannedJob {
  const needs: Resource[] = [...(usesPostgres ? ["postgres" as const] : []), ...(usesDemo ? ["demo" as const] : [])];
  return { name: path, files: [path], env: {}, maySkip: true, needs, repeats: null, runsAlone: false };
}

function postgresJobOf({ path, usesDemo }: TestFile): PlannedJob {
  return {
    name: `${path} on PostgreSQL`,
    files: [path],
    env: { TEST_STORE: "postgres" },
    maySkip: false,
    needs: ["postgres", ...(usesDemo ? ["postgresDemo" as const] : [])],
    repeats: path,
    runsAlone: false,
  };
}

function sharedJobsOf(files: TestFile[]): PlannedJob[] {
  return Array.from({ length: SHARED_PROCESSES }, (_, number) =>
    files.filter((_file, at) => at % SHARED_PROCESSES === number),
  )
    .filter((part) => part.length > 0)
    .map((part, number) => ({
      name: part.length === 1 ? (part[0]?.path ?? "") : `${part.length} unit test files, process ${number + 1}`,
      files: part.map(({ path }) => path),
      env: {},
      maySkip: true,
      needs: [],
      repeats: null,
      runsAlone: false,
    }));
}

function placeOf({ files: [file = ""] }: PlannedJob): number {
  const place = STARTED_FIRST.indexOf(file);
  return place === -1 ? STARTED_FIRST.length : place;
}
