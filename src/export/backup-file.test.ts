import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TableBatch } from "#store/tables.ts";
import { writeBackup } from "./backup-file.ts";

async function* failing(): AsyncGenerator<TableBatch> {
  yield { table: "records", rows: [] };
  throw new Error("the database is gone");
}

async function* empty(): AsyncGenerator<TableBatch> {}

test("a backup that fails leaves no part of it, and names its file", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-backup-"));
  t.after(() => rmSync(folder, { recursive: true }));
  await assert.rejects(
    writeBackup(join(folder, "a.backup"), failing(), new Date(), () => undefined),
    /the database is gone/,
  );
  assert.deepEqual(readdirSync(folder), []);
  const path = join(folder, "missing", "a.backup");
  await assert.rejects(
    writeBackup(path, empty(), new Date(), () => undefined),
    { code: "ENOENT", path },
  );
});
