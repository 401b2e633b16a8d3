/** Interrupted and concurrent imports: a job resumes where it was, and no two processes read one file. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, createWriteStream, mkdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import type { Reject } from "#domain/job.ts";
import { exitCodeFor } from "#import/import-files.ts";
import type { ImportReport } from "#import/report.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { until } from "#testing/until.ts";
import { temporaryFolder } from "./test-server.ts";
import { importInto } from "./import-fixtures.ts";
import { Importer } from "./importer-process.ts";
import { runCommand } from "./run-command.ts";
import {
  aPostObject,
  CAPTURED_AT,
  startTriptych,
  commentLine,
  environment,
  pushedLine,
  type Started,
  triptych,
  writeLines,
} from "./spawn-import.ts";

/** Enough for several batches: a kill after the first one leaves most of the work to do. */
const COMMENTS = 2_100;
const BROKEN = [100, 2_050];

const home = temporaryFolder();
let number = 0;
let folder: string;
let dataDir: string;
let capture: string;

beforeEach(() => {
  folder = join(home.path, String(++number));
  dataDir = join(folder, "data");
  mkdirSync(folder);
  capture = join(folder, "comments.ndjson");
});
after(() => home.remove());

function lines(count: number): string[] {
  return Array.from({ length: count }, (_, index) => commentLine(index + 1, BROKEN.includes(index + 1)));
}

interface ListedJob {
  id: string;
  owner: string;
  state: string;
  label: string;
  files: { name: string; state: string; position: number; records: ImportReport["total"]["records"] }[];
}

async function listedJobs(): Promise<ListedJob[]> {
  return JSON.parse((await runCommand(["jobs", "--json"], environment(dataDir))).stdout) as ListedJob[];
}

/** Kills an import without warning once its first batch is kept; the job as it is then. */
async function killedImport(): Promise<ListedJob> {
  mkdirSync(dataDir);
  const importer = new Importer({ url: null, dataDir }, [capture], { held: true });
  await importer.keeping();
  importer.goOn("one");
  await importer.keeping();
  const store = openSqliteStore(dataDir);
  try {
    await until(async () => {
      const [job] = await store.jobs.listJobs(1);
      const [file] = job === undefined ? [] : await store.jobs.listJobFiles(job.id);
      return file !== undefined && file.position > 0;
    });
  } finally {
    await importer.kill();
    await store.close();
  }
  const [job] = await listedJobs();
  assert.ok(job !== undefined);
  return job;
}

