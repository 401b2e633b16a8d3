import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { TableBatch } from "#store/copy/port.ts";
import { verifyBackup, writeBackup } from "./backup-file.ts";

const NO_MODES = process.platform === "win32" && "files have no modes on this system";

const NOW = { createdAt: new Date(), key: null };

async function* failing(): AsyncGenerator<TableBatch> {
  yield { table: "records", rows: [] };
  throw new Error("the database is gone");
}

async function* empty(): AsyncGenerator<TableBatch> {}

test("a backup that fails leaves no part of it, and names its file", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-backup-"));
  t.after(() => rmSync(folder, { recursive: true }));
  await assert.rejects(
    writeBackup(join(folder, "a.backup"), failing(), NOW, () => undefined),
    /the database is gone/,
  );
  assert.deepEqual(readdirSync(folder), []);
  writeFileSync(join(folder, "file"), "");
  for (const [parent, code] of [
    ["missing", "ENOENT"],
    ["file", "ENOTDIR"],
  ] as const) {
    const path = join(folder, parent, "a.backup");
    await assert.rejects(
      writeBackup(path, empty(), NOW, () => undefined),
      { code, path },
    );
  }
});

test(
  "a backup is readable by its owner only, also where others could read the rest of a failed one",
  { skip: NO_MODES },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "triptych-backup-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "a.backup");
    writeFileSync(`${file}.partial`, "", { mode: 0o644 });
    await writeBackup(file, empty(), NOW, () => undefined);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  },
);

test("what is no backup, empty or no file is told apart", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-backup-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "a.backup");
  const verify = (path: string) => verifyBackup(path, null, () => undefined);
  writeFileSync(file, gzipSync(""));
  await assert.rejects(verify(file), /\(it is empty\)/);
  writeFileSync(file, "a letter");
  await assert.rejects(verify(file), /\(it is not a backup\)/);
  await assert.rejects(verify(folder), /is not a regular file; name a backup$/);
});
