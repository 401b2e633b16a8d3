import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { StoreOpenError } from "#store/sql/store-open-error.ts";
import { ensureDataDir, tightenDataDir } from "./data-dir.ts";

const NO_MODES = process.platform === "win32" && "files have no modes on this system";

function temporaryDirectory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "triptych-data-dir-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("the data directory is created with its parents, for its owner only", (t) => {
  const home = temporaryDirectory(t);
  const steps = [join(home, "not"), join(home, "not", "there"), join(home, "not", "there", "yet")];
  ensureDataDir(join(home, "not", "there", "yet"));
  for (const step of steps) {
    assert.ok(statSync(step).isDirectory());
    if (NO_MODES === false) assert.equal(statSync(step).mode & 0o777, 0o700);
  }
});

test(
  "an existing data directory is closed to other users; one that all users share is refused",
  { skip: NO_MODES },
  (t) => {
    const path = join(temporaryDirectory(t), "mine");
    mkdirSync(path);
    for (const mode of [0o755, 0o770, 0o700]) {
      chmodSync(path, mode);
      tightenDataDir(path);
      assert.equal(statSync(path).mode & 0o777, 0o700);
    }
    chmodSync(path, 0o1777);
    assert.throws(() => tightenDataDir(path), {
      name: "StoreOpenError",
      message: /is shared by all users; set DATA_DIR/,
    });
    assert.equal(statSync(path).mode & 0o1777, 0o1777);
  },
);

test("a file where the data directory or a parent should be is one sentence", (t) => {
  const file = join(temporaryDirectory(t), "a-file");
  writeFileSync(file, "");
  for (const path of [file, join(file, "below")]) {
    assert.throws(
      () => ensureDataDir(path),
      (error) =>
        error instanceof StoreOpenError &&
        /^cannot create data directory [^\n]+ \(ENOTDIR\); set DATA_DIR [^\n]+$/.test(error.message),
    );
  }
});
