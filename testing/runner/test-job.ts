/**
 * Runs test files in one child process with limits. The child leads a session of its own and gets its own temporary
 * folder, so that whatever it leaves behind can be named, ended and removed.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { openToServer } from "#tests/postgres/binaries.ts";
import type { Claim } from "#testing/claims.ts";
import { ROOT } from "#testing/import-graph.ts";
import { EVENTS_FILE_VARIABLE, type JobEvent, temporaryFolderOf } from "#testing/job-events.ts";
import {
  endGroup,
  hasInEnvironment,
  listProcesses,
  type ProcessInfo,
  processorSeconds,
  signal,
} from "#testing/processes.ts";

export const JOB_VARIABLE = "TRIPTYCH_TEST_JOB";

export interface Job {
  /** What the output calls it: the file's path, and the store if it is not the usual one. */
  name: string;
  files: string[];
  env: Record<string, string>;
  maySkip: boolean;
}

export interface Limits {
  testMs: number;
  fileMs: number;
  /** A process whose tests have all ended and that stays longer than this has something open. */
  lingerMs: number;
  /** For detached servers to notice that their test has ended, and to remove their folders. */
  cleanupMs: number;
}

export interface Failure {
  title: string;
  place: string;
  error: string;
}

export interface Skip {
  title: string;
  reason: string;
}

export interface JobResult {
  job: Job;
  passed: number;
  /** Of each file that passed a test. */
  passedOf: Map<string, number>;
  skipped: Skip[];
  failures: Failure[];
  /** In the order in which they were reported. */
  claims: Claim[];
  seconds: number;
  /** Everything that it printed. */
  output: string;
}

export interface Place {
  /** Of the run: temporary folders and files of events go there. */
  folder: string;
  /** Unique among the jobs of all runs. */
  id: string;
}

/** Time for a child to end after SIGTERM. */
const TERM_GRACE_MS = 3_000;
/** Processor time below which a process does nothing that a test waits for. */
const QUIET_PROCESSOR_S = 2;
const POLL_MS = 250;

export async function runJob(
  job: Job,
  { folder, id }: Place,
  limits: Limits,
  signalAbort: AbortSignal,
): Promise<JobResult> {
  const began = performance.now();
  const temporary = join(folder, "tmp", id);
  const eventsFile = join(folder, "events", `${id}.ndjson`);
  const isShared = job.files.length > 1;
  const folders = isShared ? job.files.map((_, at) => temporaryFolderOf(temporary, at)) : [];
  for (const path of [temporary, ...folders]) {
    await mkdir(path, { recursive: true });
    openToServer(path);
  }
  const child = spawn(
    process.execPath,
    [
      `--test-timeout=${limits.testMs}`,
      `--test-reporter=${join(ROOT, "testing/runner/event-reporter.ts")}`,
      "--test-reporter-destination=stdout",
      `--import=${pathToFileURL(join(ROOT, "testing/runner/announce-tests.ts")).href}`,
      ...(isShared ? [join(ROOT, "testing/runner/shared-process.ts")] : []),
      ...job.files,
    ],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        ...job.env,
        TMPDIR: temporary,
        [JOB_VARIABLE]: id,
        [EVENTS_FILE_VARIABLE]: eventsFile,
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error(`Node could not be started for ${job.name}.`);
  let output = "";
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.setEncoding("utf8").on("data", (text: string) => (output = (output + text).slice(-200_000)));
  }
  const exit = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once("exit", (code, name) => resolve(code ?? name ?? "SIGKILL"));
  });

  const events = new Events(eventsFile, job.files);
  const reason = await watch({ pid, exit }, events, limits, signalAbort);
  if (reason !== null) await endGroup(pid, TERM_GRACE_MS);
  const status = await exit;
  const left = await endLeftovers({ session: pid, id, folders }, limits.cleanupMs);
  // A pipe that a leftover held open has closed with it.
  child.stdout.destroy();
  child.stderr.destroy();
  events.read();
  const { passed, passedOf, skipped, failures, claims } = events;
  const fail = (title: string, error = "", place = job.name) => failures.push({ title, place, error });
  if (reason !== null) fail(reason, [events.running(), ...events.leftOpen()].join("\n"));
  else if (status !== 0 && failures.length === 0) {
    fail(typeof status === "number" ? `ended with exit code ${status}` : `was ended by ${status}`, events.running());
  }
  // Also those that were still to come when a shared process ended.
  if (reason === null && (isShared || failures.length === 0)) {
    for (const file of job.files) if (!events.hasResult(file)) fail("ran no test", "", file);
  }
  if (!job.maySkip && skipped.length > 0) fail(`${skipped.length} tests were skipped; none may be here`);
  for (const { pid: leftPid, command, folder: at } of left) {
    fail(`left a process running: ${leftPid} ${command}`, "", job.files[at]);
  }
  // What was cut off had no chance to remove its folders.
  if (reason === null && failures.length === 0) {
    for (const [at, file] of job.files.entries()) {
      const entries = readdirSync(folders[at] ?? temporary);
      if (entries.length > 0) fail(`left in its temporary folder: ${entries.join(", ")}`, "", file);
    }
  }
  await rm(temporary, { recursive: true, force: true });
  return { job, passed, passedOf, skipped, failures, claims, output, seconds: (performance.now() - began) / 1000 };
}

