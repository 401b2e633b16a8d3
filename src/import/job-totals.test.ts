import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { JobFile } from "#domain/job.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { WriteUnit } from "#store/write/port.ts";
import { sumJobFiles } from "./job-totals.ts";
import { merge } from "./merge.ts";

test("the totals of an import with many files are read in pages, and others get a turn after each", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "triptych-totals-"));
  const store = openSqliteStore(path);
  const { jobs } = store;
  const job = { id: "j", fingerprint: "f", origin: "command", label: "many", owner: "host:1" } as const;
  await jobs.writeJob({ ...job, state: "running", createdAt: 1, updatedAt: 2 });
  const report = {
    formats: { x: 2 },
    records: { post: { new: 3, updated: 2, unchanged: 1, erased: 0 } },
    refused: { no_id: 1 },
    skipped: {},
  };
  const FILES = 1_200;
  const units = Array.from({ length: FILES }, (_, index): WriteUnit => {
    const state = index === 0 ? "running" : "done";
    const file: JobFile = { jobId: "j", name: `${index}.json`, fingerprint: "", state, position: 2, report };
    return { changes: [], merge, checkpoint: () => ({ file, rejects: [], restarted: false }) };
  });
  await store.writer.write(units);
  let turns = 0;
  let isSumming = true;
  const takeTurn = () => {
    turns++;
    if (isSumming) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  const list = t.mock.method(jobs, "listJobFilePage");
  assert.deepEqual(await sumJobFiles(jobs, "j"), {
    files: FILES,
    filesDone: FILES - 1,
    documents: 2 * FILES,
    report: {
      formats: { x: 2 * FILES },
      records: { post: { new: 3 * FILES, updated: 2 * FILES, unchanged: FILES, erased: 0 } },
      refused: { no_id: FILES },
      skipped: {},
    },
  });
  isSumming = false;
  assert.deepEqual(
    list.mock.calls.map(({ arguments: values }) => values),
    [
      ["j", 0, 500],
      ["j", 500, 500],
      ["j", 1_000, 500],
    ],
  );
  assert.ok(turns >= 2, `${turns} turns`);
  assert.deepEqual(await sumJobFiles(jobs, "none"), {
    files: 0,
    filesDone: 0,
    documents: 0,
    report: { formats: {}, records: {}, refused: {}, skipped: {} },
  });
  await store.close();
  rmSync(path, { recursive: true, force: true });
});
