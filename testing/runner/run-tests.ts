/**
 * Runs the tests: several processes at a time, each of one file or of several in turn, with limits, on one PostgreSQL. Ends with the
 * totals, and with a non-zero exit code if a test failed, was cut off or left anything behind. Nothing is tried again.
 *
 *   node testing/runner/run-tests.ts [part of a path …] [--in-process] [--full | --hard] [--concurrency N]
 *
 * --full takes larger samples (testing/budget.ts). --hard does so with the files that prove what the project promises, and
 * ends with a line per claim (testing/claims.ts).
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { SETTINGS } from "#config";
import { DEMO_DATABASE_VARIABLE, DEMO_FOLDER_VARIABLE, DEMO_TIME_VARIABLE } from "#testing/demo-store.ts";
import { openToServer, serverTemporaryFolder } from "#tests/postgres/binaries.ts";
import { RUN_SERVER_VARIABLE } from "#tests/postgres/run-server.ts";
import { describeFullRun, FULL_VARIABLE, type FullRun } from "#testing/budget.ts";
import { formatClaim } from "#testing/claims.ts";
import { CAN_READ_ENVIRONMENTS, hasInEnvironment, listProcesses, signal } from "#testing/processes.ts";
import type { RunPostgres } from "./run-postgres.ts";
import { stripSources } from "./strip-sources.ts";
import { type JobResult, type Limits, runJob } from "./test-job.ts";
import {
  IN_FULL_ONLY,
  ON_BOTH_STORES,
  ON_BOTH_STORES_IN_FULL,
  type PlannedJob,
  planJobs,
  type Resource,
  RESOURCES,
  UnknownTestFile,
} from "./test-plan.ts";

const { values: options, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: {
    "in-process": { type: "boolean", default: false },
    full: { type: "boolean", default: false },
    hard: { type: "boolean", default: false },
    concurrency: { type: "string", default: String(Math.max(2, availableParallelism()) + 2) },
    "test-limit": { type: "string" },
    "file-limit": { type: "string" },
    "linger-limit": { type: "string" },
    "cleanup-limit": { type: "string" },
  },
});

const isFull = options.full || options.hard;

/** Many times what they take on two idle cores: a limit is for what never ends. */
const limits: Limits = {
  testMs: Number(options["test-limit"] ?? (isFull ? 900 : 240)) * 1000,
  fileMs: Number(options["file-limit"] ?? (isFull ? 1_200 : 360)) * 1000,
  lingerMs: Number(options["linger-limit"] ?? 60) * 1000,
  cleanupMs: Number(options["cleanup-limit"] ?? 30) * 1000,
};

const MEMORY_FOLDER = "/dev/shm";
/** Several times what the usual run has at a time. */
const MEMORY_BYTES = 8 * 1024 ** 3;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const RUN_VARIABLE = "TRIPTYCH_TEST_RUN";
const runId = randomBytes(6).toString("hex");

const began = performance.now();
const folder = makeRunFolder();
const stopping = new AbortController();
let exitCode = 0;
for (const [name, code] of Object.entries(EXIT_CODES)) {
  process.on(name, () => {
    exitCode = code;
    stopping.abort();
  });
}
prepareEnvironment();

const results: JobResult[] = [];
const problems: string[] = [];
const prepared: { postgres?: RunPostgres } = {};
const PREPARE: Record<Resource, () => Promise<void>> = {
  postgres: () => (postgresStarted = preparePostgres()),
  demo: prepareDemo,
  postgresDemo: preparePostgresDemo,
};
let postgresStarted: Promise<void> = Promise.resolve();
try {
  await runAll(planJobs({ patterns, inProcessOnly: options["in-process"], claimsOnly: options.hard, isFull }));
} catch (error) {
  if (!(error instanceof UnknownTestFile)) throw error;
  problems.push(error.message);
} finally {
  await prepared.postgres?.stop();
  problems.push(...compareStores(), ...endLeftProcesses());
  rmSync(folder, { recursive: true, force: true });
}
printSummary();
process.exitCode = exitCode;

function makeRunFolder(): string {
  // Stores write and sync all the time, and nothing of it is kept. Larger samples need more room.
  const isInMemory = !isFull && process.env["TMPDIR"] === undefined && hasRoomInMemory();
  const path = mkdtempSync(join(isInMemory ? MEMORY_FOLDER : serverTemporaryFolder(), "triptych-tests-"));
  for (const part of ["", "events", "tmp", "tmp/run"]) {
    mkdirSync(join(path, part), { recursive: true });
    openToServer(join(path, part));
  }
  return path;
}

