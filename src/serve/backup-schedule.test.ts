/** When backups are written, retried and removed, with a clock that the test sets. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { MetricFamily } from "#http/metrics.ts";
import { BackupRounds } from "./backup-schedule.ts";

const NOON = Date.UTC(2026, 10, 16, 12);
const HOUR = 3_600_000;

interface Trial {
  dir: string;
  written: string[];
  errors: string[];
  /** Outcome of the next writes. */
  fails: { message: string | null };
  rounds: BackupRounds;
  /** Lets time pass, then calls it as its timer does. */
  pass(ms: number): Promise<number>;
}

async function start(t: TestContext, { keep = 3, files = [] as string[] } = {}): Promise<Trial> {
  const dir = mkdtempSync(join(tmpdir(), "triptych-backups-"));
  t.after(() => rmSync(dir, { recursive: true }));
  for (const file of files) writeFileSync(join(dir, file), file);
  const [written, errors]: [string[], string[]] = [[], []];
  const fails: Trial["fails"] = { message: null };
  let now = NOON;
  const rounds = new BackupRounds(
    async (file) => {
      if (fails.message !== null) {
        writeFileSync(`${file}.partial`, "half");
        throw new Error(fails.message);
      }
      writeFileSync(file, "whole");
      return { rows: 1, seal: "here" };
    },
    {
      onWritten: (file) => void written.push(basename(file)),
      onError: (error) => void errors.push((error as Error).message),
    },
    () => now,
  );
  const { signal } = new AbortController();
  const pass = (ms: number) => {
    now += ms;
    return rounds.runIfDue({ dir, everyMs: HOUR, keep }, signal);
  };
  await pass(0);
  return { dir, written, errors, fails, rounds, pass };
}

function valueOf(families: MetricFamily[], name: string): number | undefined {
  return families.find((family) => family.name === name)?.samples[name];
}

const overdue = ({ rounds }: Trial) => valueOf(rounds.families(), "triptych_backup_overdue_seconds");

test("the first backup is written at once, the next ones at the interval, and only the oldest own ones are removed", async (t) => {
  const foreign = ["notes.txt", "triptych.backup", "triptych-2020-01-01T00-00-00Z.backup.old", "my.backup.partial"];
  const trial = await start(t, { files: foreign });
  assert.deepEqual(trial.written, ["triptych-2026-11-16T12-00-00Z.backup"]);
  for (let hour = 1; hour < 6; hour++) await trial.pass(HOUR);
  assert.equal(trial.written.length, 6);
  assert.deepEqual(readdirSync(trial.dir).toSorted(), [...foreign, ...trial.written.slice(-3)].toSorted());
  assert.deepEqual([trial.errors, overdue(trial)], [[], 0]);
});

test("a service that starts again waits until the newest backup is as old as the interval", async (t) => {
  const newest = "triptych-2026-11-16T11-30-00Z.backup";
  const trial = await start(t, { files: [newest, "triptych-2026-11-16T10-30-00Z.backup"] });
  assert.equal(await trial.pass(29 * 60_000), 60_000);
  assert.deepEqual(trial.written, []);
  await trial.pass(60_000);
  assert.deepEqual(trial.written, ["triptych-2026-11-16T12-30-00Z.backup"]);
});

test("a backup that fails removes none, leaves no part, is counted, and is tried again", async (t) => {
  const old = [9, 10].map((hour) => `triptych-2026-11-16T${String(hour).padStart(2, "0")}-00-00Z.backup`);
  const trial = await start(t, { keep: 1, files: old });
  trial.fails.message = "the disk is full";
  // The start wrote one, as the newest was two hours old.
  await trial.pass(HOUR);
  await trial.pass(5 * 60_000);
  await trial.pass(5 * 60_000);
  assert.deepEqual(trial.errors, Array(3).fill("the disk is full"));
  assert.equal(valueOf(trial.rounds.families(), "triptych_backup_failures_total"), 3);
  assert.equal(overdue(trial), 600);
  assert.deepEqual(readdirSync(trial.dir), ["triptych-2026-11-16T12-00-00Z.backup"]);
  trial.fails.message = null;
  await trial.pass(5 * 60_000);
  assert.deepEqual(readdirSync(trial.dir), ["triptych-2026-11-16T13-15-00Z.backup"]);
  assert.equal(overdue(trial), 0);
});

test("a clock that is set back by years, or a file dated by one that was ahead, delays a backup by one interval", async (t) => {
  const trial = await start(t, { files: ["triptych-2031-01-01T00-00-00Z.backup"] });
  assert.deepEqual(trial.written, []);
  await trial.pass(HOUR);
  assert.equal(trial.written.length, 1);
});

test("a file dated by a clock that was ahead goes before the backup just written", async (t) => {
  const trial = await start(t, { keep: 1, files: ["triptych-2031-01-01T00-00-00Z.backup"] });
  await trial.pass(HOUR);
  assert.deepEqual(readdirSync(trial.dir), ["triptych-2026-11-16T13-00-00Z.backup"]);
});

test("the part of a backup whose process was killed is removed a day later", async (t) => {
  const abandoned = "triptych-2026-11-15T11-00-00Z.backup.partial";
  const recent = "triptych-2026-11-16T11-59-00Z.backup.partial";
  const trial = await start(t, { files: [abandoned, recent] });
  utimesSync(join(trial.dir, abandoned), new Date(NOON - 25 * HOUR), new Date(NOON - 25 * HOUR));
  utimesSync(join(trial.dir, recent), new Date(NOON), new Date(NOON));
  await trial.pass(HOUR);
  assert.deepEqual(readdirSync(trial.dir), [...trial.written, recent].toSorted());
});
