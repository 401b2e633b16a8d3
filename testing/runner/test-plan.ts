/** Which jobs a run consists of, and in which order they start. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Job } from "./test-job.ts";
import { ROOT } from "#testing/import-graph.ts";
import { listTestFiles, readTestFile, type TestFile } from "./test-files.ts";

/** What the run prepares once for all files that need it. */
export const RESOURCES = ["postgres", "demo", "postgresDemo"] as const;
export type Resource = (typeof RESOURCES)[number];

export interface PlannedJob extends Job {
  needs: Resource[];
  /** Runs files once more, on another store; as many tests of each must pass. */
  isRepeat: boolean;
  /** Before all others, with nothing beside it: on a machine at rest. */
  runsAlone: boolean;
}

const testFiles = (...names: string[]) => new Set(names.map((name) => `tests/${name}.test.ts`));

/**
 * What is promised over HTTP holds on every store. These run on a file and once more on PostgreSQL: each operation's
 * answers, pages beside writes, and texts that would be code in a statement.
 */
export const ON_BOTH_STORES = testFiles("contract", "pagination-writes", "injection");

/**
 * On PostgreSQL only in a full run: HTTP, parameters and errors, which no store decides, and files whose reads and writes of
 * a store are those that the conformance.ts of each concern of src/store and tests/both-stores.test.ts have on both in every
 * run. That nodes share their limits, and the end of cached answers, tests/nodes.test.ts proves there.
 */
export const ON_BOTH_STORES_IN_FULL = testFiles(
  "test-server",
  "http",
  "fields",
  "parameters",
  "errors",
  "limits",
  "page-tokens",
  "everything-readable",
  "not-found",
  "pagination",
  "pagination-worlds",
  "cross-platform-search",
  "posts",
  "charts",
  "history",
  "response-cache",
  "auth",
  "admin",
);

/**
 * Left out of a usual run, unless they are named. A service under load says something only with nothing beside it, and for
 * longer than such a run has; what it does at a single request, stop or kill, others test in every run. So they do with one
 * importer, with nodes that share limits, and with a store whose servers end, hang and come back (servers.test.ts). The
 * commands of the guides and the runner change seldom.
 */
export const IN_FULL_ONLY = new Set([
  ...testFiles(
    "slow/flood",
    "slow/steady-load",
    "slow/killed-service",
    "slow/power-loss",
    "many-clients",
    "rolling-restarts",
  ),
  ...testFiles("concurrent-imports", "live-nodes", "store-unavailable", "guides"),
  "testing/runner/run-tests.test.ts",
]);

/** Longest first, so that none of them starts last and keeps one core busy alone. The order costs time, not proof. */
export const STARTED_FIRST = [
  "tests/console/console.test.ts",
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
  "tests/live-nodes.test.ts",
  "tests/failing-disk.test.ts",
  "tests/demo-command.test.ts",
  "tests/cli.test.ts",
  "tests/package.test.ts",
  "tests/slow-clients.test.ts",
  "tests/workers.test.ts",
  "tests/workers-end.test.ts",
  "tests/uploads.test.ts",
  "tests/expressions.test.ts",
  "tests/import-resume.test.ts",
  "tests/guides.test.ts",
  "tests/backup.test.ts",
  "tests/retention.test.ts",
  "tests/export.test.ts",
];

/** Claims about latency or throughput: where their bounds are checked, nothing runs beside them. */
export const MEASURED_ALONE = new Set([
  "tests/slow/flood.test.ts",
  "tests/many-clients.test.ts",
  "tests/rolling-restarts.test.ts",
  "tests/console/console.test.ts",
]);

/** What ends with the process of a file is what these are about. */
const ABOUT_PROCESSES = new Set(["testing/runner/run-tests.test.ts", "tests/postgres/server.test.ts"]);

/** Files that share a process are divided among this many. */
const SHARED_PROCESSES = { units: 2, services: 3, programs: 3 };
const SHARED_PROCESSES_ON_POSTGRES = 2;

export interface Selection {
  /** Paths or parts of paths; all files if empty. */
  patterns: string[];
  /** Only files that start no process beside their own. */
  inProcessOnly: boolean;
  /** Only files that prove a claim. */
  claimsOnly: boolean;
  /** With the bounds, samples and stores of a full run or a run of claims. */
  isFull: boolean;
}

