import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { StoreOpenError } from "#store/store-open-error.ts";
import { ensureDataDir } from "./data-dir.ts";

const NO_MODES = process.platform === "win32" && "files have no modes on this system";

function freshFolder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "triptych-data-dir-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("a data folder is made with all folders above it, for its owner alone", (t) => {
  const home = freshFolder(t);
  const steps = [join(home, "not"), join(home, "not", "there"), join(home, "not", "there", "yet")];
  ensureDataDir(join(home, "not", "there", "yet"));
  for (const step of steps) {
    assert.ok(statSync(step).isDirectory());
    if (NO_MODES === false) assert.equal(statSync(step).mode & 0o777, 0o700);
  }
});

test("a data folder that is there stays as its owner made it", { skip: NO_MODES }, (t) => {
  const path = join(freshFolder(t), "mine");
  mkdirSync(path);
  chmodSync(path, 0o750);
  ensureDataDir(path);
  assert.equal(statSync(path).mode & 0o777, 0o750);
});

test("a file in the place of the data folder or above it is refused in one sentence", (t) => {
  const file = join(freshFolder(t), "a-file");
  writeFileSync(file, "");
  for (const path of [file, join(file, "below")]) {
    assert.throws(
      () => ensureDataDir(path),
      (error) =>
        error instanceof StoreOpenError && /^[^\n]+ is no folder \(ENOTDIR\); set DATA_DIR [^\n]+$/.test(error.message),
    );
  }
});