/** Resolves when the child has ended by itself (null), or with the reason why it must be ended. */
async function watch(
  { pid, exit }: { pid: number; exit: Promise<unknown> },
  events: Events,
  { fileMs, lingerMs }: Limits,
  signalAbort: AbortSignal,
): Promise<string | null> {
  let hasEnded = false;
  void exit.then(() => (hasEnded = true));
  let quietSince = performance.now();
  let usedThen = 0;
  for (;;) {
    await Promise.race([exit, delay(POLL_MS)]);
    if (hasEnded) return null;
    if (signalAbort.aborted) return "was stopped with the run";
    const now = performance.now();
    events.read();
    if (now - events.fileBegan > fileMs) return `was cut off after ${fileMs / 1000} s`;
    // Tests that give the event loop no turn are not reported while they run: so one that works is not quiet.
    const used = processorSeconds(pid);
    if (!events.areOver() || used === null || used - usedThen > QUIET_PROCESSOR_S) {
      quietSince = now;
      usedThen = used ?? 0;
    }
    if (now - quietSince > lingerMs) {
      return `was ended: its tests were over ${lingerMs / 1000} s ago, and something that they opened is still open`;
    }
  }
}

/** What the reporter in the child has written so far. */
class Events {
  passed = 0;
  readonly passedOf = new Map<string, number>();
  readonly skipped: Skip[] = [];
  /** When the file that is running did. */
  fileBegan = performance.now();
  readonly failures: Failure[] = [];
  readonly claims: Claim[] = [];
  readonly #file: string;
  readonly #testFiles: string[];
  /** Titles of tests without a result. */
  readonly #begun = new Set<string>();
  /** Suites and tests that are under way, each within the one before. */
  readonly #open: string[] = [];
  /** Files after which more was open than before, and the kinds of it. */
  readonly #leftOpen = new Map<string, string[]>();
  #openBefore: string[] = [];
  /** Files with a test that failed or was skipped. */
  readonly #notPassed = new Set<string>();
  #offset = 0;
  #rest = "";
  #hasEnded = false;

  constructor(file: string, testFiles: string[]) {
    this.#file = file;
    this.#testFiles = testFiles;
  }

  read(): void {
    const lines = (this.#rest + this.#unread()).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(JSON.parse(line) as JobEvent);
  }

  /** Whether a test has ended and none is running. */
  areOver(): boolean {
    return this.#hasEnded && this.#open.length === 0 && this.#begun.size === 0;
  }

  running(): string {
    const title = [...this.#begun].at(-1) ?? this.#open.join(" > ");
    return title === "" ? "No test was running." : `Running: ${title}`;
  }

  hasResult(file: string): boolean {
    return this.passedOf.has(file) || this.#notPassed.has(file);
  }

  leftOpen(): string[] {
    return [...this.#leftOpen].map(([file, kinds]) => `Open after ${file} and not before: ${kinds.join(", ")}`);
  }

  #unread(): string {
    if (!existsSync(this.#file)) return "";
    const descriptor = openSync(this.#file, "r");
    try {
      const parts: Buffer[] = [];
      for (;;) {
        const buffer = Buffer.alloc(65_536);
        const count = readSync(descriptor, buffer, 0, buffer.length, this.#offset);
        if (count === 0) return Buffer.concat(parts).toString();
        this.#offset += count;
        parts.push(buffer.subarray(0, count));
      }
    } finally {
      closeSync(descriptor);
    }
  }

  #take(event: JobEvent): void {
    switch (event.type) {
      case "begin":
        this.#begun.add(event.title);
        if (this.#testFiles.includes(event.title)) this.fileBegan = performance.now();
        return;
      case "start":
        this.#open.length = Math.min(this.#open.length, event.depth);
        this.#open.push(event.name);
        return;
      case "end":
        this.#open.length = Math.min(this.#open.length, event.depth);
        this.#hasEnded = true;
        // A file of which a test failed has no other line.
        if (event.depth === 0) this.#begun.delete(event.name);
        return;
      case "claim":
        this.claims.push(event);
        return;
      case "open":
        this.#takeOpen(event.file, event.resources);
        return;
      case "pass":
      case "skip":
      case "fail":
        this.#takeResult(event);
    }
  }

  #takeResult(event: JobEvent & { type: "pass" | "skip" | "fail" }): void {
    const { title } = event;
    this.#begun.delete(title);
    const file = this.#testFiles.find((path) => title === path || title.startsWith(`${path} > `)) ?? this.#testFiles[0];
    const isFile = title === file;
    if (event.type !== "pass") this.#notPassed.add(file ?? "");
    if (event.type === "skip") this.skipped.push(event);
    else if (event.type === "fail") this.failures.push(event);
    else if (!isFile) {
      this.passed++;
      this.passedOf.set(file ?? "", (this.passedOf.get(file ?? "") ?? 0) + 1);
    }
  }

  #takeOpen(file: string, resources: string[]): void {
    const count = (kind: string, among: string[]) => among.filter((name) => name === kind).length;
    const kinds = [...new Set(resources)].filter((kind) => count(kind, resources) > count(kind, this.#openBefore));
    if (kinds.length > 0) this.#leftOpen.set(file, kinds);
    this.#openBefore = resources;
  }
}

/** Processes that are still there after the grace, with the folder for temporary files that each was given; they are ended. */
async function endLeftovers(
  { session, id, folders }: { session: number; id: string; folders: string[] },
  graceMs: number,
): Promise<(ProcessInfo & { folder: number })[]> {
  const deadline = performance.now() + graceMs;
  for (;;) {
    const processes = listProcesses().filter(
      ({ pid, session: ofSession, group }) =>
        ofSession === session || group === session || hasInEnvironment(pid, `${JOB_VARIABLE}=${id}`),
    );
    if (processes.length === 0 || performance.now() > deadline) {
      return processes.map((left) => {
        const folder = folders.findIndex((path) => hasInEnvironment(left.pid, `TMPDIR=${path}`));
        signal(left.pid, "SIGKILL");
        return { ...left, folder };
      });
    }
    await delay(50);
  }
}