/** Whether files can be kept in memory, and run there: PostgreSQL's programs may have to be copied. */
function hasRoomInMemory(): boolean {
  if (process.platform !== "linux") return false;
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const flags = mounts.map((line) => line.split(" ")).find(([, place]) => place === MEMORY_FOLDER)?.[3] ?? "noexec";
  if (flags.split(",").some((flag) => flag === "noexec" || flag === "ro")) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return Math.min(bavail * bsize, process.availableMemory()) > MEMORY_BYTES;
}

/** What the tests' processes inherit: no settings of the person who runs them, neither Triptych's nor PostgreSQL's. */
function prepareEnvironment(): void {
  const settings = new Set(SETTINGS.map(({ name }) => name));
  for (const name of Object.keys(process.env)) {
    if (settings.has(name) || name.startsWith("PG") || name.startsWith("TRIPTYCH_TEST_")) delete process.env[name];
  }
  delete process.env["NODE_TEST_CONTEXT"];
  delete process.env["TEST_STORE"];
  process.env["TMPDIR"] = join(folder, "tmp/run");
  // Each source is compiled once for all processes of the run, and of the runs that its tests start.
  process.env["NODE_COMPILE_CACHE"] ??= join(folder, "compile-cache");
  process.env["NODE_OPTIONS"] = `--import=${loaderUrl().href}`;
  process.env[RUN_VARIABLE] = runId;
  if (isFull) process.env[FULL_VARIABLE] = (options.hard ? "hard" : "full") satisfies FullRun;
}

function loaderUrl(): URL {
  const url = new URL("load-sources.ts", import.meta.url);
  if (patterns.length > 0) return url;
  // Takes a second, which a run of few files does not save.
  const stripped = join(folder, "stripped");
  stripSources(stripped);
  url.searchParams.set("stripped", stripped);
  return url;
}

async function preparePostgres(): Promise<void> {
  const { startRunPostgres } = await import("./run-postgres.ts");
  prepared.postgres = await startRunPostgres();
  const { programs, data, port } = prepared.postgres;
  process.env[RUN_SERVER_VARIABLE] = JSON.stringify({ programs, data, port });
}

/** A file with the demo world that services begin with: filling it takes longer than most of what is asked of it. */
async function prepareDemo(): Promise<void> {
  const path = join(folder, "demo");
  mkdirSync(path);
  await fillDemo(path);
  process.env[DEMO_FOLDER_VARIABLE] = path;
}

/** The same as a database to copy. Begins when the server has started. */
async function preparePostgresDemo(): Promise<void> {
  await postgresStarted;
  if (prepared.postgres === undefined) throw new Error("there is no server");
  process.env[DEMO_DATABASE_VARIABLE] = await prepared.postgres.createDemoTemplate(fillDemo);
}

async function fillDemo(target: string): Promise<void> {
  // Both stores and all tests have the same demo world.
  process.env[DEMO_TIME_VARIABLE] ??= String(Date.now());
  const program = join(import.meta.dirname, "demo-template.ts");
  await promisify(execFile)(process.execPath, [program, target], { signal: stopping.signal });
}

async function runAll(jobs: PlannedJob[]): Promise<void> {
  const ready = new Set<Resource>();
  const missing = new Set<Resource>();
  // Those that are still under way: a settled one would let a job that waits spin.
  const preparing = new Set<Promise<unknown>>();
  for (const resource of RESOURCES.filter((name) => jobs.some(({ needs }) => needs.includes(name)))) {
    const preparation: Promise<unknown> = PREPARE[resource]()
      .then(
        () => ready.add(resource),
        (error: unknown) => {
          missing.add(resource);
          problems.push(`${resource} could not be prepared: ${error instanceof Error ? error.message : String(error)}`);
        },
      )
      .finally(() => preparing.delete(preparation));
    preparing.add(preparation);
  }
  let number = 0;
  const work = async (waiting: PlannedJob[]) => {
    while (waiting.length > 0 && !stopping.signal.aborted) {
      const next = waiting.findIndex(({ needs }) =>
        needs.every((resource) => ready.has(resource) || missing.has(resource)),
      );
      const [job] = next === -1 ? [] : waiting.splice(next, 1);
      if (job === undefined) await Promise.race(preparing);
      else if (job.needs.some((resource) => missing.has(resource))) problems.push(`${job.name} was not run.`);
      else {
        const result = await runJob(job, { folder, id: `${runId}-${++number}` }, limits, stopping.signal);
        results.push(result);
        printResult(result);
      }
    }
  };
  const alone = jobs.filter(({ runsAlone }) => runsAlone);
  if (alone.length > 0) await Promise.all(preparing);
  await work(alone);
  const others = jobs.filter(({ runsAlone }) => !runsAlone);
  await Promise.all(Array.from({ length: Number(options.concurrency) }, () => work(others)));
  await Promise.all(preparing);
}