function rejectedLines({ rejects }: ImportReport): (number | null)[] {
  return readFileSync(rejects as string, "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => (JSON.parse(text) as Reject).line);
}

/** In this process. With a time of its own, so that a rewritten file has the same captures. */
function importHere(): Promise<ImportReport> {
  return importInto(dataDir, [capture], { capturedAt: CAPTURED_AT });
}

async function heldComments(): Promise<number | undefined> {
  const store = openSqliteStore(dataDir);
  try {
    return (await store.summary()).records["shortvideo"]?.comment;
  } finally {
    await store.close();
  }
}

test("a killed import resumes when its command is run again, and counts each record once; a file that changed is read from its start", async () => {
  writeLines(capture, lines(COMMENTS));
  const cut = await killedImport();
  assert.equal(cut.state, "running");
  const [file] = cut.files;
  assert.ok(file !== undefined && file.state === "running" && file.position < COMMENTS, "killed too late");
  // Until its lease ends, nobody can tell whether the process is only slow.
  assert.match((await runCommand(["jobs"], environment(dataDir))).stdout, / running /);
  const killed = openSqliteStore(dataDir);
  assert.equal((await killed.jobs.renewClaims(cut.id, cut.owner, 0)).length, 2, "the process and its file");
  await killed.close();
  assert.match((await runCommand(["jobs"], environment(dataDir))).stdout, / interrupted /);
  const asKilled = join(folder, "as killed");
  cpSync(dataDir, asKilled, { recursive: true });

  const { stdout } = await triptych(dataDir, ["import", capture, "--captured-at", "2025-05-01", "--json"]);
  const report = JSON.parse(stdout) as ImportReport;
  assert.equal(report.job, cut.id);
  const kept = COMMENTS - BROKEN.length;
  assert.deepEqual(report.total.records.comment, { new: kept, updated: 0, unchanged: 0, erased: 0 });
  assert.deepEqual(rejectedLines(report), BROKEN);
  assert.equal(await heldComments(), kept);
  const [done] = await listedJobs();
  assert.deepEqual([done?.id, done?.state, done?.files.length], [cut.id, "done", 1]);

  // The store as it was after the kill, and another file: what was refused of the earlier one is not counted.
  dataDir = asKilled;
  const before = file.records.comment?.new ?? 0;
  assert.ok(before > 0);
  writeLines(capture, ["", ...lines(COMMENTS)]);
  const changed = await importHere();
  assert.equal(changed.job, cut.id);
  assert.deepEqual(changed.total.records.comment, { new: kept - before, updated: 0, unchanged: before, erased: 0 });
  assert.equal(await heldComments(), kept);
  assert.deepEqual(
    rejectedLines(changed),
    BROKEN.map((line) => line + 1),
  );
});

test("a job that is done is not gone on with: the same command again is a job of its own", async () => {
  mkdirSync(dataDir);
  writeLines(capture, lines(200));
  const first = await importHere();
  const second = await importHere();
  assert.notEqual(first.job, second.job);
  assert.deepEqual(second.total.records.comment, { new: 0, updated: 0, unchanged: 199, erased: 0 });
});

/** A pipe holds an import up in the middle for as long as the test wants. */
async function importHeldUp() {
  const pipe = join(folder, "pipe.ndjson");
  execFileSync("mkfifo", [pipe]);
  const first = startTriptych(dataDir, ["import", pipe, "--json"]);
  const writer = createWriteStream(pipe);
  await once(writer, "open");
  return { pipe, writer, first, letGo: () => writer.end(`${pushedLine(aPostObject(2))}\n`) };
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`an import that ends by ${signal} is interrupted at once, and the same command resumes it`, async () => {
    const { pipe, writer, first } = await importHeldUp();
    writer.write(`${pushedLine(aPostObject(1))}\n`);
    await until(async () => (await listedJobs()).some(({ state }) => state === "running"));
    first.child.kill(signal);
    const { code, stderr } = await first.ended;
    writer.destroy();
    assert.deepEqual(
      [code, first.child.signalCode, stderr],
      [null, signal, "interrupted; run the same command again to resume\n"],
    );
    const [interrupted] = await listedJobs();
    assert.equal(interrupted?.state, "interrupted");
    const [again] = await Promise.all([
      triptych(dataDir, ["import", pipe, "--json"]),
      writeFile(pipe, `${pushedLine(aPostObject(2))}\n`),
    ]);
    assert.equal(again.code, 0, again.stderr);
    const [done, ...others] = await listedJobs();
    assert.deepEqual([done?.id, done?.state, others], [interrupted.id, "done", []]);
  });
}

test("a second process that is asked for the same waits for the first, or leaves it with --no-wait; for another file it does not", async () => {
  const { pipe, first, letGo } = await importHeldUp();
  let second: Started | undefined;
  try {
    const other = writeLines(join(folder, "other.ndjson"), [pushedLine(aPostObject(1))]);
    assert.equal(exitCodeFor(await importInto(dataDir, [other])), 0);
    second = startTriptych(dataDir, ["import", pipe, "--json"]);
    let told = "";
    second.child.stderr?.on("data", (text: string) => (told += text));
    const { code, stdout } = await triptych(dataDir, ["import", pipe, "--no-wait"]);
    assert.equal(code, 0);
    assert.match(stdout, /^Imported from 0 files \(job [\w-]+\):\n {2}no records\n/);
    assert.ok(stdout.endsWith(`  still being imported by other processes: ${pipe}\n`), stdout);
    const held = (await listedJobs()).find(({ label }) => label === pipe);
    assert.equal(held?.state, "running", "the one that reads ends the job");
    await until(async () => told === "waiting for 1 file that other processes are importing\n");
  } finally {
    letGo();
  }
  const [one, two] = await Promise.all([first.ended, second.ended]);
  assert.deepEqual([one.code, two.code], [0, 0], one.stderr + two.stderr);
  const [did, waited] = [one, two].map(({ stdout }) => JSON.parse(stdout) as ImportReport);
  assert.deepEqual(did?.own.files, [pipe]);
  assert.deepEqual(waited?.own, { files: [], formats: {}, records: {}, refused: {}, skipped: {} });
  assert.deepEqual(
    [did?.job, did?.total.records.post?.new, did?.elsewhere],
    [waited?.job, waited?.total.records.post?.new, waited?.elsewhere],
  );
  assert.equal(did?.total.records.post?.new, 1);
  assert.equal((await listedJobs()).find(({ id }) => id === did?.job)?.state, "done");
});