export function planJobs({ patterns, inProcessOnly, claimsOnly, isFull }: Selection): PlannedJob[] {
  const files = selectFiles(patterns).filter(
    ({ path, usesProcesses, provesClaims }) =>
      !(inProcessOnly && usesProcesses) &&
      (provesClaims || !claimsOnly) &&
      (isFull || patterns.length > 0 || !IN_FULL_ONLY.has(path)),
  );
  const shares = (file: TestFile) => canShare(file, isFull) && !claimsOnly;
  const repeated = isFull ? ON_BOTH_STORES.union(ON_BOTH_STORES_IN_FULL) : ON_BOTH_STORES;
  const again = inProcessOnly ? [] : files.filter(({ path }) => repeated.has(path));
  const own = [
    ...files.filter((file) => !shares(file)).map((file) => jobOf([file], "")),
    ...again.filter((file) => !shares(file)).map((file) => postgresJobOf([file])),
  ].toSorted((a, b) => placeOf(a) - placeOf(b));
  const shared = files.filter(shares);
  const ofKind = (kind: keyof typeof SHARED_PROCESSES) =>
    divide(
      shared.filter((file) => kindOf(file) === kind),
      SHARED_PROCESSES[kind],
    ).map((part, at) => jobOf(part, `${kind}, process ${at + 1}`));
  const isLong = (job: PlannedJob) => placeOf(job) < STARTED_FIRST.length;
  return [
    ...own.filter(isLong),
    ...ofKind("programs"),
    ...ofKind("services"),
    ...divide(again.filter(shares), SHARED_PROCESSES_ON_POSTGRES).map(postgresJobOf),
    ...ofKind("units"),
    ...own.filter((job) => !isLong(job)),
  ].map((job) => ({ ...job, runsAlone: isFull && job.files.some((path) => MEASURED_ALONE.has(path)) }));
}

export class UnknownTestFile extends Error {
  constructor(pattern: string) {
    super(`No test file has ${pattern} in its path.`);
  }
}

function selectFiles(patterns: string[]): TestFile[] {
  const all = listTestFiles();
  if (patterns.length === 0) return all.map(readTestFile);
  const selected = patterns.flatMap((pattern) => {
    const matching = all.filter((path) => path.includes(pattern));
    if (matching.length > 0) return matching;
    if (statSync(resolve(ROOT, pattern), { throwIfNoEntry: false })?.isFile() !== true)
      throw new UnknownTestFile(pattern);
    return [resolve(ROOT, pattern)];
  });
  return selected.map(readTestFile);
}

/** What is long or about what a process leaves has one of its own, and what proves a claim in a full run. */
function canShare({ path, canShareProcess, usesProcesses, provesClaims }: TestFile, isFull: boolean): boolean {
  if (!canShareProcess || MEASURED_ALONE.has(path) || ABOUT_PROCESSES.has(path)) return false;
  return !usesProcesses || !((provesClaims && isFull) || STARTED_FIRST.includes(path));
}

function kindOf({ usesProcesses, usesServices }: TestFile): keyof typeof SHARED_PROCESSES {
  if (usesProcesses) return "programs";
  return usesServices ? "services" : "units";
}

function jobOf(files: TestFile[], ofSeveral: string): PlannedJob {
  return {
    name: nameOf(files, `test files of ${ofSeveral}`),
    files: files.map(({ path }) => path),
    env: {},
    maySkip: true,
    needs: [
      ...(files.some(({ usesPostgres }) => usesPostgres) ? ["postgres" as const] : []),
      ...(files.some(({ usesDemo, usesPostgresDemo }) => usesDemo && !usesPostgresDemo) ? ["demo" as const] : []),
      ...(files.some(({ usesPostgresDemo }) => usesPostgresDemo) ? ["postgresDemo" as const] : []),
    ],
    isRepeat: false,
    runsAlone: false,
  };
}

function postgresJobOf(files: TestFile[], at = 0): PlannedJob {
  return {
    name: `${nameOf(files, `test files, process ${at + 1},`)} on PostgreSQL`,
    files: files.map(({ path }) => path),
    env: { TEST_STORE: "postgres" },
    maySkip: false,
    needs: ["postgres", ...(files.some(({ usesDemo }) => usesDemo) ? ["postgresDemo" as const] : [])],
    isRepeat: true,
    runsAlone: false,
  };
}

function nameOf(files: TestFile[], ofSeveral: string): string {
  const [file] = files;
  return file !== undefined && files.length === 1 ? file.path : `${files.length} ${ofSeveral}`;
}

/** One after the other to each part, as neighbours in the order of names take similarly long. */
function divide<Item>(items: Item[], parts: number): Item[][] {
  return Array.from({ length: Math.min(parts, items.length) }, (_, part) =>
    items.filter((_item, at) => at % parts === part),
  );
}

function placeOf({ files: [file = ""] }: PlannedJob): number {
  const place = STARTED_FIRST.indexOf(file);
  return place === -1 ? STARTED_FIRST.length : place;
}