/** A suite that silently ran less on the other store has proved nothing there. */
function compareStores(): string[] {
  const planned = results.map((result) => ({ ...result, ...(result.job as PlannedJob) }));
  return planned.flatMap(({ isRepeat, files, passedOf, failures }) =>
    files.flatMap((file) => {
      const first = planned.find((other) => !other.isRepeat && other.files.includes(file));
      if (!isRepeat || first === undefined || failures.length > 0 || first.failures.length > 0) return [];
      const [here, there] = [passedOf.get(file) ?? 0, first.passedOf.get(file) ?? 0];
      return here === there
        ? []
        : [`${file} passed ${here} tests on PostgreSQL, and ${there} on a file; both must be the same.`];
    }),
  );
}

function printResult({ job, passed, skipped, failures, seconds, output }: JobResult): void {
  const verdict = failures.length === 0 ? "ok  " : "FAIL";
  const counts = [`${passed} passed`, ...(failures.length > 0 ? [`${failures.length} failed`] : [])];
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
  console.log(`${verdict} ${seconds.toFixed(1).padStart(6)} s  ${job.name}: ${counts.join(", ")}`);
  for (const { title, place, error } of failures) {
    console.log(`\n  ${title}\n  at ${place}\n${error.replaceAll(/^/gm, "    ")}\n`);
  }
  if (failures.length > 0 && output.trim() !== "")
    console.log(`  Output:\n${output.trim().replaceAll(/^/gm, "    ")}\n`);
}

/** Each job has ended its own; this finds what the run itself left, and what escaped. */
function endLeftProcesses(): string[] {
  if (!CAN_READ_ENVIRONMENTS) return [];
  return listProcesses()
    .filter(({ pid }) => pid !== process.pid && hasInEnvironment(pid, `${RUN_VARIABLE}=${runId}`))
    .map(({ pid, command }) => {
      signal(pid, "SIGKILL");
      return `A process was left running and has been ended: ${pid} ${command}`;
    });
}

/** In the order of the files, so that two runs can be compared line by line. */
function printClaims(): void {
  console.log("");
  for (const { job, claims, skipped, failures } of results.toSorted((a, b) => (a.job.name < b.job.name ? -1 : 1))) {
    const where = job.env["TEST_STORE"] === undefined ? "" : " (PostgreSQL)";
    for (const claim of claims) console.log(`ok    ${formatClaim(claim)}${where}`);
    for (const { title, reason } of skipped) console.log(`skip  ${title}${where}: ${reason}`);
    for (const { title, place } of failures) console.log(`FAIL  ${title}${where}, at ${place}`);
  }
}

function printSummary(): void {
  const sum = (of: (result: JobResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const failed = sum(({ failures }) => failures.length) + problems.length;
  const skipped = sum((result) => result.skipped.length);
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, 5);
  console.log("");
  if (!CAN_READ_ENVIRONMENTS)
    console.log("This system does not show environments: detached processes were not looked for.");
  for (const { job, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${job.name}`);
  for (const { job, skipped: left } of results) {
    const reasons = new Set(left.map(({ reason }) => reason));
    for (const reason of reasons) console.log(`skip  ${job.name}: ${reason}`);
  }
  for (const { job, failures } of results) {
    for (const { title } of failures) console.log(`FAIL  ${job.name}: ${title}`);
  }
  for (const problem of problems) console.log(`FAIL  ${problem}`);
  if (options.hard) printClaims();
  if (options.full) {
    for (const line of describeFullRun()) console.log(`This full run did ${line}.`);
    const [more, usual] = [ON_BOTH_STORES_IN_FULL.size, ON_BOTH_STORES.size];
    console.log(`This full run has ${more + usual} instead of ${usual} test files that run on both stores.`);
    for (const path of IN_FULL_ONLY) console.log(`This full run has ${path}.`);
  }
  if (!isFull && patterns.length === 0) console.log(`Left to the full run: ${[...IN_FULL_ONLY].join(", ")}.`);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`\n${results.length} jobs in ${Math.floor(seconds / 60)} min ${seconds % 60} s`);
  console.log(`${sum((result) => result.passed)} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  if (stopping.signal.aborted) console.log("Stopped before the end.");
  else if (failed > 0 || results.length === 0) exitCode = 1;
}
